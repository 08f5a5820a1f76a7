"""The array that a result is written to: a new one, or `out` of the user."""

import math
import sys

import numpy as np

from polymask.common.error_text import shown
from polymask.contract import as_dtype, refuse_masked

BOOL, UINT8 = np.dtype(bool), np.dtype(np.uint8)


def check_dtype(dtype, out, packed=False):
    """Return the dtype of a mask, uint8 or bool; that of `out` where it is None."""
    if dtype is None:
        if packed:
            return UINT8
        dtype = getattr(out, "dtype", BOOL)
    wanted = "uint8 for packed bits" if packed else "bool or uint8"
    dtype = as_dtype(dtype, wanted)
    if dtype == UINT8 or (dtype == BOOL and not packed):
        return dtype
    raise ValueError(f"dtype must be {wanted}, got {dtype}")


def check_size(shape, dtype):
    """Refuse a result that no memory could hold; NumPy's own words name no shape.

    As it does for an array that is empty, this leaves sizes of 0 out of the product.
    """
    dtype = np.dtype(dtype)
    if math.prod(size or 1 for size in shape) * dtype.itemsize > sys.maxsize:
        raise ValueError(
            f"an array of {dtype} and shape {shown(shape)} is beyond the address space"
        )


def check_out(out, shape, dtype):
    """Refuse an `out` that cannot hold the mask; nothing has been written to it then."""
    if not isinstance(out, np.ndarray):
        raise ValueError(f"out must be a NumPy array, got {type(out).__name__}")
    if type(out) is not np.ndarray:
        refuse_masked(out, "out")
        out = np.asarray(out)  # which says itself what it is: no class can give another shape
    if out.shape != shape:
        raise ValueError(f"out must have the shape {shape}, got {out.shape}")
    if out.dtype != dtype:
        raise ValueError(f"out must have the dtype {np.dtype(dtype)}, got {out.dtype}")
    if not out.flags.c_contiguous and not _is_view_of_rows(out):
        raise ValueError("out must be C-contiguous, or a view of rows of such an array")
    if not out.flags.aligned:
        raise ValueError("out must be aligned: its elements begin at odd bytes")
    if not out.flags.writeable:
        raise ValueError("out is read-only")


def _is_view_of_rows(out):
    """Whether elements lie side by side along the last axis, and those of no two rows overlap."""
    extent = out.itemsize
    for axis, (size, stride) in enumerate(zip(out.shape[::-1], out.strides[::-1], strict=True)):
        if size == 1:
            continue
        if stride < extent or stride % out.itemsize or (axis == 0 and stride != extent):
            return False
        extent += (size - 1) * stride
    return True


def row_stride(out):
    """Return how many elements lie from row to row of an image; 0 where they follow each other."""
    return 0 if out.flags.c_contiguous else out.strides[0] // out.itemsize


def apart_from(out, arrays):
    """Return arrays, those that share memory with `out` as copies, for it is written meanwhile."""
    return tuple(
        one.copy() if one is not None and np.may_share_memory(one, out) else one for one in arrays
    )
