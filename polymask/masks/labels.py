"""Label images: many polygons painted into one array, in a defined order."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from polymask import contract
from polymask.forms import feature_values, geometry
from polymask.forms.ragged import Ragged
from polymask.maps.georeference import AS_IT_IS
from polymask.masks import _many
from polymask.masks.output import check_out, check_size, separate_from
from polymask.masks.view import view_of, with_options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import SupportsIndex

    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from polymask.hints import DType, OnInvalid, OnTop, Options, Pair, Polygons


FARTHEST = 500  # power of two up to which products of two coordinates are finite
PIECES = 200  # that an image is divided into to report progress


@with_options()
def label_mask(
    polygons: Polygons,
    shape: Pair | None = None,
    *,
    labels: Iterable[SupportsIndex] | None = None,
    out: NDArray[np.integer[Any]] | None = None,
    dtype: DType = None,
    on_top: OnTop = "last",
    progress: Callable[[int], object] | None = None,
    on_invalid: OnInvalid = "raise",
    **options: Unpack[Options],
) -> NDArray[np.integer[Any]]:
    """Return a label image, with one label per polygon.

    The pixels of a polygon are those of its mask. The image does not depend on the number of
    threads, and the image of a window equals that window of the whole image.

    Parameters
    ----------
    polygons : sequence, ndarray, GeoSeries, mapping, or tuple of ndarray
        A set of polygons in any form that `polymask.ragged.ragged` accepts: arrays, lists of rings,
        GeoJSON (also a FeatureCollection), shapely geometries, ragged arrays.
    shape : tuple of int
        (rows, cols).
    labels : sequence of int, optional
        One label per polygon, also as a column of pandas, pyarrow or polars, which must have the
        index of a GeoSeries if it is one of pandas; if None, 1, 2, 3, ...
    out : ndarray, optional
        Integer array of that shape to write to, as for `polygon_mask`. Pixels outside all polygons
        become 0.
    dtype : dtype, optional
        An integer type. If None, it is that of `out`, or otherwise the smallest of uint8, uint16,
        uint32, int64 and uint64 that holds all labels.
    on_top : {"last", "first", "smallest"}
        Which of several overlapping polygons is on top: the last one, the first one, or the one
        with the smallest area (the last of equal areas). The area is that of the whole polygon, in
        the image or not: the area of its first ring minus those of the others, and for a
        MultiPolygon the sum over its parts, even where they overlap. It is computed in float64,
        exactly for integers below 2**25; otherwise, equal areas may differ in the last digit.
        "smallest" requires coordinates of at most 2**500.
    order, border_value, center, offset, watertight, all_touched, threads, transform
        As for `polygon_mask`.
    progress : callable, optional
        Called with 1, 2, ... up to the number of polygons as the work proceeds. If it raises an
        exception, the work ends.
    on_invalid : {"raise", "skip"}
        As for `polygon_masks`: labels are those of the polygons' positions.

    Returns
    -------
    ndarray, shape (rows, cols), integer
        0 outside all polygons. The array `out`, if given.

    Raises
    ------
    TypeError, ValueError
        If a polygon or label (the message names it) or an option is invalid. Nothing is written
        then.

    Examples
    --------
    >>> import polymask
    >>> triangle = [(-0.5, -0.5), (5.5, -0.5), (-0.5, 5.5)]
    >>> square = [(1.5, 0.5), (4.5, 0.5), (4.5, 2.5), (1.5, 2.5)]
    >>> polymask.label_mask([triangle, square], (4, 6), labels=[1, 7])
    array([[1, 1, 1, 1, 1, 1],
           [1, 1, 7, 7, 7, 0],
           [1, 1, 7, 7, 7, 0],
           [1, 1, 1, 0, 0, 0]], dtype=uint8)
    """
    if on_top != "last":
        check_on_top(on_top)
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be callable, got {type(progress).__name__}")
    view = view_of(polygons, shape, **options)
    arrays = view.ragged(polygons, on_invalid)
    dtype = getattr(out, "dtype", None) if dtype is None else dtype
    labels = feature_values.labels_of(labels, polygons, arrays.features, dtype)
    if out is None:
        check_size(view.shape, labels.dtype)
    else:
        check_out(out, view.shape, labels.dtype)
        arrays = Ragged(*separate_from(out, arrays))
    if progress is not None:  # the callback may write to the caller's arrays
        arrays = arrays.copy()
    if out is None or view.turn != AS_IT_IS:
        image = draw(arrays, labels, view.shape, view.sampling, on_top, progress)
        return image if view.grid is None else view.turned(image, out)
    refuse_far(arrays, on_top)
    paint(_many.Many(arrays, view.shape, view.sampling), labels, out, on_top, progress=progress)
    return out


def draw(arrays, labels, shape, sampling, on_top, progress=None):
    """Return a new label image; the arguments are checked, and labels have its dtype."""
    refuse_far(arrays, on_top)
    out = np.zeros(shape, labels.dtype)  # pages that stay 0 are not touched
    many = _many.Many(arrays, shape, sampling)
    paint(many, labels, out, on_top, out_is_zero=True, progress=progress)
    return out


def refuse_far(arrays, on_top):
    """Refuse vertices that are so far from 0 that areas would overflow, if these are compared."""
    if on_top == "smallest":
        geometry.check_near(arrays.vertices, FARTHEST, "areas would overflow")


def paint(
    many, labels, out, on_top="last", *, keeps=False, adds=False, out_is_zero=False, progress=None
):
    """Paint polygons into an image.

    Parameters
    ----------
    many : polymask.masks._many.Many
        The polygons and their sampling options.
    labels : ndarray, shape (N,)
        One per polygon, with the dtype of `out`: 1, 2, 4 or 8 bytes of any kind.
    out : ndarray, shape (rows, cols)
        The image, checked by `check_out`.
    on_top, progress
        As for `label_mask`.
    keeps : bool
        Whether to leave pixels outside all polygons unchanged instead of setting them to 0.
    adds : bool
        Whether to add to each pixel the labels of all its polygons; for integers, float32 and
        float64.
    out_is_zero : bool
        Whether the image is already 0.
    """
    reported = 0
    if out.size:
        bits = out.dtype if adds and out.dtype.kind == "f" else f"u{out.itemsize}"
        labels, out = labels.view(bits), out.view(bits)
        row_stride = 0 if out.flags.c_contiguous else out.strides[0] // out.itemsize
        painter = _many.Painter(many, on_top, out_is_zero, row_stride)
        tiles = painter.tiles()
        pieces = 1 if progress is None else min(tiles, PIECES)
        ends = [tiles * piece // pieces for piece in range(pieces + 1)]
        for first, end in pairwise(ends):
            painter.paint(labels, out, keeps, adds, first, end)
            reported = _report(progress, reported, len(labels) * end // tiles)
    _report(progress, reported, len(labels))


def _report(progress, reported, painted):
    """Call `progress` with each number after the last one reported; return the new last one."""
    for number in range(reported + 1, painted + 1) if progress is not None else ():
        progress(number)
    return painted


def check_on_top(on_top):
    """Return which of several overlapping polygons is on top: "last", "first" or "smallest"."""
    return contract.check_choice(on_top, ("last", "first", "smallest"), "on_top")
