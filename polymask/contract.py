"""The border between the user's input and the kernels: every rung checks here, and only here.

The convention once for all: vertices are (N, 2) float64, columns x and y; a mask is
(rows, cols) uint8, indexed ``mask[y, x]``; sample points are the integers, and y grows downwards.
"""

import math
import numbers
import operator
import sys

import numpy as np

__all__ = ["Unavailable", "check", "check_shape", "check_vertices"]


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
    try:
        array = np.asarray(vertices)
    except ValueError:  # NumPy's own words speak of sequences and inhomogeneous parts
        raise ValueError("vertices must have the shape (N, 2), got rows of unlike length") from None
    if array.dtype == object and not all(isinstance(v, numbers.Real) for v in array.flat):
        raise TypeError("vertices must be real numbers, got objects that are not")
    if array.dtype.kind not in "iufO":
        raise TypeError(f"vertices must be real numbers, got dtype {array.dtype}")
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(f"vertices must have the shape (N, 2), got {array.shape}")
    if len(array) < 3:
        raise ValueError(f"a polygon has 3 vertices or more, got shape {array.shape}")
    try:
        with np.errstate(over="ignore"):  # a long double may overflow: found as infinite below
            array = np.require(array, np.float64, ["C_CONTIGUOUS", "ALIGNED"])
    except OverflowError:
        raise ValueError("a coordinate is too large for float64") from None
    bad = ~np.isfinite(array).all(axis=1)
    if bad.any():
        first = int(bad.argmax())
        x, y = array[first].tolist()
        raise ValueError(f"vertex {first} is not finite: ({x}, {y})")
    return array


def check_shape(shape):
    """Return `shape` as (rows, cols), two Python ints; see `check`."""
    try:
        rows, cols = (operator.index(length) for length in shape)
    except (TypeError, ValueError):
        raise ValueError(f"shape must be two integers (rows, cols), got {shape!r}") from None
    if rows < 0 or cols < 0:
        raise ValueError(f"shape must not be negative, got {(rows, cols)}")
    if max(rows, cols, math.prod((rows, cols))) > sys.maxsize:
        raise ValueError(f"a mask of shape {(rows, cols)} is beyond the address space")
    return rows, cols
