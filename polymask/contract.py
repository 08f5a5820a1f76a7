"""The border between the user's input and the kernels: every rung checks here, and only here.

The convention once for all: vertices are (N, 2) float64, columns x and y; a mask is
(rows, cols) uint8, indexed ``mask[y, x]``; sample points are the integers, and y grows downwards.
"""

import math
import numbers
import operator
import os
import sys

import numpy as np

MOST_THREADS = 1024  # far beyond it, OpenMP ends the process
MOST_OFFSET = 2**53  # integers up to here are exact in binary64

_forked = False


def _note_fork():
    global _forked  # noqa: PLW0603, a process is forked once for all
    _forked = True


# fork copies the memory, in which OpenMP has noted its team of threads, but not the threads: a loop
# shared among them would wait for ever. Windows has no fork.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_fork)


class Unavailable(RuntimeError):
    """A rung cannot run on this machine.

    Parameters
    ----------
    reason : str
        What is missing, in one line.
    what_to_do : str, optional
        How to mend it, in one line.
    """

    def __init__(self, reason, what_to_do=""):
        super().__init__(f"{reason}: {what_to_do}" if what_to_do else reason)
        self.reason = reason
        self.what_to_do = what_to_do


def check(vertices, shape, border_value=True):
    """Check and convert the arguments of ``make_mask``.

    Parameters
    ----------
    vertices : array_like, shape (N, 2)
        Columns x and y in pixels, N >= 3, finite. Converted once, never written to.
    shape : tuple of int
        Rows and columns of the mask.
    border_value : bool
        The value of a pixel that is a vertex.

    Returns
    -------
    vertices : ndarray, shape (N, 2), float64, C-contiguous
    shape : tuple of int
        (rows, cols).
    border_value : bool

    Raises
    ------
    TypeError
        If `vertices` are not real numbers.
    ValueError
        If `vertices` or `shape` cannot describe a polygon or an image.
    """
    return check_vertices(vertices), check_shape(shape), bool(border_value)


def check_vertices(vertices):
    """Return `vertices` as a C-contiguous (N, 2) float64 array; see `check`."""
    vertices = as_vertices(vertices)
    if not np.isfinite(vertices).all():
        refuse_not_finite(vertices)
    return vertices


def as_vertices(vertices):
    """Convert as `check_vertices` does, for callers whose compiled code looks for NaN itself."""
    array = as_points(vertices, "vertices")
    if len(array) < 3:
        raise ValueError(f"a polygon has 3 vertices or more, got shape {array.shape}")
    return array


def check_points(points):
    """Return `points`, any number of them, as a C-contiguous (M, 2) float64 array, all finite."""
    points = as_points(points, "points")
    if not np.isfinite(points).all():
        refuse_not_finite(points, "point")
    return points


def as_points(points, name):
    """Return pairs of real numbers as a C-contiguous (M, 2) float64 array."""
    try:
        array = np.asarray(points)
    except ValueError:  # NumPy's own words speak of sequences and inhomogeneous parts
        raise ValueError(f"{name} must have the shape (N, 2), got rows of unlike length") from None
    if array.dtype.kind not in "iuf":
        _refuse_not_real(array, name)
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(f"{name} must have the shape (N, 2), got {array.shape}")
    flags = array.flags
    if array.dtype == np.float64 and array.dtype.isnative and flags.c_contiguous and flags.aligned:
        return array
    try:
        with np.errstate(over="ignore"):  # a long double may overflow: found as infinite later
            return np.require(array, np.float64, ["C_CONTIGUOUS", "ALIGNED"])
    except OverflowError:
        raise ValueError(f"{name} hold a coordinate too large for float64") from None


def _refuse_not_real(array, name):
    """Refuse an array of something else than real numbers; objects may be real numbers."""
    if array.dtype != object:
        raise TypeError(f"{name} must be real numbers, got dtype {array.dtype}")
    if not all(isinstance(value, numbers.Real) for value in array.flat):
        raise TypeError(f"{name} must be real numbers, got objects that are not")


def refuse_not_finite(points, name="vertex"):
    """Raise the error that names the first bad one of `points`."""
    first = int((~np.isfinite(points)).any(axis=1).argmax())
    x, y = points[first].tolist()
    raise ValueError(f"{name} {first} is not finite: ({x}, {y})")


def check_shape(shape, name="shape"):
    """Return `shape` as (rows, cols), two Python ints; see `check`."""
    try:
        rows, cols = (operator.index(length) for length in shape)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be two integers (rows, cols), got {shape!r}") from None
    if rows < 0 or cols < 0:
        raise ValueError(f"{name} must not be negative, got {(rows, cols)}")
    if max(rows, cols, math.prod((rows, cols))) > sys.maxsize:
        raise ValueError(f"a mask of shape {(rows, cols)} is beyond the address space")
    return rows, cols


def check_out(out, shape, dtype):
    """Refuse an `out` that cannot hold the mask; nothing has been written to it then."""
    if not isinstance(out, np.ndarray):
        raise ValueError(f"out must be a NumPy array, got {type(out).__name__}")
    if out.shape != shape:
        raise ValueError(f"out must have the shape {shape}, got {out.shape}")
    if out.dtype != dtype:
        raise ValueError(f"out must have the dtype {np.dtype(dtype)}, got {out.dtype}")
    if not out.flags.c_contiguous:
        raise ValueError("out must be C-contiguous")
    if not out.flags.writeable:
        raise ValueError("out is read-only")


def check_offset(offset):
    """Return `offset` as (row, column), two Python ints that fit 64 bits."""
    try:
        row, col = (operator.index(number) for number in offset)
    except (TypeError, ValueError):
        raise ValueError(f"offset must be two integers (row, column), got {offset!r}") from None
    if max(abs(row), abs(col)) > MOST_OFFSET:
        raise ValueError(f"offset {(row, col)} is beyond 2**53: samples would not be exact")
    return row, col


def check_threads(threads):
    """Return the number of threads, 0 for None: as many as pay. In a forked process it is 1."""
    if threads is None:
        return int(_forked)
    try:
        number = operator.index(threads)
    except TypeError:
        raise ValueError(f"threads must be an integer, got {threads!r}") from None
    if not 1 <= number <= MOST_THREADS:
        raise ValueError(f"threads must be 1 to {MOST_THREADS}, got {number}")
    return 1 if _forked else number


def check_order(order):
    """Return whether coordinates come as rows and columns, "rc", not as "xy"."""
    if order not in ("xy", "rc"):
        raise ValueError(f'order must be "xy" or "rc", got {order!r}')
    return order == "rc"
