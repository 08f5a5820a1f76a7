"""Polygons from pixels: outlines of masks and of the regions of label images.

Outlines run along the edges of pixels. Pixel (row, column) is the square from (column, row) to
(column + 1, row + 1), so corners have integer coordinates, and `polygon_mask(..., center=True)`
converts the outlines of any mask back to the mask. By the shoelace formula, outer rings have a
positive area and holes a negative one, and these areas add up to the number of pixels. As y grows
downwards in an image, outer rings run clockwise.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from polymask import contract
from polymask.forms.ragged import Ragged
from polymask.masks import outline_arrays
from polymask.masks.sampling import NO_OFFSET

if TYPE_CHECKING:
    from typing import SupportsIndex

    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack

    from polymask.hints import OutlineOptions


FORMS = ("lists", "ragged", "geojson")


class Outlines(list[list[np.ndarray[tuple[Any, ...], np.dtype[np.float64]]]]):
    """A list of polygons, each a list of rings; `polygon_mask` reads it as one MultiPolygon.

    A ring is an array of vertices, x and y. The outer ring of a polygon comes first. The list has a
    `__geo_interface__`, for shapely and similar libraries.
    """

    @property
    def __geo_interface__(self) -> dict[str, Any]:
        """The outlines as a GeoJSON-like MultiPolygon."""
        polygons = [[*map(_closed, part)] for rings in self for part in _parts(rings)]
        return {"type": "MultiPolygon", "coordinates": polygons}


@overload
def mask_to_rings(
    mask: ArrayLike, *, form: Literal["lists"] = "lists", **options: Unpack[OutlineOptions]
) -> Outlines: ...
@overload
def mask_to_rings(
    mask: ArrayLike, *, form: Literal["ragged"], **options: Unpack[OutlineOptions]
) -> Ragged: ...
@overload
def mask_to_rings(
    mask: ArrayLike, *, form: Literal["geojson"], **options: Unpack[OutlineOptions]
) -> dict[str, Any]: ...
def mask_to_rings(
    mask, *, connectivity=4, center=True, offset=NO_OFFSET, transform=None, form="lists"
):
    """Return the outlines of a mask: polygons with holes, along the edges of its pixels.

    ``polygon_mask(mask_to_rings(mask), mask.shape, center=True)`` equals the mask. So does the mask
    of a single list with the rings of all polygons.

    Parameters
    ----------
    mask : array_like, shape (rows, cols), bool or integer
        Nonzero pixels are inside. The mask is not copied if its rows are contiguous, even if it is
        a window of a larger array.
    connectivity : {4, 8}
        Which pixels belong to the same region, which becomes a polygon: those that share a side
        (4), or a side or a corner (8). With 8, a polygon may have several outer rings: the rings
        are the same as with 4, but grouped differently.
    center : bool
        If True, pixels are squares between integers, as in functions that compute masks with
        `center=True`. If False, they are squares around integers, with corners at half-integers.
    offset : tuple of int
        (row, column) of the mask's first pixel, for a window of a larger image.
    transform : sequence of float, optional
        An affine transform (a, b, c, d, e, f), as in rasterio, from pixels to a map:
        x' = a x + b y + c, y' = d x + e y + f. If it mirrors, rings are reversed, so that outer
        rings have a positive area on the map.
    form : {"lists", "ragged", "geojson"}
        A list of polygons, each a list of rings; or arrays; or a GeoJSON-like mapping.

    Returns
    -------
    Outlines, tuple, or dict
        "lists": a list of polygons in the order of their first pixels. A polygon is a list of
        rings, the outer one first. A ring is a float64 array of shape (N, 2) with x and y of its
        corners; the first corner is not repeated. `polygon_mask` accepts the list, which has a
        `__geo_interface__`. "ragged": a `Ragged` of vertices, ring_offsets and polygon_offsets, in
        the layout of GeoArrow and shapely. "geojson": a Feature with a Polygon or a MultiPolygon.

    Raises
    ------
    TypeError
        If the mask contains neither bool nor integers.
    ValueError
        If the mask is not two-dimensional, or an option is invalid.
    RuntimeError
        If the outlines have more than 2**32 - 2**16 corners. Use windows of the mask then.

    Notes
    -----
    No ring touches itself, and two rings share at most isolated points, so polygons with
    `connectivity=4` are valid by the rules of the OGC. A single thread reads each pixel once. Where
    neighbours are equal, it runs at about the speed of memory; each corner takes some tens of
    nanoseconds.

    Examples
    --------
    >>> import numpy as np
    >>> import polymask
    >>> mask = np.array([[1, 1, 1, 0], [1, 0, 1, 0], [1, 1, 1, 1]], bool)
    >>> for polygon in polymask.mask_to_rings(mask):
    ...     for ring in polygon:
    ...         print(ring.astype(int).tolist())
    [[0, 0], [3, 0], [3, 2], [4, 2], [4, 3], [0, 3]]
    [[1, 1], [1, 2], [2, 2], [2, 1]]
    >>> again = polymask.polygon_mask(polymask.mask_to_rings(mask), mask.shape, center=True)
    >>> bool((again == mask).all())
    True
    """
    contract.check_choice(form, FORMS, "form")
    arrays, _ = outline_arrays.trace("mask", mask, None, connectivity, center, offset, transform)
    if form == "ragged":
        return arrays
    polygons = to_lists(arrays)
    if form == "geojson":
        return _feature(polygons, {})
    return polygons


@overload
def labels_to_rings(
    labels: ArrayLike,
    *,
    background: SupportsIndex | None = 0,
    form: Literal["lists"] = "lists",
    **options: Unpack[OutlineOptions],
) -> dict[int, Outlines]: ...
@overload
def labels_to_rings(
    labels: ArrayLike,
    *,
    background: SupportsIndex | None = 0,
    form: Literal["ragged"],
    **options: Unpack[OutlineOptions],
) -> tuple[Ragged, NDArray[np.integer[Any]]]: ...
@overload
def labels_to_rings(
    labels: ArrayLike,
    *,
    background: SupportsIndex | None = 0,
    form: Literal["geojson"],
    **options: Unpack[OutlineOptions],
) -> dict[str, Any]: ...
def labels_to_rings(
    labels,
    *,
    background=0,
    connectivity=4,
    center=True,
    offset=NO_OFFSET,
    transform=None,
    form="lists",
):
    """Return the outlines of all regions of a label image, grouped by label.

    If `regions` is the result in the form "lists" with the background 0,
    ``label_mask(list(regions.values()), labels.shape, labels=list(regions), center=True)`` equals
    the image.

    Parameters
    ----------
    labels : array_like, shape (rows, cols), integer or bool
        The image. It is not copied if its rows are contiguous, even if it is a window of a larger
        array.
    background : int or None
        The label of pixels outside all regions. If None, every pixel belongs to a region.
    connectivity, center, offset, transform
        As for `mask_to_rings`.
    form : {"lists", "ragged", "geojson"}
        Lists of polygons, arrays, or a GeoJSON-like mapping.

    Returns
    -------
    dict or tuple
        "lists": a dict from each label, in ascending order, to its polygons, as from
        `mask_to_rings`. "ragged": a `Ragged` and an array with the label of each of its polygons.
        The array has the dtype of the image in native byte order. Polygons are in the order of
        their first pixels, row by row. "geojson": a FeatureCollection with one Feature per label,
        which is its property `label`.

    Raises
    ------
    TypeError, ValueError, RuntimeError
        As from `mask_to_rings`.

    Examples
    --------
    >>> import numpy as np
    >>> import polymask
    >>> labels = np.array([[5, 5, 2], [5, 0, 2]])
    >>> for label, polygons in polymask.labels_to_rings(labels).items():
    ...     print(label, [ring.astype(int).tolist() for rings in polygons for ring in rings])
    2 [[[2, 0], [3, 0], [3, 2], [2, 2]]]
    5 [[[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]]]
    """
    contract.check_choice(form, FORMS, "form")
    if background is not None:
        background = contract.check_integer(background, "background")
    options = connectivity, center, offset, transform
    arrays, values = outline_arrays.trace("labels", labels, background, *options)
    if form == "ragged":
        return arrays, values
    polygons = to_lists(arrays)
    by_label = {}
    for number in np.argsort(values, kind="stable").tolist():
        by_label.setdefault(int(values[number]), Outlines()).append(polygons[number])
    if form == "lists":
        return by_label
    features = [_feature(outlines, {"label": label}) for label, outlines in by_label.items()]
    return {"type": "FeatureCollection", "features": features}


def to_lists(arrays):
    """Convert a Ragged to lists of rings, each ring a view of the array of all vertices."""
    vertices, offsets = arrays.vertices, arrays.ring_offsets.tolist()
    rings = [vertices[start:end] for start, end in pairwise(offsets)]
    return Outlines(rings[start:end] for start, end in pairwise(arrays.polygon_offsets.tolist()))


def _feature(outlines, properties):
    """Return a GeoJSON Feature of all polygons."""
    geometry = outlines.__geo_interface__
    if len(geometry["coordinates"]) == 1:
        geometry = {"type": "Polygon", "coordinates": geometry["coordinates"][0]}
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def _parts(rings):
    """Group rings into GeoJSON polygons: each outer ring with the holes that follow it."""
    parts = []
    for ring in rings:
        if not parts or _area(ring) > 0:
            parts.append([])
        parts[-1].append(ring)
    return parts


def _area(ring):
    """Return a number with the sign of a ring's area.

    Vertices are relative to the first one, so that large numbers do not cancel. Halving and scaling
    by powers of two are exact, and keep differences and products within float64.
    """
    with np.errstate(all="ignore"):
        axes = (ring / 2 - ring[0] / 2).T
        x, y = (np.ldexp(axis, -np.frexp(np.abs(axis).max())[1]) for axis in axes)
        return float(x[:-1] @ y[1:] - x[1:] @ y[:-1])


def _closed(ring):
    """Convert a ring to GeoJSON's form: pairs of numbers, with the first pair repeated last."""
    is_integer = np.abs(ring).max() < 2**63 and (np.trunc(ring) == ring).all()
    points = (ring.astype(np.int64) if is_integer else ring).tolist()
    return [*points, points[0]]
