"""100,000 polygons with difficult crossings: the GPU's values are the CPU's, to the bit."""

import numpy as np
import pytest
import strategies

import polymask
from polymask.forms.ragged import Ragged

FEATURES = 500  # of a batch
MANY_VERTICES = 300  # edges of such polygons are compared in chunks


def offsets(counts):
    return np.concatenate([[0], np.cumsum(counts)])


def coordinates(rng, count, top):
    """Numbers of six kinds around an image, in a random mixture."""
    whole = rng.integers(-3, top + 4, count).astype(float)
    kinds = [
        whole,
        whole + 0.5,
        rng.integers(-20, 8 * (top + 3), count) / 8,
        rng.uniform(-4, top + 4, count),
        np.nextafter(whole, rng.choice([-np.inf, np.inf], count)),
        rng.choice(strategies.HOSTILE, count),
    ]
    return np.choose(rng.choice(len(kinds), count, p=rng.dirichlet([0.5] * len(kinds))), kinds)


def hostile_features(rng, shape):
    """Features of one or two polygons, each of one to three rings, as ragged arrays."""
    polygons = rng.integers(1, 3, FEATURES)
    rings = rng.integers(1, 4, polygons.sum())
    sizes = rng.integers(3, 10, rings.sum())
    sizes[rng.random(len(sizes)) < 0.002] = MANY_VERTICES
    xy = [coordinates(rng, sizes.sum(), top) for top in shape[::-1]]
    return Ragged(np.stack(xy, axis=1), offsets(sizes), offsets(rings), offsets(polygons))


def hostile_sampling(rng):
    return {
        "border_value": rng.choice([True, False, None]),
        "center": rng.choice([True, False]),
        "watertight": rng.choice([True, False]),
        "offset": tuple(rng.integers(-4, 5, 2)),
    }


@pytest.mark.parametrize("batches", [2, pytest.param(200, marks=pytest.mark.slow)])
def test_hostile_polygons(cupy, cuda, batches):
    for number in range(batches):
        rng = np.random.default_rng(number)
        shape = tuple(rng.integers(1, (40, 70)))
        features, options = hostile_features(rng, shape), hostile_sampling(rng)
        given = tuple(map(cupy.asarray, features)) if number % 2 else features
        expected = polymask.polygon_masks(features, shape, **options)
        differs = cuda.polygon_masks(given, shape, **options).get() != expected
        assert np.argwhere(differs).tolist() == [], (number, shape, options)
        labels = cuda.label_mask(given, shape, **options).get()
        np.testing.assert_array_equal(labels, polymask.label_mask(features, shape, **options))
        counts = cuda.pixel_counts(given, shape, **options).get()
        np.testing.assert_array_equal(counts, expected.sum(axis=(1, 2)))
