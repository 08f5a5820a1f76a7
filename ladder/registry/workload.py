"""The course's workload: a polygon of random vertices on an image."""

import hashlib
import random

import numpy as np

SHAPE = (1024, 1024)
VERTICES = 24
SEED = 0


def polygon(n=VERTICES, shape=SHAPE, seed=SEED):
    """Return the course's polygon: n random integer vertices, with edges that cross.

    It is an array of shape (n, 2), float64, with x in 0..cols and y in 0..rows. The seed is for
    Python's `random.Random`, so the polygon is the same on every machine.
    """
    rows, cols = shape
    r = random.Random(seed)
    points = [(int(r.random() * (cols + 1)), int(r.random() * (rows + 1))) for _ in range(n)]
    return np.array(points, dtype=np.float64)


def sha256(vertices):
    """Return a hex digest of the vertices as little-endian float64, to identify a polygon."""
    return hashlib.sha256(np.asarray(vertices, dtype="<f8").tobytes()).hexdigest()
