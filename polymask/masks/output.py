"""The array that a result is written to: a new one, or the caller's `out`."""

import math
import sys

import numpy as np

from polymask.common.error_text import quote
from polymask.contract import as_dtype, refuse_masked

BOOL, UINT8 = np.dtype(bool), np.dtype(np.uint8)


def check_dtype(dtype, out, packed=False):
    """Return the dtype of a mask, uint8 or bool; if `dtype` is None, that of `out` or bool."""
    if dtype is None:
        if packed:
            return UINT8
        dtype = getattr(out, "dtype", BOOL)
    allowed = "uint8 for packed bits" if packed else "bool or uint8"
    dtype = as_dtype(dtype, allowed)
    if dtype == UINT8 or (dtype == BOOL and not packed):
        return dtype
    raise ValueError(f"dtype must be {allowed}, got {dtype}")


def check_size(shape, dtype):
    """Refuse a result that exceeds the address space; NumPy's message does not name the shape.

    Lengths of 0 are left out of the product, as NumPy does for empty arrays.
    """
    dtype = np.dtype(dtype)
    if math.prod(size or 1 for size in shape) * dtype.itemsize > sys.maxsize:
        raise ValueError(f"an array of {dtype} and shape {quote(shape)} exceeds the address space")


def check_out(out, shape, dtype):
    """Refuse an `out` that cannot hold the mask, before anything is written to it."""
    if not isinstance(out, np.ndarray):
        raise ValueError(f"out must be a NumPy array, got {type(out).__name__}")
    if type(out) is not np.ndarray:
        refuse_masked(out, "out")
        out = np.asarray(out)  # a subclass could report another shape
    check_form(out, shape, dtype)
    if not out.flags.aligned:
        raise ValueError("out must be aligned in memory: pass a new array")
    if not out.flags.writeable:
        raise ValueError("out is read-only")


def check_form(out, shape, dtype):
    """Refuse an array, of NumPy's or CuPy's, with another shape, dtype or order in memory."""
    if out.shape != shape:
        raise ValueError(f"out must have the shape {shape}, got {out.shape}")
    if out.dtype != dtype:
        raise ValueError(f"out must have the dtype {np.dtype(dtype)}, got {out.dtype}")
    if not out.flags.c_contiguous and not _is_view_of_rows(out):
        raise ValueError("out must be C-contiguous, or a view with contiguous rows")


def _is_view_of_rows(out):
    """Return whether the elements of each row are adjacent, and rows do not overlap."""
    extent = out.itemsize
    for axis, (size, stride) in enumerate(zip(out.shape[::-1], out.strides[::-1], strict=True)):
        if size == 1:
            continue
        if stride < extent or stride % out.itemsize or (axis == 0 and stride != extent):
            return False
        extent += (size - 1) * stride
    return True


def separate_from(out, arrays):
    """Return the arrays, with copies of those that may share memory with `out`."""
    return tuple(
        array.copy() if array is not None and np.may_share_memory(array, out) else array
        for array in arrays
    )
