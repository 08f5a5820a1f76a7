"""Values and labels of features: exact, or the first bad one is named."""

import datetime
import decimal

import numpy as np
import pytest
from cases import folded

import polymask
from polymask.common import error_text

SQUARE = [(0, 0), (3, 0), (3, 3), (0, 3)]
OTHERS = [SQUARE, np.add(SQUARE, 4), np.add(SQUARE, 8)]
SHAPE = (12, 14)
LARGE = 2**53 + 1  # the first integer that no float64 is
BAD = {
    "text": "7",
    "bytes": b"7",
    "complex": 1j,
    "date": datetime.date(2020, 1, 2),
    "decimal": decimal.Decimal(7),
    "datetime64": np.datetime64("2020-01-02"),
}


def burn_pairs(values):
    return polymask.rasterize(list(zip(OTHERS, values, strict=True)), SHAPE)


def burn_values(values):
    return polymask.rasterize(OTHERS, SHAPE, values=values)


def number(values):
    return polymask.label_mask(OTHERS, SHAPE, labels=values)


def runs(values):
    return polymask.label_runs(OTHERS, SHAPE, labels=values)


def columns(values):
    """Yield the values as columns of the libraries that are installed."""
    pandas = pytest.importorskip("pandas")
    pyarrow = pytest.importorskip("pyarrow")
    array = pandas.array(values, dtype="Int64")
    yield from (array, pandas.Series(array), pandas.Index(array))
    yield pandas.Series(values, dtype=pandas.ArrowDtype(pyarrow.int64()))
    yield from (pyarrow.array(values), pyarrow.chunked_array([values]))


@folded("take", [burn_pairs, burn_values, number, runs])
@folded("bad", BAD.values())
def test_the_bad_value_is_named_not_the_first(take, bad):
    with pytest.raises((TypeError, ValueError), match=r"of (geometry|polygon) 2") as caught:
        take([1, 2, bad])
    assert error_text.quote(bad) in str(caught.value)
    array = np.array([1, 2, bad], object)
    with pytest.raises((TypeError, ValueError), match=r"of (geometry|polygon) 2"):
        take(array)


@pytest.mark.parametrize("take", [burn_pairs, burn_values, number, runs])
def test_a_missing_value_is_called_so(take):
    pandas = pytest.importorskip("pandas")
    for missing in (None, pandas.NA, pandas.NaT):
        with pytest.raises((TypeError, ValueError), match=r"of (geometry|polygon) 1 is missing"):
            take([1, missing, 7])


def test_a_label_that_is_missing_is_named_not_the_floats_beside_it():
    with pytest.raises(ValueError, match="label of polygon 1 is missing, got nan"):
        number(np.array([1, np.nan, 3]))
    with pytest.raises(ValueError, match=r"label 1\.0 of polygon 0 is not an integer"):
        number(np.array([1.0, 2.0, 3.0]))


@pytest.mark.parametrize("take", [burn_values, number, runs])
def test_columns_of_integers_are_exact_or_refused(take):
    for column in columns([LARGE, 2, 3]):
        result = take(column)
        found = result.label if take is runs else result
        assert set(np.unique(found).tolist()) - {0} == {2, 3, LARGE}
    for column in columns([LARGE, None, 3]):
        with pytest.raises((TypeError, ValueError), match=r"of (geometry|polygon) 1 is missing"):
            take(column)
