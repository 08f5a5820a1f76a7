"""The border between the user's input and the kernels: every rung checks here, and only here.

The convention: vertices are (N, 2) float64, columns x and y; a mask is
(rows, cols) uint8, indexed ``mask[y, x]``; sample points are the integers, and y grows downwards.
"""

from __future__ import annotations

import numbers
import operator
import os
import re
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from polymask.common import error_text
from polymask.common.error_text import quote
from polymask.common.errors import BadSetting as BadSetting  # noqa: PLC0414, exported
from polymask.common.errors import Unavailable as Unavailable  # noqa: PLC0414

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from polymask.hints import Flag, Pair

MOST_THREADS = 1024  # far more make OpenMP end the process; the engine limits them by itself
OPENMP_THREADS, MOST_IN_OPENMP = "OMP_NUM_THREADS", 2**31 - 1
A_COUNT = re.compile(r"\s*\+?\d{1,10}\s*", re.ASCII)
SET_THREADS = "set it to a number of threads, or unset it"
# In native byte order; a comparison with the type np.float64 would take three times as long.
FLOAT64 = np.dtype(np.float64)
NO_SEQUENCES = str, bytes, bytearray, memoryview, set, frozenset  # though they can be iterated
NO_PAIRS = *NO_SEQUENCES, Mapping

_forked = False


def _note_fork():
    global _forked  # noqa: PLW0603, a process is forked once for all
    _forked = True


# fork copies OpenMP's record of its threads, but not the threads, so a parallel loop would wait
# for them forever. (The engine starts its own again.) Windows has no fork.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_fork)


