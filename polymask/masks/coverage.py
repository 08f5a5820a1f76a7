"""The public function for the fraction of each pixel that a polygon covers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polymask import contract
from polymask.common.error_text import quote
from polymask.forms import geometry
from polymask.masks import _coverage
from polymask.masks.output import check_out, check_size
from polymask.masks.sampling import NO_OFFSET
from polymask.masks.view import view_of

if TYPE_CHECKING:
    from typing import SupportsIndex

    from numpy.typing import NDArray

    from polymask.hints import Flag, Order, Pair, Polygon

FRESH_ZEROS = 32 << 20  # bytes; larger new results start from pages that the kernel has zeroed
FLOAT32 = np.dtype(np.float32)
MOST_SUBPIXELS = 32
FARTHEST = 50  # power of two beyond which an edge may be off by a pixel


def coverage(
    polygon: Polygon,
    shape: Pair | None = None,
    subpixels: SupportsIndex | None = None,
    *,
    out: NDArray[np.float32] | None = None,
    order: Order = "xy",
    center: Flag = False,
    offset: Pair = NO_OFFSET,
    transform: Any = None,
) -> NDArray[np.float32]:
    """Return the fraction of each pixel's square that a polygon covers, 0 to 1.

    The square of pixel (row, col) is centred on its sample: it extends from (col - 0.5, row - 0.5)
    to (col + 0.5, row + 0.5). With `center=True` it extends from (col, row) to (col + 1, row + 1).

    Parameters
    ----------
    polygon : array_like, sequence of array_like, mapping, or object
        As for `polygon_mask`. Rings may run in either direction: a ring inside an odd number of
        others is a hole. The fractions of a MultiPolygon's parts are added, limited to 1, and then
        rounded.
    shape : tuple of int
        (rows, cols).
    subpixels : int, optional
        If None, compute the exact area, for polygons that do not cross themselves; see Notes. If 1
        to 32, divide each square into `subpixels` x `subpixels` smaller ones, and compute the share
        of their centres that are inside any polygon by the rule of `polygon_mask`.
    out : ndarray, optional
        Float32 array of that shape to write to, as for `polygon_mask`. Every element is written. A
        view with gaps between its rows needs a temporary array of its size.
    order, center, offset, transform
        As for `polygon_mask`. If windows tile an image, their fractions equal those of the image,
        bit for bit. abs(offset) + shape is at most 2**50, or with `subpixels` 2**50 / `subpixels`.

    Returns
    -------
    ndarray, shape (rows, cols), float32
        The array `out`, if given.

    Raises
    ------
    TypeError
        If the vertices are not real numbers.
    ValueError
        If the polygon, the shape, `out` or an option is invalid. Nothing is written then.
    MemoryError
        If the result or the sums, 8 bytes per pixel for several parts, do not fit into memory.

    Notes
    -----
    Areas are summed as integer multiples of 2**-31 of a square, so pixels without an edge are
    exactly 0 or 1. If polygons tile an area and share their edges, the fractions of a pixel add up
    to 1: exactly before they are rounded to float32, and to within 2**-24 per polygon afterwards.
    Apart from that rounding, the error of an edge in a pixel is less than 2**-30, or 2**-50 of its
    largest coordinate if that is more. Coordinates are limited to 2**50, where the error of a
    fraction is some hundredths; at 2**40 it is less than 0.001.

    If rings cross themselves or each other, the area by the even-odd rule is exact in pixels with
    at most two winding numbers that differ by 1, such as 0 and 1. In other pixels, at the
    crossings, the result is the distance of the mean winding number from the nearest even number:
    a value between 0 and 1, but not the area. `subpixels` has no such exception.

    Examples
    --------
    >>> import polymask
    >>> polymask.coverage([(0, 0), (3, 0), (3, 1.5), (0, 1.5)], (3, 4), center=True)
    array([[1. , 1. , 1. , 0. ],
           [0.5, 0.5, 0.5, 0. ],
           [0. , 0. , 0. , 0. ]], dtype=float32)
    """
    view = view_of_squares(
        polygon, shape, order=order, center=center, offset=offset, transform=transform
    )
    subpixels = check_subpixels(subpixels)
    arrays = view.single(polygon)
    if out is not None:
        check_out(out, view.shape, FLOAT32)
    if view.grid is None:
        return cover(arrays, view.shape, view.sampling, subpixels, out)
    return view.turned(cover(arrays, view.shape, view.sampling, subpixels), out)


def view_of_squares(polygon, shape, *, order="xy", center=False, offset=NO_OFFSET, transform=None):
    """Return the View of options that have no effect on samples."""
    options = {} if center is False else {"center": center}
    view = view_of(polygon, shape, order=order, offset=offset, transform=transform, **options)
    return view if view.grid is None else view.of_squares()


def cover(arrays, shape, sampling, subpixels, out=None):
    """Return the fractions of all polygons of a Ragged together; `subpixels` may be 0."""
    if not subpixels:
        geometry.check_near(arrays.vertices, FARTHEST, "fractions at its edges would be wrong")
    parts, where = list(arrays.polygons()), (sampling.center, sampling.offset)
    if out is None:
        check_size(shape, FLOAT32)
    is_zero = out is None and len(parts) == 1 and 4 * shape[0] * shape[1] > FRESH_ZEROS
    result = out
    if out is None or not out.flags.c_contiguous:  # copied to a view afterwards
        result = (np.zeros if is_zero else np.empty)(shape, FLOAT32)
    if 0 in shape:
        return result if out is None else out
    if not parts:
        result[...] = 0
    elif len(parts) == 1:
        _coverage.fill(*parts[0], result, subpixels, *where, is_zero)
    else:
        total = _add_parts(parts, shape, subpixels, *where)
        np.minimum(total, 1, out=result, casting="same_kind")
    if out is None or out is result:
        return result
    out[...] = result
    return out


def _add_parts(parts, shape, subpixels, center, offset):
    """Add the fractions of several polygons exactly, as multiples of a unit."""
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


def check_subpixels(subpixels):
    """Return the number of samples along a side, or 0 for areas."""
    if subpixels is None:
        return 0
    number = contract.check_integer(subpixels, "subpixels")
    if not 1 <= number <= MOST_SUBPIXELS:
        raise ValueError(f"subpixels must be 1 to {MOST_SUBPIXELS}, got {quote(number)}")
    return number
