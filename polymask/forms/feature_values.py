"""Checks of one number per feature, a label or a value to burn, which must stay exact."""

import numbers
import operator
import sys
from collections.abc import Mapping

import numpy as np

from polymask import contract
from polymask.common import error_text
from polymask.common.error_text import quote

LISTS = "to_pylist", "tolist", "to_list"  # methods of pyarrow, pandas and polars
WITHOUT_ORDER = Mapping, set, frozenset
REAL = numbers.Real, np.bool_
USUAL = [(np.dtype(t), np.iinfo(t)) for t in ("u1", "u2", "u4", "i8", "u8")]  # dtypes of labels


def refuse_other_index(values, features, name):
    """Refuse a column of pandas with another index than its features: their order may differ."""
    own, index = (getattr(column, "index", None) for column in (values, features))
    if hasattr(own, "equals") and hasattr(index, "equals") and not own.equals(index):
        raise ValueError(
            f"the index of {name} is not that of the polygons: align them with {name}.reindex("
            f"polygons.index), or pass {name}.to_numpy() if they have the same order"
        )


def labels_of(labels, polygons, count, dtype):
    """Return labels, one per polygon, in an integer dtype; if that is None, in the smallest one."""
    labels = check_labels(labels, polygons, count)
    return labels.astype(check_label_dtype(dtype, labels))


def check_labels(labels, polygons, count):
    """Convert labels, one per polygon, to int64, or to uint64 if int64 is too small.

    If `labels` is None, they are 1, 2, 3, ...
    """
    if labels is None:
        return np.arange(1, count + 1)
    refuse_other_index(labels, polygons, "labels")
    labels = _to_list(labels, "labels")
    if not (isinstance(labels, np.ndarray) and labels.ndim == 1 and labels.dtype.kind in "iu"):
        try:
            labels = list(labels)
        except (NotImplementedError, TypeError):  # NotImplementedError: a 2D memoryview
            raise ValueError("labels must be integers, one per polygon") from None
        labels = np.array(_integers(labels), object)
    if len(labels) != count:
        raise ValueError(f"got {len(labels)} labels for {count} polygons")
    low, high = (int(labels.min()), int(labels.max())) if count else (0, 0)
    for dtype in (np.int64, np.uint64):
        if np.iinfo(dtype).min <= low and high <= np.iinfo(dtype).max:
            return contract.as_contiguous(labels, dtype)
    raise ValueError(f"labels {quote(low)} to {quote(high)} fit no integer type")


def _integers(labels):
    """Convert a list of labels to Python integers."""
    try:
        if bool in set(map(type, labels)):  # refused as in an array of bool
            raise TypeError
        return list(map(operator.index, labels))
    except TypeError:
        for number, label in enumerate(labels):  # a NaN turns all other labels into floats
            is_nan = isinstance(label, (float, np.floating)) and np.isnan(label)
            if is_nan or _is_missing(label):
                text = f"the label of polygon {number} is missing, got {quote(label)}"
                raise ValueError(text) from None
        for number, label in enumerate(labels):
            if isinstance(label, bool) or not hasattr(label, "__index__"):
                text = f"label {quote(label)} of polygon {number} is not an integer"
                raise ValueError(text) from None
        raise ValueError("labels must be integers, one per polygon") from None


def check_label_dtype(dtype, labels):
    """Return an integer dtype that holds all labels; for None, the smallest usual one."""
    low, high = (int(labels.min()), int(labels.max())) if len(labels) else (0, 0)
    if dtype is None:
        return next(t for t, limits in USUAL if limits.min <= low and high <= limits.max)
    dtype = contract.as_dtype(dtype, "an integer type")
    if dtype.kind not in "iu":
        raise ValueError(f"dtype of labels must be an integer type, got {dtype}")
    limits = np.iinfo(dtype)
    if not limits.min <= low <= high <= limits.max:
        first = int(((labels < limits.min) | (labels > limits.max)).argmax())
        raise ValueError(
            f"labels {low} to {high} do not fit {dtype}: polygon {first} has {labels[first]}"
        )
    return dtype


