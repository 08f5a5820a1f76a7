"""Samples on or near an edge, where two functions that fill a polygon may differ."""

import numpy as np

from polymask.forms.ragged import Ragged

ON = 1e-6  # pixels: far above rounding errors of binary64, far below the distance between samples
NEAR = 1.0  # pixels: the reach of outlines and of rounded vertices


def within(distance, vertices, shape):
    """Return an array of bool: whether each sample has an edge within a distance.

    `vertices` is (N, 2) float64, with the columns x and y; see `near_samples` for the rest.
    """
    mask = np.zeros(shape, bool)
    polygon = Ragged(vertices, np.array([0, len(vertices)]))
    for indices in near_samples(polygon, shape, distance, chunk=1 << 10):
        mask.flat[indices] = True
    return mask


def samples_on(polygons, shape, distance=ON, chunk=1 << 18):
    """Return the samples with an edge of many polygons within a distance, as sorted flat indices.

    No array has the size of the image, as hardly any sample lies on an edge.
    """
    indices = [*near_samples(polygons, shape, distance, chunk)]
    return np.unique(np.concatenate(indices)) if indices else np.empty(0, np.int64)


def near_samples(polygons, shape, distance, chunk):
    """Yield the samples with an edge within a distance as flat indices, for chunks of the edges.

    A sample (x, y) has one if a point of an edge is at most `distance` away in x and at most
    `distance` away in y (the maximum norm). Within `ON`, the sample lies on an edge, and whether
    it is inside is a matter of convention. Within `NEAR`, the sample may be part of the edge's
    outline, or lie on the edge if vertices are rounded to integers and samples are moved by half a
    pixel.
    """
    rows, cols = shape
    ends, vertices = polygons.ring_offsets, polygons.vertices
    following = np.arange(1, len(vertices) + 1)
    closing = ends[1:][np.diff(ends) > 0] - 1
    following[closing] = ends[:-1][np.diff(ends) > 0]
    for first in range(0, len(vertices), chunk):
        p = vertices[first : first + chunk]
        q = vertices[following[first : first + chunk]]
        swap = (p[:, 1] > q[:, 1])[:, np.newaxis]
        (x1, y1), (x2, y2) = np.where(swap, q, p).T, np.where(swap, p, q).T
        top = np.clip(np.ceil(y1 - distance), 0, rows).astype(np.int64)
        count = np.maximum(np.clip(np.floor(y2 + distance) + 1, 0, rows).astype(np.int64) - top, 0)
        edge = np.repeat(np.arange(len(p)), count)
        y = np.arange(len(edge)) - np.repeat(np.cumsum(count) - count, count) + top[edge]
        x1, y1, x2, y2 = x1[edge], y1[edge], x2[edge], y2[edge]
        flat = y1 == y2
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            slope = (x2 - x1) / (y2 - y1)
            sides = [x1 + (np.clip(y + d, y1, y2) - y1) * slope for d in (-distance, distance)]
        sides = np.nan_to_num(np.where(flat, [x1, x2], sides))
        left = np.clip(np.ceil(sides.min(axis=0) - distance), 0, cols).astype(np.int64)
        right = np.clip(np.floor(sides.max(axis=0) + distance) + 1, 0, cols).astype(np.int64)
        nonempty = np.flatnonzero(right > left)
        width, place = (right - left)[nonempty], (y * cols + left)[nonempty]
        start = np.repeat(place - np.cumsum(width) + width, width)
        yield start + np.arange(width.sum())