def check(
    vertices: ArrayLike, shape: Pair, border_value: Flag = True
) -> tuple[NDArray[np.float64], tuple[int, int], bool]:
    """Check and convert the arguments of ``make_mask``.

    Parameters
    ----------
    vertices : array_like, shape (N, 2) or (2 * N,)
        Columns x and y in pixels, or flat as in COCO, x, y, x, y, ...; N >= 3, finite. Converted
        once, never written to.
    shape : tuple of int
        Rows and columns of the mask.
    border_value : bool
        The value of a pixel that equals a vertex.

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
    if border_value is None:
        raise ValueError("border_value must be True or False here; polygon_mask also accepts None")
    return check_vertices(vertices), check_shape(shape), check_flag(border_value, "border_value")


def check_vertices(vertices, flat=True):
    """Return `vertices` as a C-contiguous (N, 2) float64 array; see `check`, `as_points`."""
    vertices = as_vertices(vertices, flat)
    if not np.isfinite(vertices).all():
        refuse_not_finite(vertices)
    return vertices


def as_vertices(vertices, flat=True):
    """Convert as `check_vertices` does, for callers whose compiled code checks for NaN itself."""
    array = as_points(vertices, "vertices", flat)
    if len(array) < 3:
        raise ValueError(f"a polygon has 3 vertices or more, got shape {array.shape}")
    return array


def check_points(points):
    """Return `points`, any number of them, as a C-contiguous (M, 2) float64 array, all finite."""
    is_list = isinstance(points, (list, tuple))
    if (is_list and not points) or getattr(points, "shape", None) == (0,):
        points = np.empty((0, 2))  # an empty array may lack columns
    points = as_points(points, "points")
    if not np.isfinite(points).all():
        refuse_not_finite(points, "point")
    return points


def as_points(points, name, flat=False):
    """Return pairs of real numbers as a C-contiguous (M, 2) float64 array.

    With `flat` they may be x, y, x, y, ..., three pairs or more, or a list of one such ring.
    """
    if type(points) is not np.ndarray:
        refuse_masked(points, name)
    try:
        array = np.asarray(points)
    except ValueError as error:  # NumPy's message is about sequences and inhomogeneous parts
        error_text.refuse_rows(points, name, error)
    dtype, shape = array.dtype, array.shape
    if dtype.kind not in "iuf":
        error_text.refuse_not_real(points, array, name)
    if len(shape) == 3 and shape[1:] == (1, 2):  # OpenCV's contours
        array, shape = array[:, 0], (shape[0], 2)
    if len(shape) != 2 or shape[1] != 2:
        if not flat or not error_text.is_flat(shape):
            error_text.refuse_shape(shape, name)
        ring = points[0] if isinstance(points, (list, tuple)) and len(points) == 1 else points
        if array.itemsize == 1 and not isinstance(ring, (list, tuple, np.ndarray)):
            error_text.refuse_kind(ring, name)  # such as WKB, whose bytes are not coordinates
        array = array.reshape(-1, 2)
    flags = array.flags
    if dtype == FLOAT64 and flags.c_contiguous and flags.aligned:
        return array
    try:
        with np.errstate(all="ignore"):  # a long double may overflow; infinity is refused later
            return as_read(array, np.float64)
    except OverflowError:
        raise ValueError(f"{name} hold a coordinate too large for float64") from None


def refuse_masked(array, name):
    """Refuse a `numpy.ma.MaskedArray` with masked elements, as its mask would be ignored."""
    rows = array if isinstance(array, (list, tuple)) else ()
    if any(isinstance(row, np.ma.MaskedArray) and np.ma.is_masked(row) for row in (array, *rows)):
        raise ValueError(f"part of {name} is masked: leave it out, or fill it (.filled())")


def as_read(array, dtype=None):
    """Return an array, or a copy of it, that is C-contiguous and aligned for compiled code."""
    return np.require(array, dtype, ["C_CONTIGUOUS", "ALIGNED", "ENSUREARRAY"])


def as_zeros_and_ones(array):
    """Return an array of bool whose bytes are 0 and 1, as a copy if it has other bytes for True.

    A view as bool may have any bytes, while compiled code adds and compares them.
    """
    raw_bytes = array.view(np.uint8)
    return raw_bytes != 0 if raw_bytes.max(initial=0) > 1 else array


def refuse_not_finite(points, name="vertex"):
    """Raise the error that names the first of `points` that is not finite."""
    first = int((~np.isfinite(points)).any(axis=1).argmax())
    x, y = points[first].tolist()
    raise ValueError(f"{name} {first} is not finite: ({x}, {y})")


def check_shape(shape, first=None, name="shape"):
    """Return `shape` as (rows, cols), two Python ints; see `check`.

    If the caller's `first` argument is a shape instead, the error reports swapped arguments.
    """
    try:
        if type(shape) is not tuple and isinstance(shape, NO_PAIRS):
            raise TypeError
        rows, cols = shape
        rows, cols = operator.index(rows), operator.index(cols)
    except (TypeError, ValueError):
        if first is not None and _is_shape(first):
            text = "the polygon comes first, then the shape: they are swapped"
            raise ValueError(text) from None
        hint = "; give its shape" if getattr(shape, "ndim", 0) == 2 else ""
        text = f"{name} must be two integers (rows, cols), got {quote(shape)}{hint}"
        raise ValueError(text) from None
    if rows < 0 or cols < 0:
        raise ValueError(f"{name} must not be negative, got {quote((rows, cols))}")
    if rows * cols > sys.maxsize or rows > sys.maxsize or cols > sys.maxsize:
        raise ValueError(f"a mask of shape {quote((rows, cols))} is beyond the address space")
    return rows, cols


def _is_shape(argument):
    try:
        check_shape(argument)
    except ValueError:
        return False
    return True


def check_integer(number, name):
    """Return a number as a Python int."""
    try:
        return operator.index(number)
    except TypeError:
        raise ValueError(f"{name} must be an integer, got {quote(number)}") from None


def check_threads(threads):
    """Return the number of threads, 0 for None, which means the fastest number."""
    if threads is None:
        return 0
    number = check_integer(threads, "threads")
    if not 1 <= number <= MOST_THREADS:
        raise ValueError(f"threads must be 1 to {MOST_THREADS}, got {quote(number)}")
    return number


def check_threads_setting(variable, text):
    """Return the number of threads in an environment variable, or raise `BadSetting`."""
    if not _counts_threads(text, MOST_THREADS):
        reason = f"{variable}={error_text.named(text)} is not 1 to {MOST_THREADS}"
        raise BadSetting(reason, SET_THREADS)
    return int(text)


def check_openmp_setting():
    """Refuse an OMP_NUM_THREADS that OpenMP cannot read; it would print that, and use all cores.

    A list such as 4,2 is valid: the threads of a team, and of teams within it. So is a number above
    `MOST_THREADS`, of which that many are started.
    """
    text = os.environ.get(OPENMP_THREADS, "1")
    if not all(_counts_threads(number, MOST_IN_OPENMP) for number in text.split(",")):
        reason = f"{OPENMP_THREADS}={error_text.named(text)} is not a number of threads"
        raise BadSetting(reason, SET_THREADS)


def _counts_threads(text, most):
    return A_COUNT.fullmatch(text) is not None and 1 <= int(text) <= most


def check_team(threads):
    """Return the number of threads of OpenMP or Numba, which is 1 in a forked process."""
    number = check_threads(threads)
    return 1 if _forked else number


def check_flag(flag, name, allowed="True or False"):
    """Return whether a flag, a bool or a number, is set; refuse text and arrays."""
    if flag is True or flag is False:
        return flag
    if not isinstance(flag, (numbers.Real, np.bool_)):
        raise ValueError(f"{name} must be {allowed}, got {quote(flag)}")
    return bool(flag)


def check_choice(choice, choices, name):
    """Return a choice if it is one of several words, else raise."""
    if not isinstance(choice, str) or choice not in choices:
        quoted = [f'"{word}"' for word in choices]
        allowed = " or ".join([", ".join(quoted[:-1]), quoted[-1]])
        raise ValueError(f"{name} must be {allowed}, got {quote(choice)}")
    return choice


def as_dtype(dtype, allowed):
    """Return a NumPy dtype; errors name the `allowed` ones."""
    try:
        return np.dtype(dtype)
    except (TypeError, ValueError, KeyError, SyntaxError, OverflowError):  # NumPy parses texts
        raise ValueError(f"dtype must be {allowed}, got {quote(dtype)}") from None


def check_number(number, name):
    """Return a real number or bool, or an array of one without axes, as a Python number."""
    refuse_masked(number, name)
    if isinstance(number, np.bool_) or (isinstance(number, np.ndarray) and not number.ndim):
        number = number.item()
    if not isinstance(number, numbers.Real):
        raise TypeError(f"{name} must be a real number, got {quote(number)}")
    try:
        return int(number) if isinstance(number, numbers.Integral) else float(number)
    except OverflowError:
        raise ValueError(f"{name} is too large for float64") from None


def check_order(order):
    """Return whether coordinates come as rows and columns, "rc", not as "xy"."""
    if type(order) is str and order == "xy":
        return False
    return check_choice(order, ("xy", "rc"), "order") == "rc"
