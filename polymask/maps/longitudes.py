"""Polygons in degrees on grids whose longitudes differ from theirs by whole turns.

On a grid of 0 to 360, a polygon at -10 is drawn at 350, and one that extends from -10 to 10 is
drawn twice: at both edges.
"""

import numpy as np

from polymask.common.error_text import quote
from polymask.forms.ragged import Ragged, moved, take
from polymask.forms.ranges import expand, extents

TURN = 360.0
FARTHEST = 720.0  # degrees: what is farther from 0 is not a longitude
MARGIN = 1e-6  # degrees, so that rounding does not lose a copy that only touches the grid


def wrap(polygons, extent, to_pixels):
    """Convert polygons to pixels, each with all its copies that reach a grid.

    Parameters
    ----------
    polygons : Ragged
        Vertices are longitudes and latitudes.
    extent : tuple of float
        The smallest and the largest longitude of the grid, edges of cells.
    to_pixels : callable
        Converts (N, 2) vertices to pixels. Its second argument is an (N,) array of multiples of
        360, to be added to the longitudes.

    Returns
    -------
    Ragged
        The same features in pixels: their polygons are the copies. Without a copy, they are empty.

    Raises
    ------
    ValueError
        If the grid or a polygon is more than 720 degrees from 0. The message names the polygon.
    """
    low, high = extent
    if max(-low, high) > FARTHEST:
        raise ValueError(
            f"only longitudes between {-FARTHEST:g} and {FARTHEST:g} can be wrapped, but the grid "
            f"extends from {low:g} to {high:g}: are its units degrees?"
        )
    of_polygon, of_feature = _offsets(polygons)
    vertex_offsets = polygons.ring_offsets[of_polygon]
    longitudes = polygons.vertices[:, 0]
    _refuse_far(longitudes, vertex_offsets, of_feature)
    west, east = extents(longitudes, vertex_offsets[:-1], vertex_offsets[1:])
    first = np.ceil((low - MARGIN - east) / TURN)
    last = np.floor((high + MARGIN - west) / TURN)
    copies = np.maximum(last - first + 1, 0).astype(np.int64)
    source, number = expand(np.stack([np.zeros_like(copies), copies], axis=1))
    turns = first[source] + number
    ends = np.concatenate([[0], np.cumsum(copies)])
    wrapped = take(Ragged(*polygons[:2], of_polygon), source)
    wrapped = wrapped._replace(feature_offsets=ends[of_feature])
    lengths = np.diff(vertex_offsets)[source]
    east = np.repeat(TURN * turns, lengths)
    return moved(wrapped, lambda vertices: to_pixels(vertices, east))


def _offsets(polygons):
    """Return the offsets of polygons into rings, and of features into polygons."""
    of_polygon, of_feature = polygons.polygon_offsets, polygons.feature_offsets
    if of_polygon is None:
        of_polygon = np.arange(len(polygons.ring_offsets))
    return of_polygon, np.arange(len(of_polygon)) if of_feature is None else of_feature


def _refuse_far(longitudes, vertex_offsets, of_feature):
    is_far = np.abs(longitudes) > FARTHEST
    if is_far.any():
        number = place = int(is_far.argmax())
        for offsets in (vertex_offsets, of_feature):
            number = int(np.searchsorted(offsets, number, side="right")) - 1
        raise ValueError(
            f"polygon {number}: its longitude {quote(float(longitudes[place]))} is more than "
            f"{FARTHEST:g} degrees from 0 and cannot be wrapped: are its units degrees?"
        )