def check_values(values):
    """Convert values to burn to an array of integers, floats or bool."""
    values = _to_list(values, "values")
    try:
        array = np.asarray(values)
    except ValueError as error:
        reason = error_text.why_no_array(values, error, "got lists of them")
        raise ValueError(f"values must be numbers, one per geometry, {reason}") from None
    if not array.size:
        return array.astype(np.uint8)
    if array.dtype.kind not in "iufb" or array.dtype.itemsize > 8:
        _refuse_value(values, array)
    if array.dtype == bool:
        return contract.as_zeros_and_ones(array)
    if array.dtype == np.float64 and array.ndim == 1 and isinstance(values, (list, tuple)):
        return _undo_rounding(values, array)
    return array


def _refuse_value(values, array):
    """Raise the error for the first value that is not a real number of at most 64 bits.

    NumPy converts all elements of a list to one type, such as text, so the list itself is checked.
    """
    if not array.ndim:
        raise TypeError(f"values must be numbers, one per geometry, got {quote(values)}")
    elements = values if isinstance(values, (list, tuple)) else array.flat
    for number, value in enumerate(elements):
        if _is_missing(value):
            raise TypeError(
                f"the value of geometry {number} is missing, got {quote(value)}: add a value, or "
                "remove the geometry"
            )
        is_array = isinstance(value, np.ndarray)  # a 0-dimensional array is a number, too
        if not isinstance(value.item() if is_array and not value.ndim else value, REAL):
            raise TypeError(f"value {quote(value)} of geometry {number} is not a real number")
    got = f"dtype {array.dtype}"
    for number, value in enumerate(array.flat):
        if not has_64_bits(value):
            got = f"{quote(value)} of geometry {number}"
            break
    raise TypeError(f"values must be real numbers of at most 64 bits, got {got}")


def has_64_bits(value):
    """Return whether NumPy stores a real number as an integer or float of at most 64 bits."""
    if isinstance(value, numbers.Integral):
        return -(2**63) <= value < 2**64
    return isinstance(value, (float, np.number, np.bool_))


def _undo_rounding(values, array):
    """Return an exact array of a list's values, which NumPy has converted to float64.

    NumPy does so if some integers fit only int64 and others only uint64, or if there are floats.
    """
    if set(map(type, values)) <= {float}:  # the common case; the loops below take ten times longer
        return array
    if all(isinstance(value, numbers.Integral) for value in values):
        low, high = int(min(values)), int(max(values))
        for name in (np.int64, np.uint64):
            if np.iinfo(name).min <= low and high <= np.iinfo(name).max:
                return np.array(values, name)
    for number, (value, rounded) in enumerate(zip(values, array.tolist(), strict=True)):
        if isinstance(value, numbers.Integral) and int(value) != rounded:
            raise ValueError(
                f"value {quote(value)} of geometry {number} is not exact in float64, the only type "
                "for all values: change it, or burn it in another call"
            )
    return array


def _to_list(values, name):
    """Convert a column of pandas, pyarrow or polars to a list; return anything else unchanged.

    NumPy would convert the integers of a column with missing values to floats.
    """
    contract.refuse_masked(values, name)
    if isinstance(values, WITHOUT_ORDER):
        raise ValueError(f"{name} must be in order, as in a list, got a {type(values).__name__}")
    if isinstance(getattr(values, "dtype", None), np.dtype) or isinstance(values, memoryview):
        return values
    to_list = next((getattr(values, method) for method in LISTS if hasattr(values, method)), None)
    return values if to_list is None else to_list()


def _is_missing(value):
    """Return whether a value stands for a missing one; NaN does not, as it can be burned."""
    pandas = sys.modules.get("pandas")  # if pandas is not imported, no value is pandas.NA
    return value is None or (pandas is not None and (value is pandas.NA or value is pandas.NaT))
