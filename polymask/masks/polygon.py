"""The public function of one polygon: its exact mask on an image, by the C++ engine.

Conventions. A vertex is (x, y) in pixels, x along a row, y down the rows; `order="rc"` swaps them.
A mask is indexed ``mask[row, column]``; its samples are the integers, and a sample is inside when a
ray from it crosses the edges an odd number of times (even-odd rule). A sample on a vertex takes
`border_value`, or with None what the edges say. The result is the same to the bit on every
processor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from polymask import contract
from polymask.geodata import geometry
from polymask.masks import _engine, touched
from polymask.masks.output import BOOL, UINT8, check_dtype, check_out
from polymask.masks.sampling import NO_OFFSET, check_sampling

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from polymask.hints import (
        Bool,
        DType,
        MaskOptions,
        Options,
        Out,
        Pair,
        Polygon,
        UInt8,
    )


@overload
def polygon_mask(
    polygon: Polygon, shape: Pair, *, out: Out, dtype: DType = None, **options: Unpack[MaskOptions]
) -> Out: ...
@overload
def polygon_mask(
    polygon: Polygon,
    shape: Pair,
    *,
    out: None = None,
    dtype: DType = None,
    packed: Literal[True],
    **options: Unpack[Options],
) -> NDArray[np.uint8]: ...
@overload
def polygon_mask(
    polygon: Polygon, shape: Pair, *, out: None = None, dtype: UInt8, **options: Unpack[MaskOptions]
) -> NDArray[np.uint8]: ...
@overload
def polygon_mask(
    polygon: Polygon,
    shape: Pair,
    *,
    out: None = None,
    dtype: Bool = None,
    packed: Literal[False] = False,
    **options: Unpack[Options],
) -> NDArray[np.bool_]: ...
@overload
def polygon_mask(
    polygon: Polygon,
    shape: Pair,
    *,
    out: None = None,
    dtype: DType = None,
    **options: Unpack[MaskOptions],
) -> NDArray[Any]: ...
def polygon_mask(
    polygon,
    shape,
    *,
    out=None,
    dtype=None,
    order="xy",
    border_value=True,
    center=False,
    offset=NO_OFFSET,
    packed=False,
    watertight=False,
    all_touched=False,
    threads=None,
):
    """Return the mask of a polygon on an image.

    Parameters
    ----------
    polygon : array_like, sequence of array_like, mapping, or object
        Vertices in pixels, finite: an (N, 2) array, or flat as COCO has them, x, y, x, y, ...; a
        sequence of such arrays as rings (outer rings and holes alike: even-odd over all edges); a
        GeoJSON-like mapping (Polygon, MultiPolygon, Feature); or an object with
        `__geo_interface__`, of shapely say. The last vertex joins the first, and may repeat it. The
        mask of a MultiPolygon is the OR of its polygons' masks. Several flat rings are refused:
        COCO takes their union, while rings here are even-odd. For the union use
        `polygon_masks(rings, shape).any(axis=0)`. Flat lists have no z: x, y, z, x, y, z, ... would
        be read as pairs.
    shape : tuple of int
        (rows, cols), whatever `order` says.
    out : ndarray, optional
        Array to write to: of that shape, uint8 or bool; C-contiguous, or a view of rows of such an
        array, ``image[10:20, 5:50]`` say. Every byte of it is written, and none beside it.
    dtype : {bool, uint8}, optional
        Of the result; that of `out` if None, else bool.
    order : {"xy", "rc"}
        What the columns of the vertices are: x and y, or row and column.
    border_value : bool or None
        The value of a sample that equals a vertex. None: it has none of its own, the edges decide
        as for any other sample. Of polygons that tile the plane every sample is then in exactly
        one, those on vertices too: Voronoi cells or triangles at whole pixels. (Between real-valued
        vertices, with `watertight`.)
    center : bool
        Sample at (x + 0.5, y + 0.5), the pixels' centres where pixel 0 reaches from 0 to 1.
    offset : tuple of int
        (row, column) of the mask's first sample: the window of a larger image. Windows that tile
        an image equal its mask, to the bit.
    packed : bool
        Return bits: `numpy.packbits(mask, axis=1, bitorder="little")`, uint8.
    watertight : bool
        Compute each edge's crossings from its end of smaller y, whichever way it runs: of polygons
        that share their edges, every sample off the vertices is then in one and only one. Between
        vertices at integers (or halves) that holds anyway. See Notes.
    all_touched : {False, True, "closed", "open"}
        Not samples, but pixels: all whose square the polygon touches, with an edge or its inside.
        The square is that of `coverage`: centred on the sample, or with `center` from 0 to 1.
        "closed", which True means, has its borders belong to it, "open" has not. Signs are exact:
        `border_value` and `watertight` change nothing. See docs/all_touched.md.
    threads : int, optional
        Number of threads, 1 to 1024; more than four for each core have no use, and are not started.
        If None: one below about half a million pixels, else as many as there are cores to use
        (OMP_NUM_THREADS, affinity). That holds in a forked process, too.

    Returns
    -------
    ndarray, shape (rows, cols), bool or uint8
        Or, packed, shape (rows, (cols + 7) // 8), uint8. It is `out` if that was given.

    Raises
    ------
    TypeError
        If the vertices are not real numbers.
    ValueError
        If the polygon, the shape, `out` or an option is bad. Nothing has been written then.
    MemoryError
        If there is no memory for the mask. What `out` holds then is not defined.

    Notes
    -----
    The rule computes a crossing from the edge as it is given. Of an edge between real-valued
    vertices that two polygons share, and that runs the other way in the second, the crossing may be
    rounded to the other side of a sample, which then is in both polygons or in none. With
    `watertight` both compute the same number. So a sample of an area that polygons tile, off their
    vertices, is in an odd number of them: never in none, and in three only where a polygon is
    thinner than the rounding of its crossings, some 2**-50 of their coordinates. Neighbours have to
    share whole edges: a vertex amid the other's edge is a gap in the input. Samples on vertices
    take `border_value`, in each polygon; with None they are like the others. It costs nothing that
    can be measured, and is not the default as the rule's masks are the same to the bit in every
    implementation.

    Crossings are computed in doubles, and are no finer than the coordinates of their edge: vertices
    beyond 2**53 may move them by pixels. Those beyond 2**510 (3e153) are refused, as products would
    overflow, and so are windows that reach beyond 2**53, or 2**52 with `center`: samples would not
    be exact.

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
    rows, cols = shape = contract.check_shape(shape, polygon)
    plain = dtype is None and out is None and packed is False
    packed = packed is not False and contract.check_flag(packed, "packed")
    dtype = BOOL if plain else check_dtype(dtype, out, packed)
    sampling = check_sampling(shape, border_value, center, offset, watertight, all_touched, threads)
    swap = contract.check_order(order)
    has_samples = rows and cols and not sampling.squares
    # A single array is checked by the engine's module, as NumPy takes as long as a small mask.
    is_checked = not (
        type(polygon) is np.ndarray and polygon.ndim == 2 and has_samples and not swap
    )
    if is_checked:
        parts = geometry.parts(polygon, order)
    else:
        parts = [(contract.as_vertices(polygon).copy(), None)]  # copied as `geometry.parts` does
    if sampling.squares:
        return touched.mask(parts, shape, sampling, out, dtype, packed)
    result_shape = (rows, -(-cols // 8)) if packed else shape
    if out is not None:
        check_out(out, result_shape, dtype)
    if len(parts) == 1 and has_samples:
        vertices, starts = parts[0]
        mask = _engine.mask(vertices, starts, out, dtype, rows, cols, packed, sampling, is_checked)
        return geometry.refuse_vertices(vertices) if mask is None else mask
    masks = _masks_of_parts(parts, shape, packed, sampling)
    found = next(masks, None)  # what is set badly is an error before anything is written
    if out is None:
        out = np.zeros(result_shape, dtype)
    else:
        out[...] = 0
    while found:
        window, mask = found
        np.bitwise_or(out[window], mask.view(dtype), out=out[window])
        found = next(masks, None)
    return out


def _masks_of_parts(parts, shape, packed, sampling):
    """Yield each part's mask, uint8, on the window that it can reach, and that window."""
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
