"""The default polygon: the same on every machine."""

import random

import numpy as np

from ladder.registry import workload


def test_polygon_follows_its_definition():
    r = random.Random(5)
    expected = []
    for _ in range(7):
        x = int(r.random() * (200 + 1))
        y = int(r.random() * (100 + 1))
        expected.append((x, y))
    vertices = workload.polygon(7, (100, 200), seed=5)
    assert vertices.dtype == np.float64
    assert vertices.tolist() == [list(map(float, point)) for point in expected]


def test_default_polygon_is_always_the_same():
    assert workload.sha256(workload.polygon()) == (
        "f514eaa814a3e033bde892637a97f8b72a69dcf45ad5b944e0905c95bb312e03"
    )


def test_sha256_tells_polygons_apart():
    assert workload.sha256(workload.polygon(seed=1)) != workload.sha256(workload.polygon(seed=2))
