"""The public function that tests whether points lie inside a polygon."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from polymask import contract
from polymask.masks import _engine
from polymask.masks.view import refuse_options, view_of, with_options

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack

    from polymask.hints import PointOptions, Polygon

NOT_FOR_POINTS = "center", "offset", "all_touched"


@with_options(without=NOT_FOR_POINTS)
def contains(
    polygon: Polygon, points: ArrayLike, **options: Unpack[PointOptions]
) -> NDArray[np.bool_]:
    """Test which points lie inside a polygon, by the rule that also defines masks.

    Parameters
    ----------
    polygon : array_like, sequence of array_like, mapping, or object
        As for `polygon_mask`.
    points : array_like, shape (M, 2)
        Any finite points, with columns in the given `order`.
    order : {"xy", "rc"}
        The meaning of the columns of the vertices and the points.
    border_value : bool or None
        The result for a point that equals a vertex; if None, the edges decide.
    watertight : bool
        As for `polygon_mask`.
    threads : int, optional
        As for `polygon_mask`.
    transform : sequence of six or nine numbers, Affine, xarray object, or open raster; optional
        As for `polygon_mask`. Vertices and points are then both coordinates of the map, and are
        converted to pixels: the result for the centre of a pixel is that of `polygon_mask`, as far
        as the centre itself is exact.

    Returns
    -------
    ndarray, shape (M,), bool

    Raises
    ------
    TypeError, ValueError
        If the polygon, the points or an option is invalid.

    Notes
    -----
    Vertices have the limits described in the Notes of `polygon_mask`. Points have none.

    Examples
    --------
    >>> import polymask
    >>> polymask.contains([(0, 0), (4, 0), (0, 4)], [(1, 1.5), (3, 3), (0, 4)])
    array([ True, False,  True])
    """
    if not options and (inside := _engine.contains_pairs(polygon, points)) is not None:
        return inside
    refuse_options(options, NOT_FOR_POINTS)
    view = view_of(polygon, (0, 0), **options)
    arrays = view.single(polygon)
    points = contract.check_points(points)
    if view.order == "rc":
        points = np.ascontiguousarray(points[:, ::-1])
    if view.grid is not None:
        points = contract.check_points(view.grid.transform.to_pixels(points))
    inside = np.zeros(len(points), np.bool_)
    if len(points):
        for vertices, starts in arrays.polygons():
            part = np.empty(len(points), np.uint8)
            _engine.contains(vertices, starts, points, part, view.sampling)
            inside |= part.view(bool)
    return inside
