"""100,000 polygons with difficult crossings: the GPU's values are the CPU's, to the bit."""

import hostile
import numpy as np
import pytest

import polymask

FEATURES = 500  # of a batch


@pytest.mark.parametrize("batches", [2, pytest.param(200, marks=pytest.mark.slow)])
def test_hostile_polygons(cupy, cuda, batches):
    for number in range(batches):
        rng = np.random.default_rng(number)
        shape = tuple(rng.integers(1, (40, 70)))
        features, options = hostile.features(rng, shape, FEATURES), hostile.sampling(rng)
        given = tuple(map(cupy.asarray, features)) if number % 2 else features
        expected = polymask.polygon_masks(features, shape, **options)
        differs = cuda.polygon_masks(given, shape, **options).get() != expected
        assert np.argwhere(differs).tolist() == [], (number, shape, options)
        labels = cuda.label_mask(given, shape, **options).get()
        np.testing.assert_array_equal(labels, polymask.label_mask(features, shape, **options))
        counts = cuda.pixel_counts(given, shape, **options).get()
        np.testing.assert_array_equal(counts, expected.sum(axis=(1, 2)))
