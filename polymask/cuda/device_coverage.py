"""The public function for the fraction of each pixel that a polygon covers, on a GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polymask.common.twins import twin_of
from polymask.cuda import device_polygons, nvrtc
from polymask.cuda.cupy_library import with_device
from polymask.cuda.device_arrays import (
    as_device_array,
    as_out,
    is_on_device,
    on,
    result_array,
    strides_of,
    upright,
)
from polymask.forms import geometry
from polymask.forms.ragged import from_parts
from polymask.masks import _coverage
from polymask.masks import coverage as fractions
from polymask.masks.coverage import FARTHEST, FLOAT32

if TYPE_CHECKING:
    from polymask.hints import Flag, Pair, Polygon

TOO_FAR = "fractions at its edges would be wrong"
ENOUGH = 1 << 20  # items that keep the largest device busy
FEWEST = 32  # items that share an edge, or a narrow row
NARROW = 256  # columns up to which a row needs few items
RUN, MANY = 8, 16  # columns of an item, and items whose sums are added, as in csrc/fractions.cl


class Part(NamedTuple):
    """A polygon: its first point, the number of its edges, and the rows and columns it reaches."""

    first: int
    edges: int
    rows: slice
    cols: slice


class Grid(NamedTuple):
    """Where the pixels of an image lie."""

    shape: tuple[int, int]
    offset: tuple[int, int]
    shift: float  # from coordinates to those of the borders of pixels


@twin_of(fractions.coverage, without=("subpixels",))
def coverage(
    polygon: Polygon,
    shape: Pair | None = None,
    *,
    out: Any = None,
    stream: Any = None,
    check: Flag = True,
    **options: Any,
) -> Any:
    """Return the fraction of each pixel that a polygon covers, in the memory of the current GPU.

    Parameters
    ----------
    polygon : array_like, sequence of array_like, mapping, object, or device array
        As for `polymask.coverage`, or an (N, 2) array of vertices on the device, or a list of such
        rings, which are copied to the host. An array on the device excludes `transform`.
    out : device array, optional
        Float32 array of that shape to write to, as for `polygon_mask`.
    stream, check
        As for `polygon_mask`.

    Returns
    -------
    cupy.ndarray, shape (rows, cols), float32
        Areas, 0 to 1. The array `out`, if given.

    Raises
    ------
    TypeError, ValueError, MemoryError, polymask.common.errors.Unavailable
        As `polygon_mask`. Nothing is written if the polygon or an option is invalid.

    Notes
    -----
    Areas are integers, which threads add in any order: each run gives the values of the CPU, to the
    bit. They are summed in the result's memory; several parts need up to 12 bytes per pixel more.
    The CPU determines which rings are holes.

    Examples
    --------
    >>> from polymask import cuda
    >>> cuda.coverage([(0, 0), (3, 0), (3, 1.5), (0, 1.5)], (3, 4), center=True)
    array([[1. , 1. , 1. , 0. ],
           [0.5, 0.5, 0.5, 0. ],
           [0. , 0. , 0. , 0. ]], dtype=float32)
    """
    view = fractions.view_of_squares(polygon, shape, **options)
    shape = view.shape
    grid = Grid(shape, view.sampling.offset, 0.0 if view.sampling.center else 0.5)
    _check_window(grid)
    with on(stream):
        array = as_out(out)
        points, parts = _prepare(polygon, view, check, grid)
        array = result_array(array, shape, FLOAT32)
        image = upright(array, view)
        if len(parts) <= 1:
            image[...] = 0
            for part in parts:
                _sum(points, part, grid, image[part.rows, part.cols])
        elif array.size:
            _sum_parts(points, parts, grid, image)
        array = view.turned(image, array)
    return array if out is None else out


def _check_window(grid):
    """Refuse a window in which borders of pixels are not exact."""
    for offset, size in zip(grid.offset, grid.shape, strict=True):
        if 0 not in grid.shape and not -(2**FARTHEST) <= offset <= 2**FARTHEST - size:
            raise ValueError(
                f"offset: {grid.offset} plus the shape {grid.shape} is beyond 2^{FARTHEST}"
            )


def _prepare(polygon, view, check, grid):
    """Return points on the device, with outer rings in one direction, and a list of Parts."""
    if is_on_device(polygon):
        prepared = device_polygons.of_polygon(polygon, view, check)
        vertices = prepared.source.vertices
        if check and float(abs(vertices).max()) > 2.0**FARTHEST:
            geometry.check_near(vertices.get(), FARTHEST, TOO_FAR)
        whole = (slice(0, size) for size in grid.shape)
        return prepared.points, [Part(0, len(prepared.points) - 1, *whole)]
    if isinstance(polygon, list):
        polygon = [as_device_array(a, "ring").get() if is_on_device(a) else a for a in polygon]
    polygons, parts, first = [], [], 0
    for vertices, starts in view.single(polygon).polygons():
        geometry.check_near(vertices, FARTHEST, TOO_FAR)
        polygons.append(geometry.Rings(_in_one_direction(vertices, starts), starts))
        count = len(vertices) + 2 * (1 if starts is None else len(starts))
        parts.append(Part(first, count - 1, *_reached(vertices, grid)))
        first += count
    return device_polygons.prepare(from_parts([polygons])).points, parts


def _in_one_direction(vertices, starts):
    """Return the vertices with outer rings in one direction, and holes in the other."""
    if starts is None or len(starts) == 1:
        return vertices
    rings = np.split(vertices, starts[1:])
    turns = _coverage.orientations(vertices, starts)
    return np.concatenate([ring[::turn] for ring, turn in zip(rings, turns, strict=True)])


def _reached(vertices, grid):
    """Return the rows and columns of an image that a polygon can cover, as two slices."""
    low, high = np.floor(vertices.min(axis=0)) - 1, np.floor(vertices.max(axis=0)) + 3
    for axis in (0, 1):
        ends = (int(v[1 - axis]) - grid.offset[axis] for v in (low, high))
        yield slice(*(min(max(end, 0), grid.shape[axis]) for end in ends))


def _sum_parts(points, parts, grid, out):
    """Write the exact sum of several polygons, limited to 1 and then rounded."""
    cupy = with_device()
    totals = cupy.zeros(grid.shape)
    for part in parts:
        window = totals[part.rows, part.cols]
        _sum(points, part, grid, cupy.zeros(window.shape, FLOAT32), window)
    out[...] = cupy.minimum(totals, 1)


def _sum(points, part, grid, fractions, totals=None):
    """Turn zeros into the fractions of a polygon, or add these to `totals`, in its window."""
    rows, cols = fractions.shape
    if not fractions.size:
        return
    sums = fractions.view(np.uint32)
    items = max(FEWEST, min(ENOUGH // part.edges, rows))
    first = (o + s.start for o, s in zip(grid.offset, (part.rows, part.cols), strict=True))
    pitch = np.int64(strides_of(sums)[0])
    nvrtc.per_item(
        "add_edges", part.edges * items,
        points, np.int64(part.first), np.int64(part.edges), np.int32(items), np.float64(grid.shift),
        *map(np.int64, (*first, rows, cols)), sums, pitch,
    )  # fmt: skip
    items = FEWEST if cols <= NARROW else nvrtc.ITEMS
    results = sums if totals is None else totals
    nvrtc.per_group(
        "sum_rows", rows, items, 4 * (items + items // MANY + RUN * items * 33 // 32),
        sums, pitch, np.int64(cols), np.int32(totals is not None),
        results, np.int64(strides_of(results)[0]),
    )  # fmt: skip
