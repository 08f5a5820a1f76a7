"""The boundary between the user's input and the kernels, where every rung checks its arguments.

Vertices are an (N, 2) float64 array with columns x and y. A mask is a (rows, cols) uint8 array,
indexed ``mask[y, x]``. Samples lie at integer coordinates, and y grows downwards.
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

MOST_THREADS = 1024  # with far more, OpenMP ends the process; the engine has its own limit
OPENMP_THREADS, MOST_IN_OPENMP = "OMP_NUM_THREADS", 2**31 - 1
INTEGER = re.compile(r"\s*\+?\d{1,10}\s*", re.ASCII)
SET_THREADS = "set it to a number of threads, or unset it"
# In native byte order; a comparison with the type np.float64 would take three times as long.
FLOAT64 = np.dtype(np.float64)
NOT_SEQUENCES = str, bytes, bytearray, memoryview, set, frozenset  # although iterable
NOT_PAIRS = *NOT_SEQUENCES, Mapping

_forked = False


def _note_fork():
    global _forked  # noqa: PLW0603, it is set once
    _forked = True


# fork copies OpenMP's record of its threads but not the threads, so a parallel loop would wait for
# them forever. (The engine restarts its own threads.) Windows has no fork.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_fork)


def check(
    vertices: ArrayLike, shape: Pair, border_value: Flag = True
) -> tuple[NDArray[np.float64], tuple[int, int], bool]:
    """Check and convert the arguments of ``make_mask``.

    Parameters
    ----------
    vertices : array_like, shape (N, 2) or (2 * N,)
        Columns x and y in pixels, or a flat sequence x, y, x, y, ... as in COCO; N >= 3, all
        finite. They are converted once and never written to.
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
        If `vertices` is not a polygon, or `shape` is not that of an image.
    """
    if border_value is None:
        raise ValueError("border_value must be True or False here; polygon_mask also accepts None")
    return check_vertices(vertices), check_shape(shape), check_flag(border_value, "border_value")


def check_vertices(vertices, flat=True):
    """Convert `vertices` to a C-contiguous (N, 2) float64 array; see `check` and `as_points`."""
    vertices = as_vertices(vertices, flat)
    if not np.isfinite(vertices).all():
        refuse_not_finite(vertices)
    return vertices


def as_vertices(vertices, flat=True):
    """Convert like `check_vertices`, for callers whose compiled code checks for NaN itself."""
    array = as_points(vertices, "vertices", flat)
    if len(array) < 3:
        raise ValueError(f"a polygon needs at least 3 vertices, got shape {array.shape}")
    return array


def check_points(points):
    """Convert any number of finite points to a C-contiguous (M, 2) float64 array."""
    is_list = isinstance(points, (list, tuple))
    if (is_list and not points) or getattr(points, "shape", None) == (0,):
        points = np.empty((0, 2))  # an empty array may lack columns
    points = as_points(points, "points")
    if not np.isfinite(points).all():
        refuse_not_finite(points, "point")
    return points


def as_points(points, name, flat=False):
    """Convert pairs of real numbers to a C-contiguous (M, 2) float64 array.

    With `flat`, they may also be a flat sequence x, y, x, y, ... of at least three pairs, or a list
    with one such sequence.
    """
    if type(points) is not np.ndarray:
        refuse_masked(points, name)
    try:
        array = np.asarray(points)
    except ValueError as error:  # replaces NumPy's message about inhomogeneous parts
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
    if dtype.kind != "O" and dtype.itemsize <= 8:
        return array.astype(FLOAT64, order="C")
    try:
        with np.errstate(all="ignore"):  # a long double may overflow; infinity is refused later
            return as_contiguous(array, np.float64)
    except OverflowError:
        raise ValueError(f"{name} contain a coordinate too large for float64") from None


def refuse_masked(array, name):
    """Refuse a `numpy.ma.MaskedArray` with masked elements: its mask would be ignored."""
    rows = array if isinstance(array, (list, tuple)) else ()
    if any(isinstance(row, np.ma.MaskedArray) and np.ma.is_masked(row) for row in (array, *rows)):
        raise ValueError(f"part of {name} is masked: remove that part, or fill it with .filled()")


def as_contiguous(array, dtype=None):
    """Return the array, or a copy, that is C-contiguous and aligned for compiled code."""
    return np.require(array, dtype, ["C_CONTIGUOUS", "ALIGNED", "ENSUREARRAY"])


def as_zeros_and_ones(array):
    """Return a bool array whose bytes are 0 and 1, copied if True has other bytes.

    A view as bool may have any bytes, but compiled code adds and compares them.
    """
    raw_bytes = array.view(np.uint8)
    return raw_bytes != 0 if raw_bytes.max(initial=0) > 1 else array


def refuse_not_finite(points, name="vertex"):
    """Raise the error that names the first point that is not finite."""
    first = int((~np.isfinite(points)).any(axis=1).argmax())
    x, y = points[first].tolist()
    raise ValueError(f"{name} {first} is not finite: ({x}, {y})")


def check_shape(shape, first=None, name="shape"):
    """Convert `shape` to (rows, cols), two Python ints; see `check`.

    `first` is the caller's first argument: if it is a shape, the error reports swapped arguments.
    """
    try:
        if type(shape) is not tuple and isinstance(shape, NOT_PAIRS):
            raise TypeError
        rows, cols = shape
        rows, cols = operator.index(rows), operator.index(cols)
    except (TypeError, ValueError):
        if first is not None and _is_shape(first):
            text = "the arguments are swapped: the polygon comes first, then the shape"
            raise ValueError(text) from None
        hint = "; pass its shape" if getattr(shape, "ndim", 0) == 2 else ""
        text = f"{name} must be two integers (rows, cols), got {quote(shape)}{hint}"
        raise ValueError(text) from None
    if rows < 0 or cols < 0:
        raise ValueError(f"{name} must not be negative, got {quote((rows, cols))}")
    if rows * cols > sys.maxsize or rows > sys.maxsize or cols > sys.maxsize:
        raise ValueError(f"a mask of shape {quote((rows, cols))} exceeds the address space")
    return rows, cols


def _is_shape(argument):
    try:
        check_shape(argument)
    except ValueError:
        return False
    return True


def check_integer(number, name):
    """Convert an integer of any type to a Python int."""
    try:
        return operator.index(number)
    except TypeError:
        raise ValueError(f"{name} must be an integer, got {quote(number)}") from None


def check_threads(threads):
    """Return the number of threads, or 0 for None, which means the fastest number."""
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
    """Refuse an OMP_NUM_THREADS that OpenMP cannot read: it would print a warning, use all cores.

    A list such as 4,2 is valid: the threads of a team, and of the teams nested in it. So is a
    number above `MOST_THREADS`, but only `MOST_THREADS` are started.
    """
    text = os.environ.get(OPENMP_THREADS, "1")
    if not all(_counts_threads(number, MOST_IN_OPENMP) for number in text.split(",")):
        reason = f"{OPENMP_THREADS}={error_text.named(text)} is not a number of threads"
        raise BadSetting(reason, SET_THREADS)


def _counts_threads(text, most):
    return INTEGER.fullmatch(text) is not None and 1 <= int(text) <= most


def check_team(threads):
    """Return the number of threads for OpenMP or Numba: 1 in a forked process."""
    number = check_threads(threads)
    return 1 if _forked else number


def check_flag(flag, name, allowed="True or False"):
    """Convert a flag, which is a bool or a number, to bool; refuse text and arrays."""
    if flag is True or flag is False:
        return flag
    if not isinstance(flag, (numbers.Real, np.bool_)):
        raise ValueError(f"{name} must be {allowed}, got {quote(flag)}")
    return bool(flag)


def check_choice(choice, choices, name):
    """Return `choice` if it is one of `choices`; otherwise raise an error."""
    if not isinstance(choice, str) or choice not in choices:
        quoted = [f'"{word}"' for word in choices]
        allowed = " or ".join([", ".join(quoted[:-1]), quoted[-1]])
        raise ValueError(f"{name} must be {allowed}, got {quote(choice)}")
    return choice


def as_dtype(dtype, allowed):
    """Convert `dtype` to a NumPy dtype; errors name the `allowed` ones."""
    try:
        return np.dtype(dtype)
    except (TypeError, ValueError, KeyError, SyntaxError, OverflowError):  # NumPy parses strings
        raise ValueError(f"dtype must be {allowed}, got {quote(dtype)}") from None


def check_number(number, name):
    """Convert a real number, a bool or a 0-dimensional array to a Python number."""
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
    """Return whether `order` is "rc", row and column, rather than "xy"."""
    if type(order) is str and order == "xy":
        return False
    return check_choice(order, ("xy", "rc"), "order") == "rc"
