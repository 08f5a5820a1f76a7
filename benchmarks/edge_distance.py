"""Samples on or near an edge, where two functions that fill a polygon may differ."""

import numpy as np

ON = 1e-6  # pixels: far above rounding errors of binary64, far below the distance between samples
NEAR = 1.0  # pixels: the reach of outlines and of rounded vertices


def within(distance, vertices, shape):
    """Return an array of bool: whether each sample has an edge within a distance.

    A sample (x, y) has one if a point of an edge is at most `distance` away in x and at most
    `distance` away in y (the maximum norm). Within `ON`, the sample lies on an edge, and whether
    it is inside is a matter of convention. Within `NEAR`, the sample may be part of the edge's
    outline, or lie on the edge if vertices are rounded to integers and samples are moved by half a
    pixel. `vertices` is (N, 2) float64, with the columns x and y.
    """
    rows, cols = shape
    # In each row an edge's samples are an interval: mark its start and its end, then add up.
    steps = np.zeros((rows, cols + 1), np.int16 if len(vertices) < 2**15 else np.int32)
    for start, end in zip(vertices, np.roll(vertices, -1, axis=0), strict=True):
        (x1, y1), (x2, y2) = sorted((start, end), key=lambda vertex: vertex[1])
        first = int(np.clip(np.ceil(y1 - distance), 0, rows))
        stop = int(np.clip(np.floor(y2 + distance) + 1, 0, rows))
        y = np.arange(first, stop)
        if y1 == y2:
            ends = np.broadcast_to([[x1], [x2]], (2, len(y)))
        else:  # the part of the edge that is within the distance in y
            with np.errstate(over="ignore", invalid="ignore"):
                y_ends = np.clip([y - distance, y + distance], y1, y2)
                slope = (x2 - x1) / (y2 - y1)
                ends = x1 + (y_ends - y1) * slope
        left, right = np.nan_to_num([ends.min(axis=0) - distance, ends.max(axis=0) + distance])
        steps[y, np.clip(np.ceil(left), 0, cols).astype(int)] += 1
        steps[y, np.clip(np.floor(right) + 1, 0, cols).astype(int)] -= 1
    np.cumsum(steps, axis=1, out=steps, dtype=steps.dtype)
    return steps[:, :cols] > 0


def samples_on(polygons, shape, distance=ON, chunk=1 << 18):
    """Return the samples with an edge of many polygons within a distance, as sorted flat indices.

    The distance is that of `within`. The edges are processed in chunks, and no array has the size
    of the image, as hardly any sample lies on an edge.
    """
    rows, cols = shape
    ends, vertices = polygons.ring_offsets, polygons.vertices
    following = np.arange(1, len(vertices) + 1)
    closing = ends[1:][np.diff(ends) > 0] - 1
    following[closing] = ends[:-1][np.diff(ends) > 0]
    indices = []
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
        indices.append(start + np.arange(width.sum()))
    return np.unique(np.concatenate(indices)) if indices else np.empty(0, np.int64)
