"""The public function that tests whether points lie inside a polygon."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from polymask import contract
from polymask.forms import geometry
from polymask.masks import _engine
from polymask.masks.sampling import check_sampling

if TYPE_CHECKING:
    from typing import SupportsIndex

    from numpy.typing import ArrayLike, NDArray

    from polymask.hints import Flag, Order, Polygon


def contains(
    polygon: Polygon,
    points: ArrayLike,
    *,
    order: Order = "xy",
    border_value: Flag | None = True,
    watertight: Flag = False,
    threads: SupportsIndex | None = None,
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
    sampling = check_sampling(None, border_value, watertight=watertight, threads=threads)
    parts = geometry.parts(polygon, order)
    points = contract.check_points(points)
    if order == "rc":
        points = np.ascontiguousarray(points[:, ::-1])
    inside = np.zeros(len(points), np.bool_)
    if len(points):
        for vertices, starts in parts:
            part = np.empty(len(points), np.uint8)
            _engine.contains(vertices, starts, points, part, sampling)
            inside |= part.view(bool)
    return inside
