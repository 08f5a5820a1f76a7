"""The public function for one polygon: its exact mask on an image, from the C++ engine.

A vertex is (x, y) in pixels: x runs along a row, y down the rows; `order="rc"` swaps them. A mask
is indexed ``mask[row, column]``. Samples lie at integer coordinates. A sample is inside if a ray
from it crosses the edges an odd number of times (even-odd rule). A sample on a vertex has the value
`border_value`; if that is None, the edges decide. The result is the same on every processor, bit
for bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polymask import contract
from polymask.forms import geometry
from polymask.maps.georeference import AS_IT_IS
from polymask.masks import _engine, touched
from polymask.masks.output import BOOL, UINT8, check_dtype, check_out
from polymask.masks.sampling import DEFAULT, check_sampling
from polymask.masks.view import view_of, with_options

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from polymask.hints import DType, Flag, Options, Pair, Polygon

PLACING = {"order", "transform"}  # options that change vertices


@with_options()
def polygon_mask(
    polygon: Polygon,
    shape: Pair | None = None,
    *,
    out: NDArray[Any] | None = None,
    dtype: DType = None,
    packed: Flag = False,
    **options: Unpack[Options],
) -> NDArray[Any]:
    """Return the mask of a polygon on an image.

    Parameters
    ----------
    polygon : array_like, sequence of array_like, mapping, or object
        Finite vertices in pixels: an (N, 2) array, or a flat sequence x, y, x, y, ... as in COCO; a
        sequence of rings, each an (N, 2) array (outer rings and holes alike: the even-odd rule
        covers all edges); a GeoJSON-like mapping (Polygon, MultiPolygon, Feature, or
        GeometryCollection of polygons); or an object with `__geo_interface__`, such as a shapely
        geometry. The last vertex is joined to the first, and may repeat it. The mask of a
        MultiPolygon or collection is the OR of its polygons' masks.
        Several flat rings are refused because COCO takes their union: for that, use
        `polygon_masks(rings, shape).any(axis=0)`. Flat sequences have no z: x, y, z, x, y, z, ...
        would be read as pairs.
    shape : tuple of int
        (rows, cols), whatever the `order`. It may be omitted if `transform` has a grid.
    out : ndarray, optional
        Array of that shape, uint8 or bool, to write the mask to. It must be C-contiguous, or a view
        with contiguous rows, such as ``image[10:20, 5:50]``. Every element is written.
    dtype : {bool, uint8}, optional
        The dtype of the result. If None, it is that of `out`, or bool without `out`.
    order : {"xy", "rc"}
        The meaning of the columns of the vertices: x and y, or row and column.
    border_value : bool or None
        The value of a sample that equals a vertex. If None, the edges decide, as for any other
        sample. If polygons tile the plane, such as Voronoi cells or triangles with integer
        vertices, every sample is then in exactly one of them, even a sample on a vertex.
        (Real-valued vertices also need `watertight`.)
    center : bool
        Sample at (x + 0.5, y + 0.5), the centres of the pixels if pixel 0 extends from 0 to 1.
    offset : tuple of int
        (row, column) of the mask's first sample, for a window of a larger image. If windows tile an
        image, their masks equal the mask of the image, bit for bit.
    packed : bool
        Return uint8 with 8 pixels per byte, as `numpy.packbits(mask, axis=1, bitorder="little")`.
    watertight : bool
        Compute the crossings of an edge from its end with the smaller y, whatever the direction of
        the edge. If polygons share their edges, each sample off the vertices is then in exactly one
        of them. Vertices at integers or half-integers do not need this option. See Notes.
    all_touched : {False, True, "closed", "open"}
        Instead of testing samples, select all pixels whose square the polygon touches, with an edge
        or its interior. The square is that of `coverage`: centred on the sample, or from 0 to 1
        with `center`. "closed", or True, includes the border of the square; "open" excludes it. The
        test is exact: `border_value` and `watertight` have no effect. See docs/all_touched.md.
    threads : int, optional
        Number of threads, 1 to 1024; at most four per core are started, because more do not help.
        If None: one thread below about half a million pixels, otherwise one per available core
        (limited by OMP_NUM_THREADS, CPU affinity and the CPU quota of a container), even in a
        forked process.
    transform : sequence of six or nine numbers, Affine, xarray object, or open raster; optional
        The place of the image on a map, in whose coordinates the vertices then are: rasterio's
        (a, b, c, d, e, f), from pixels to the map (x = a column + b row + c, y = d column + e row +
        f), not GDAL's order; or an open raster of rasterio, or a DataArray or Dataset with evenly
        spaced coordinates named x, lon or longitude, and y, lat or latitude, which also have the
        `shape`. Samples are then the centres of pixels, `border_value` is None and `watertight`
        True unless given, and sides on samples are treated as by `rasterize`: see its Notes. Its
        treatment of poles, and the longitudes of `rasterize_like`, are not available here.

    Returns
    -------
    ndarray, shape (rows, cols), bool or uint8
        If packed, shape (rows, (cols + 7) // 8), uint8. The array `out`, if given.

    Raises
    ------
    TypeError
        If the vertices are not real numbers.
    ValueError
        If the polygon, the shape, `out` or an option is invalid. Nothing is written then.
    MemoryError
        If the mask does not fit into memory. The content of `out` is then undefined.

    Notes
    -----
    By default, a crossing is computed from the edge in its given direction. If two polygons share
    an edge between real-valued vertices, in opposite directions, its crossing may be rounded to
    different sides of a sample, which is then in both polygons or in neither. With `watertight`,
    both polygons compute the same number. A sample of an area that polygons tile, off their
    vertices, is then in an odd number of them: always in at least one, and in three only where a
    polygon is thinner than the rounding error of its crossings, about 2**-50 of their coordinates.
    Neighbours must share whole edges: a vertex in the middle of another polygon's edge is a gap in
    the input. Samples on vertices have the value `border_value` in each polygon; with None they are
    like all others. `watertight` has no measurable cost. It is not the default because all
    implementations in this project agree, bit for bit, on the masks without it.

    Crossings are computed in double precision, and are no more precise than the coordinates of
    their edge: with vertices beyond 2**53 they may be off by whole pixels. Vertices beyond 2**510
    (3e153) are refused because products would overflow. Windows that reach beyond 2**53, or 2**52
    with `center`, are refused because samples would not be exact.

    Examples
    --------
    >>> import polymask
    >>> polymask.polygon_mask([(1, 1), (6, 1), (3, 4)], (5, 8), dtype="uint8")
    array([[0, 0, 0, 0, 0, 0, 0, 0],
           [0, 1, 0, 0, 0, 0, 1, 0],
           [0, 0, 1, 1, 1, 1, 0, 0],
           [0, 0, 0, 1, 1, 0, 0, 0],
           [0, 0, 0, 1, 0, 0, 0, 0]], dtype=uint8)
    """
    plain = dtype is None and out is None and packed is False
    packed = packed is not False and contract.check_flag(packed, "packed")
    dtype = BOOL if plain else check_dtype(dtype, out, packed)
    if not options or not PLACING & options.keys():
        sampling = DEFAULT
        if options:
            shape = contract.check_shape(shape, polygon)
            sampling = check_sampling(shape, **options)
        if not sampling.squares:
            mask = _engine.mask_of_pairs(polygon, shape, out, dtype, packed, sampling)
            if mask is not None:
                return mask
    view = view_of(polygon, shape, **options)
    refuse_turned(packed, view)
    is_checked = bool(view.sampling.squares) or "order" in options  # errors quote the vertices
    arrays = view.single(polygon, check=is_checked)
    if view.turn == AS_IT_IS:
        return draw(arrays, view.shape, view.sampling, dtype, packed=packed, out=out)
    if out is not None:
        check_out(out, view.shape, dtype)
    return view.turned(draw(arrays, view.shape, view.sampling, dtype), out)


def refuse_turned(packed, view):
    """Refuse packed bits of an image whose rows or columns are reversed."""
    if packed and view.turn != AS_IT_IS:
        raise ValueError(
            "packed needs a transform with rows from north to south and columns from west to east: "
            "reverse the image"
        )


def draw(arrays, shape, sampling, dtype, *, packed=False, out=None):
    """Return the mask of all polygons of a Ragged together; the arguments are checked.

    Vertices need not be, except with `all_touched`.
    """
    rows, cols = shape
    result_shape = (rows, -(-cols // 8)) if packed else shape
    if out is not None:
        check_out(out, result_shape, dtype)
    parts = list(arrays.polygons())
    if sampling.squares:
        return touched.mask(parts, shape, sampling, out, dtype, packed)
    if len(parts) == 1 and rows and cols:
        mask = _engine.mask(*parts[0], out, dtype, rows, cols, packed, sampling)
        return geometry.refuse_rings(*parts[0]) if mask is None else mask
    for part in parts:
        if not geometry.are_computable(part.vertices):
            geometry.refuse_rings(*part)
    masks = _masks_of_parts(parts, shape, packed, sampling)
    part = next(masks, None)  # an invalid setting raises its error before anything is written
    if out is None:
        out = np.zeros(result_shape, dtype)
    else:
        out[...] = 0
    while part:
        window, mask = part
        np.bitwise_or(out[window], mask.view(dtype), out=out[window])
        part = next(masks, None)
    return out


def _masks_of_parts(parts, shape, packed, sampling):
    """Yield each part's window, the pixels that it can reach, and its uint8 mask there."""
    for part in parts:
        top, bottom, left, right = _engine.bounding_box(*part, *shape, sampling)
        if packed:  # whole bytes
            left = left // 8 * 8
            right = min(-(-right // 8) * 8, shape[1])
        if top >= bottom or left >= right:
            continue
        cols = right - left
        columns = slice(left // 8, -(-right // 8)) if packed else slice(left, right)
        mask = np.empty((bottom - top, columns.stop - columns.start), np.uint8)
        row, col = sampling.offset
        window = sampling._replace(offset=(row + top, col + left))
        _engine.mask(*part, mask, UINT8, len(mask), cols, packed, window)
        yield (slice(top, bottom), columns), mask
