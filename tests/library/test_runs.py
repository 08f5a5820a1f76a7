"""Runs of polygons, their counts and centroids: equal to those of the masks."""

from fractions import Fraction

import numpy as np
from cases import folded
from polygons import HOLE, OUTER, SHAPE, TRIANGLE, mask_of, mask_of_runs

import polymask


def rows_of(runs):
    return np.stack(runs[:3], axis=1).tolist()


@folded("center", [False, True])
@folded("offset", [(0, 0), (7, 3), (-(10**9), 10**6), (2**51, -(2**51))])
def test_centroids_are_rounded_once(offset, center):
    """A window has the centroids of the whole image, bit for bit."""
    options = {"offset": offset, "center": center}
    polygons = [np.add(ring, offset[::-1]) for ring in (TRIANGLE, OUTER, HOLE)]
    centroids = polymask.pixel_centroids(polygons, SHAPE, **options)
    for polygon, centroid in zip(polygons, centroids, strict=True):
        pixels = np.argwhere(mask_of(polygon, **options)).tolist()
        expected = [
            Fraction(sum(indices), len(pixels)) + first + Fraction(center, 2)
            for indices, first in zip(zip(*pixels, strict=True), offset, strict=True)
        ]
        assert centroid.tolist() == [float(number) for number in expected[::-1]]


def test_runs_of_many_and_of_none_make_one_mask():
    runs = polymask.label_runs([OUTER, TRIANGLE], SHAPE)
    expected = mask_of(OUTER) | mask_of(TRIANGLE)
    np.testing.assert_array_equal(mask_of_runs(runs, SHAPE), expected)


def test_large_windows_and_empty_ones():
    square = [(1e10, 5), (1e10 + 3, 5), (1e10 + 3, 7), (1e10, 7)]
    runs = polymask.label_runs([square], (10, 2**34), border_value=False)
    assert runs.start.dtype == np.int64
    assert rows_of(runs) == [[6, 10**10 + 1, 10**10 + 4], [7, 10**10 + 1, 10**10 + 3]]
    for cols, dtype in (2**31 - 1, np.int32), (2**31, np.int64):  # the last column's end is cols
        band = [(-1, -1), (cols, -1), (cols, 0.5), (-1, 0.5)]
        runs = polymask.label_runs([band], (1, cols))
        assert runs.start.dtype == runs.stop.dtype == dtype
        assert rows_of(runs) == [[0, 0, cols]]
    assert polymask.pixel_counts([], (5, 5)).shape == (0,)
    assert polymask.pixel_centroids([], (5, 5)).shape == (0, 2)
    for shape in (0, 5), (5, 0):
        assert rows_of(polymask.label_runs([TRIANGLE], shape)) == []
    runs = polymask.label_runs([], (5, 5))
    assert [len(array) for array in runs] == [0, 0, 0, 0, 1]
