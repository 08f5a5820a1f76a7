"""polymask.cuda.coverage: the fractions of the CPU, to the bit."""

import numpy as np
import polygons
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

import polymask

FAR = 2.0**50
WIDE = (40, 9000)  # columns in several blocks of a group
around = strategies.images_and(strategies.polygons_of_rings)
options = st.fixed_dictionaries({"center": strategies.booleans, "offset": strategies.offsets})
same = np.testing.assert_array_equal


def within_limit(rings):
    return [np.clip(ring, -FAR, FAR) for ring in rings]


def assert_same(cuda, polygon, shape, **options):
    fractions = cuda.coverage(polygon, shape, **options)
    assert fractions.dtype == np.float32
    expected = polymask.coverage(polygon, shape, **options)
    same(fractions.get().view(np.uint32), expected.view(np.uint32))
    return expected


@given(example=around, options=options)
def test_fractions_are_those_of_the_cpu(cuda, example, options):
    shape, rings = example
    assert_same(cuda, within_limit(rings), shape, **options)


@given(example=strategies.images_and(strategies.sets_of_polygons), options=options)
def test_parts_are_added(cuda, example, options):
    shape, parts = example
    parts = [[ring] for ring in parts] or polygons.geojson("MultiPolygon", [])
    assert_same(cuda, parts, shape, **options)


@pytest.mark.parametrize("power", [0, 10, 19, 21, 30, 40, 49, 50])
@pytest.mark.parametrize("seed", range(4))
def test_far_windows(cuda, power, seed):
    rng = np.random.default_rng(seed)
    shape = rng.integers(1, (60, 90), 2)
    corner = rng.choice([-1, 1], 2) * (2**power - 100)
    size = rng.choice([10.0, 60.0, 2.0**power])
    ring = corner[::-1] + rng.uniform(-size, size, (30, 2))
    ring, offset = np.clip(ring, -FAR, FAR), tuple(corner.tolist())
    expected = assert_same(cuda, ring, tuple(shape.tolist()), offset=offset)
    assert expected.any()


@pytest.mark.parametrize("height", [0.3, 1.0, 3.7, 39.0])
def test_edges_along_many_columns(cuda, height):
    rng = np.random.default_rng(0)
    ring = np.stack([rng.uniform(-500, 9500, 40), rng.uniform(0, height, 40)], axis=1)
    assert_same(cuda, ring, WIDE)


def test_rings_that_are_holes_in_any_direction(cuda, cupy):
    outer = np.array([(0.2, 0.3), (30.6, 1.2), (28.1, 20.7), (1.5, 18.2)])
    rings = [outer, 6 + outer / 3, 8 + outer / 9, 20 + outer / 12]
    turned = [ring[:: (-1) ** number] for number, ring in enumerate(rings)]
    expected = assert_same(cuda, rings, (24, 34))
    assert 0 < expected[8, 20] == 1 > expected[12, 14]
    same(assert_same(cuda, turned, (24, 34)), expected)
    same(cuda.coverage([cupy.asarray(ring) for ring in turned], (24, 34)).get(), expected)


def test_out_and_vertices_of_the_device(cuda, cupy):
    ring = np.array([(0.2, 0.3), (30.6, 1.2), (28.1, 20.7), (1.5, 18.2)])
    image = cupy.full((24, 50), 7, np.float32)
    view = image[2:20, 3:40]
    assert cuda.coverage(cupy.asarray(ring), (18, 37), out=view, center=True) is view
    expected = np.full((24, 50), 7, np.float32)
    expected[2:20, 3:40] = polymask.coverage(ring, (18, 37), center=True)
    same(image.get(), expected)
    parts = [[ring], [ring[:, ::-1] + 0.25]]
    cuda.coverage(parts, (18, 37), out=view, order="rc")
    expected[2:20, 3:40] = polymask.coverage(parts, (18, 37), order="rc")
    same(image.get(), expected)


@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (3, 1), (1, 257)])
def test_unusual_shapes(cuda, shape):
    ring = [(-1, -1), (300.5, -1), (300.5, 2.25), (-1, 2.25)]
    assert_same(cuda, ring, shape)
    assert_same(cuda, [[ring], [ring]], shape)
