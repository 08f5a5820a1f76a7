"""The public function for fractions: how much of each pixel a polygon covers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from polymask import contract
from polymask.common.error_text import shown
from polymask.geodata import geometry
from polymask.masks import _coverage
from polymask.masks.output import check_out, check_size
from polymask.masks.sampling import NO_OFFSET, check_offset

if TYPE_CHECKING:
    from typing import SupportsIndex

    from numpy.typing import NDArray

    from polymask.hints import Flag, Order, Pair, Polygon

FRESH_ZEROS = 32 << 20  # bytes from which a fresh result starts from pages that the kernel zeroed
FLOAT32 = np.dtype(np.float32)
MOST_SUBPIXELS = 32
FARTHEST = 50  # as power of two: from there on an edge may err by a pixel


def coverage(
    polygon: Polygon,
    shape: Pair,
    subpixels: SupportsIndex | None = None,
    *,
    out: NDArray[np.float32] | None = None,
    order: Order = "xy",
    center: Flag = False,
    offset: Pair = NO_OFFSET,
) -> NDArray[np.float32]:
    """Return how much of each pixel's square a polygon covers, 0 to 1.

    The square of pixel (row, col) is centred on its sample: it reaches from (col - 0.5, row - 0.5)
    to (col + 0.5, row + 0.5). With `center=True` it reaches from (col, row) to (col + 1, row + 1).

    Parameters
    ----------
    polygon : array_like, sequence of array_like, mapping, or object
        As for `polygon_mask`. Rings may run in any direction: those inside an odd number of others
        are holes. The fractions of a MultiPolygon's parts are added, up to 1, and then rounded.
    shape : tuple of int
        (rows, cols).
    subpixels : int, optional
        1 to 32: the share of `subpixels` x `subpixels` samples of each square that are inside by
        the rule of `polygon_mask`, for any polygon. Sample k of a row or column lies
        (k + 0.5) / `subpixels` behind the beginning of the square. None: the exact area, for
        polygons that do not cross themselves; see Notes.
    out : ndarray, optional
        Float32 array of that shape to write to, as for `polygon_mask`. Every element is written; a
        view of rows takes an array of its size on the way.
    order : {"xy", "rc"}
        What the columns of the vertices are.
    center : bool
        The first pixel reaches from 0 to 1, and not from -0.5 to 0.5.
    offset : tuple of int
        (row, column) of the first pixel: the window of a larger image. Windows that tile an image
        equal its fractions, to the bit. |offset| + shape is at most 2**50, with `subpixels` that
        divided by it.

    Returns
    -------
    ndarray, shape (rows, cols), float32
        It is `out` if that was given.

    Raises
    ------
    TypeError
        If the vertices are not real numbers.
    ValueError
        If the polygon, the shape, `out` or an option is bad. Nothing has been written then.
    MemoryError
        If there is no memory for the result or the sums: of several parts 8 bytes per pixel.

    Notes
    -----
    Areas are summed as whole numbers of 2**-31 of a square. So pixels without an edge are exactly 0
    or 1, and polygons that tile an area and share their edges sum to 1 before each is rounded to
    float32: after it, within 2**-24 for each that reaches the pixel. Beside that rounding, an edge
    errs in a pixel by less than 2**-30, or by 2**-50 of its largest coordinate where that is more.
    So coordinates are at most 2**50: there fractions err by some hundredths, at 2**40 by less than
    0.001.

    Where rings cross themselves or each other, pixels are right in which at most two neighbouring
    windings meet (outside and once around, say), by the even-odd rule. In others, which are those
    at crossings, the mean winding w counts as its distance from the nearest even number: a value
    between 0 and 1, but not the area. `subpixels` has no such exception.

    Examples
    --------
    >>> import polymask
    >>> polymask.coverage([(0, 0), (3, 0), (3, 1.5), (0, 1.5)], (3, 4), center=True)
    array([[1. , 1. , 1. , 0. ],
           [0.5, 0.5, 0.5, 0. ],
           [0. , 0. , 0. , 0. ]], dtype=float32)
    """
    shape = contract.check_shape(shape, polygon)
    center = contract.check_flag(center, "center")
    offset = check_offset(offset)
    subpixels = _check_subpixels(subpixels)
    parts = geometry.parts(polygon, order)
    if not subpixels:
        for vertices, _ in parts:
            geometry.check_near(vertices, FARTHEST, "of its edges no fraction would be right")
    if out is None:
        check_size(shape, FLOAT32)
    else:
        check_out(out, shape, FLOAT32)
    is_zero = out is None and len(parts) == 1 and 4 * shape[0] * shape[1] > FRESH_ZEROS
    result = out
    if out is None or not out.flags.c_contiguous:  # a view of rows: by way of an array of its own
        result = (np.zeros if is_zero else np.empty)(shape, FLOAT32)
    if 0 in shape:
        return result if out is None else out
    if not parts:
        result[...] = 0
    elif len(parts) == 1:
        _coverage.fill(*parts[0], result, subpixels, center, offset, is_zero)
    else:
        total = _sum_of(parts, shape, subpixels, center, offset)
        np.minimum(total, 1, out=result, casting="same_kind")
    if out is None or out is result:
        return result
    out[...] = result
    return out


def _sum_of(parts, shape, subpixels, center, offset):
    """Return the fractions of several polygons added up, not rounded: whole numbers of a unit."""
    total = np.zeros(shape)
    if not subpixels:
        for rings in parts:
            _coverage.add(*rings, total, center, offset)
        return total
    part, samples = np.empty(shape, FLOAT32), subpixels**2
    for rings in parts:
        _coverage.fill(*rings, part, subpixels, center, offset, False)
        total += np.rint(part * np.float64(samples))
    return total / samples


def _check_subpixels(subpixels):
    """Return the number of samples along a side; 0 for areas."""
    if subpixels is None:
        return 0
    number = contract.check_integer(subpixels, "subpixels")
    if not 1 <= number <= MOST_SUBPIXELS:
        raise ValueError(f"subpixels must be 1 to {MOST_SUBPIXELS}, got {shown(number)}")
    return number
