"""Back from pixels to polygons: outlines of masks and of the regions of label images.

Outlines run along the edges of pixels. Pixel (row, column) is the square from (column, row) to
(column + 1, row + 1), so corners are whole numbers, and `polygon_mask(..., center=True)` gives the
mask again, whatever it is. By the shoelace formula outer rings have a positive area and holes a
negative one, which add up to the number of pixels: as an image is seen, with y downwards, outer
rings run clockwise.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from polymask import contract
from polymask.geodata.ragged import Ragged
from polymask.masks import outline_arrays
from polymask.masks.sampling import NO_OFFSET

if TYPE_CHECKING:
    from typing import SupportsIndex

    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack

    from polymask.hints import OutlineOptions


FORMS = ("lists", "ragged", "geojson")


class Outlines(list[list[np.ndarray[tuple[Any, ...], np.dtype[np.float64]]]]):
    """Polygons, each a list of rings: what `polygon_mask` takes as one MultiPolygon.

    A ring is an array of vertices, x and y; of a polygon's rings the outer one comes first. It has
    a `__geo_interface__`, for shapely and its like.
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
    """Return the outlines of a mask: polygons with holes, on the edges of its pixels.

    ``polygon_mask(mask_to_rings(mask), mask.shape, center=True)`` is the mask again. So is the mask
    of all rings of all polygons, in one list.

    Parameters
    ----------
    mask : array_like, shape (rows, cols), bool or integer
        What is not 0 is inside. It is not copied if its rows are contiguous, in a window too.
    connectivity : {4, 8}
        What makes a region, which becomes a polygon: pixels that share a side, or those that share
        a side or a corner. With 8 a polygon may have more than one outer ring: the rings are those
        of 4, grouped anew.
    center : bool
        Pixels are squares from whole numbers to whole numbers, for `center=True` of the functions
        that make masks. If False, squares about whole numbers, with corners at halves, for
        `center=False` there.
    offset : tuple of int
        (row, column) of the mask's first pixel, for the window of a larger image.
    transform : sequence of float, optional
        An affine transform (a, b, c, d, e, f), as rasterio has it, from pixels to a map:
        x' = a x + b y + c, y' = d x + e y + f. Rings are turned round where it mirrors, so that
        outer ones have a positive area on the map.
    form : {"lists", "ragged", "geojson"}
        A list of polygons, each a list of rings; or arrays; or a GeoJSON-like mapping.

    Returns
    -------
    Outlines, tuple, or dict
        "lists": a list of polygons, by their first pixels; a polygon is a list of rings, the outer
        one first; a ring is an array of the shape (N, 2), float64, x and y of its corners alone,
        the first one not repeated. It is what `polygon_mask` takes, and has a `__geo_interface__`.
        "ragged": a `Ragged` of vertices, ring_offsets and polygon_offsets, as GeoArrow and shapely
        lay them out. "geojson": a Feature with a Polygon or a MultiPolygon.

    Raises
    ------
    TypeError
        If the mask is neither of bool nor of integers.
    ValueError
        If it is no image, or an option is bad.
    RuntimeError
        If the outlines have more than 2**32 - 2**16 corners: take windows.

    Notes
    -----
    No ring touches itself, and two rings share no more than single points: polygons of regions with
    `connectivity=4` are valid by the rules of OGC. One thread reads each pixel once, at about the
    speed of memory where neighbours are alike; a corner costs some tens of nanoseconds.

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
    found, _ = outline_arrays.trace("mask", mask, None, connectivity, center, offset, transform)
    if form == "ragged":
        return found
    polygons = _polygons(found)
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
    """Return the outlines of all regions of a label image, label by label.

    ``label_mask(list(found.values()), labels.shape, labels=list(found), center=True)`` is the image
    again, with `found` in the form "lists" and the background 0.

    Parameters
    ----------
    labels : array_like, shape (rows, cols), integer or bool
        Of any integer type. It is not copied if its rows are contiguous, in a window too.
    background : int or None
        What is outside of every region. None: every pixel belongs to one.
    connectivity, center, offset, transform
        As for `mask_to_rings`.
    form : {"lists", "ragged", "geojson"}
        Lists of polygons, arrays, or a GeoJSON-like mapping.

    Returns
    -------
    dict or tuple
        "lists": for each label, ascending, its polygons as from `mask_to_rings`.
        "ragged": a `Ragged`, and an array with the label of each of its polygons, of the dtype of
        the image in this machine's byte order; polygons come by their first pixels, row by row.
        "geojson": a FeatureCollection, a Feature for each label, which is its property `label`.

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
    how = connectivity, center, offset, transform
    found, values = outline_arrays.trace("labels", labels, background, *how)
    if form == "ragged":
        return found, values
    polygons = _polygons(found)
    by_label = {}
    for number in np.argsort(values, kind="stable").tolist():
        by_label.setdefault(int(values[number]), Outlines()).append(polygons[number])
    if form == "lists":
        return by_label
    features = [_feature(outlines, {"label": label}) for label, outlines in by_label.items()]
    return {"type": "FeatureCollection", "features": features}


def _polygons(found):
    """Return Ragged as polygons, lists of rings, each a view of the array of all vertices."""
    vertices, offsets = found.vertices, found.ring_offsets.tolist()
    rings = [vertices[start:end] for start, end in pairwise(offsets)]
    return Outlines(rings[start:end] for start, end in pairwise(found.polygon_offsets.tolist()))


def _feature(outlines, properties):
    """Return a GeoJSON Feature of all polygons."""
    geometry = outlines.__geo_interface__
    if len(geometry["coordinates"]) == 1:
        geometry = {"type": "Polygon", "coordinates": geometry["coordinates"][0]}
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def _parts(rings):
    """Return the rings of a polygon of GeoJSON: those of each outer ring, which come behind it."""
    parts = []
    for ring in rings:
        if not parts or _area(ring) > 0:
            parts.append([])
        parts[-1].append(ring)
    return parts


def _area(ring):
    """Return a number of the area's sign; from the ring's first vertex, lest large numbers cancel.

    Halves and powers of two round nothing, and keep differences and products within float64.
    """
    with np.errstate(all="ignore"):
        axes = (ring / 2 - ring[0] / 2).T
        x, y = (np.ldexp(axis, -np.frexp(np.abs(axis).max())[1]) for axis in axes)
        return float(x[:-1] @ y[1:] - x[1:] @ y[:-1])


def _closed(ring):
    """Return a ring as GeoJSON has it: pairs of numbers, the first one again at the end."""
    whole = np.abs(ring).max() < 2**63 and (np.trunc(ring) == ring).all()
    points = (ring.astype(np.int64) if whole else ring).tolist()
    return [*points, points[0]]
