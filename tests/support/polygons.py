"""Polygons and their exact masks, for the tests of the public functions."""

import json
import random

import numpy as np
from checkouts import ROOT

import polymask
from ladder.registry import reference

COUNTRIES = json.loads((ROOT / "examples/countries.geojson").read_text())
TRIANGLE = np.array([(1.0, 2.0), (9.0, 4.0), (3.0, 8.0)])
OUTER = np.array([(1, 1), (18, 2), (16, 12), (2, 11)], float)
HOLE = np.array([(5, 4), (12, 5), (8, 9)], float)
SHAPE = (14, 21)


def mask_of(polygon, shape=SHAPE, **options):
    return polymask.polygon_mask(polygon, shape, dtype=np.uint8, **options)


def by_rings(rings, shape, border_value=True, x0=0.0, y0=0.0):
    """Apply the rule to all edges of all rings, sample by sample; (x0, y0) is the first sample."""
    rows, cols = shape
    mask = np.zeros(shape, np.uint8)
    for row, col in np.ndindex(rows, cols):
        x, y, inside = col + x0, row + y0, False
        for ring in rings:
            for p1, p2 in zip(ring.tolist(), np.roll(ring, -1, 0).tolist(), strict=True):
                inside ^= reference.toggles(x, y, p1, p2)
        on_vertex = any((x, y) == point for ring in rings for point in map(tuple, ring.tolist()))
        if on_vertex and border_value is not None:
            inside = border_value
        mask[row, col] = inside
    return mask


def triangles(shape, cells, draw, seed=0):
    """Cut a grid of random vertices around the image into triangles of either orientation."""
    r = random.Random(seed)
    rows, cols = shape
    high, wide = (rows + 2) / cells, (cols + 2) / cells
    points = {}
    for i, j in np.ndindex(cells + 1, cells + 1):
        x, y = j * wide - 1.25, i * high - 1.25
        inner = 0 < i < cells, 0 < j < cells
        points[i, j] = (x + inner[1] * draw(r) * wide, y + inner[0] * draw(r) * high)
    result = []
    for i, j in np.ndindex(cells, cells):
        corners = [points[i, j], points[i, j + 1], points[i + 1, j + 1], points[i + 1, j]]
        shift = r.randrange(2)
        for corner in (0, 2):
            triangle = [corners[(corner + shift + k) % 4] for k in range(3)]
            result.append(triangle[:: r.choice([1, -1])])
    return result


def geojson(kind, coordinates):
    return {"type": kind, "coordinates": coordinates}


def closed(ring):
    return [*ring.tolist(), ring[0].tolist()]


def unaligned(array):
    """Return a copy at an odd address."""
    copy = np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
    copy[...] = array
    assert array.itemsize == 1 or not copy.flags.aligned
    return copy


def read_only(array):
    array.flags.writeable = False
    return array


def mask_of_runs(runs, shape):
    """Return the mask that has ones along runs: rows, starts, stops."""
    mask = np.zeros(shape, bool)
    for row, start, stop in zip(*runs[:3], strict=True):
        mask[row, start:stop] = True
    return mask
