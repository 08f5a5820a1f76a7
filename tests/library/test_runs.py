"""Runs of polygons, their counts and centroids: those of the masks, pixel for pixel."""

from fractions import Fraction

import numpy as np
import pytest
from cases import folded
from polygons import (
    COUNTRIES,
    HOLE,
    OUTER,
    SHAPE,
    TRIANGLE,
    by_rings,
    geojson,
    mask_of,
    random_polygons,
)

import polymask

SETS = [OUTER, [OUTER, HOLE], TRIANGLE, geojson("MultiPolygon", [])]
SETS += [geojson("MultiPolygon", [[TRIANGLE.tolist()], [(HOLE + 3).tolist()]])]


def runs_by_pixel(mask):
    """The plain definition: row by row, pixel by pixel."""
    runs = []
    for row, pixels in enumerate(mask.tolist()):
        for col, inside in enumerate(pixels):
            if inside and runs and runs[-1][0] == row and runs[-1][2] == col:
                runs[-1][2] = col + 1
            elif inside:
                runs.append([row, col, col + 1])
    return runs


def rows_of(runs):
    return np.stack(runs[:3], axis=1).tolist()


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"center": True}, {"border_value": False}])
def test_runs_are_those_of_the_rule(options):
    for polygon, shape in random_polygons(60, seed=3):
        half = 0.5 * options.get("center", False)
        mask = by_rings(
            [np.array(polygon, float)], shape, options.get("border_value", True), half, half
        )
        assert rows_of(polymask.polygon_runs(polygon, shape, **options)) == runs_by_pixel(mask)


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_runs_counts_and_centroids_of_many(threads):
    options = {"offset": (2, -3), "center": True, "watertight": True, "threads": threads}
    runs = polymask.label_runs(SETS, SHAPE, labels=[5, 5, -1, 9, 2**40], **options)
    counts = polymask.pixel_counts(SETS, SHAPE, **options)
    centroids = polymask.pixel_centroids(SETS, SHAPE, **options)
    for number, polygon in enumerate(SETS):
        mask = mask_of(polygon, **options)
        mine = slice(*runs.offsets[number : number + 2])
        assert rows_of([column[mine] for column in runs]) == runs_by_pixel(mask)
        assert set(runs.label[mine]) <= {[5, 5, -1, 9, 2**40][number]}
        rows, cols = np.nonzero(mask)
        assert counts[number] == len(rows)
        if len(rows):
            expected = [cols.mean() - 3 + 0.5, rows.mean() + 2 + 0.5]
            np.testing.assert_allclose(centroids[number], expected, rtol=1e-14)
        else:
            assert np.isnan(centroids[number]).all()


@folded("center", [False, True])
@folded("offset", [(0, 0), (7, 3), (-(10**9), 10**6), (2**51, -(2**51))])
def test_centroids_are_rounded_once(offset, center):
    """So a window has those of the whole image, to the bit."""
    options = {"offset": offset, "center": center}
    polygons = [np.add(one, offset[::-1]) for one in (TRIANGLE, OUTER, HOLE)]
    found = polymask.pixel_centroids(polygons, SHAPE, **options)
    for polygon, centroid in zip(polygons, found, strict=True):
        pixels = np.argwhere(mask_of(polygon, **options)).tolist()
        expected = [
            Fraction(sum(at), len(pixels)) + first + Fraction(center, 2)
            for at, first in zip(zip(*pixels, strict=True), offset, strict=True)
        ]
        assert centroid.tolist() == [float(number) for number in expected[::-1]]


def test_runs_make_the_mask_again():
    runs = polymask.polygon_runs([OUTER, HOLE], SHAPE)
    assert runs.row.dtype == np.int32
    mask = polymask.runs_to_mask(runs, SHAPE)
    assert mask.dtype == bool
    np.testing.assert_array_equal(mask, mask_of([OUTER, HOLE]))
    out = np.full(SHAPE, 9, np.uint8)
    assert polymask.runs_to_mask(runs, SHAPE, out=out) is out
    np.testing.assert_array_equal(out, mask)
    assert polymask.runs_to_mask(polymask.label_runs(SETS, SHAPE), SHAPE).sum() > mask.sum()
    assert not polymask.runs_to_mask(([], [], []), (2, 3)).any()


def test_rows_and_columns_first():
    flipped = [TRIANGLE[:, ::-1], OUTER[:, ::-1]]
    for mine, other in zip(
        polymask.label_runs(flipped, SHAPE, order="rc"),
        polymask.label_runs([TRIANGLE, OUTER], SHAPE),
        strict=True,
    ):
        np.testing.assert_array_equal(mine, other)
    np.testing.assert_array_equal(
        polymask.pixel_centroids(flipped, SHAPE, order="rc"),
        polymask.pixel_centroids([TRIANGLE, OUTER], SHAPE)[:, ::-1],
    )


def test_countries():
    options = {"offset": (-90, -180), "center": True}
    runs = polymask.label_runs(COUNTRIES, (180, 360), **options)
    counts = polymask.pixel_counts(COUNTRIES, (180, 360), **options)
    for number in range(0, len(COUNTRIES["features"]), 20):
        mask = mask_of(COUNTRIES["features"][number], (180, 360), **options)
        mine = slice(*runs.offsets[number : number + 2])
        assert rows_of([column[mine] for column in runs]) == runs_by_pixel(mask)
        assert counts[number] == mask.sum()


def test_large_windows_and_empty_ones():
    square = [(1e10, 5), (1e10 + 3, 5), (1e10 + 3, 7), (1e10, 7)]
    runs = polymask.polygon_runs(square, (10, 2**34), border_value=False)
    assert runs.start.dtype == np.int64
    assert rows_of(runs) == [[6, 10**10 + 1, 10**10 + 4], [7, 10**10 + 1, 10**10 + 3]]
    for cols, dtype in (2**31 - 1, np.int32), (2**31, np.int64):  # the last column's end is cols
        runs = polymask.polygon_runs([(-1, -1), (cols, -1), (cols, 0.5), (-1, 0.5)], (1, cols))
        assert runs.start.dtype == runs.stop.dtype == dtype
        assert rows_of(runs) == [[0, 0, cols]]
    assert polymask.pixel_counts([], (5, 5)).shape == (0,)
    assert polymask.pixel_centroids([], (5, 5)).shape == (0, 2)
    for shape in (0, 5), (5, 0):
        assert rows_of(polymask.polygon_runs(TRIANGLE, shape)) == []
    found = polymask.label_runs([], (5, 5))
    assert [len(array) for array in found] == [0, 0, 0, 0, 1]


@folded(
    ("runs", "message"),
    [
        (([0], [0], [5]), r"run 0, row 0 from 0 to 5, .*\(3, 4\)"),
        (([0, -1], [0, 0], [1, 1]), "run 1"),
        (([0], [2], [1]), "run 0"),
        (([0], [-1], [1]), "run 0"),
        (([3], [0], [1]), "run 0"),
        (([0], [0]), "three arrays"),
        (([0], [0], [1, 2]), "three arrays"),
        (7, "three arrays"),
    ],
)
def test_bad_runs(runs, message):
    out = np.full((3, 4), 9, np.uint8)
    with pytest.raises(ValueError, match=message):
        polymask.runs_to_mask(runs, (3, 4), out=out)
    assert (out == 9).all()


def test_runs_of_reals_are_refused():
    with pytest.raises(TypeError, match="integers"):
        polymask.runs_to_mask(([0.0], [0], [1]), (3, 4))


def test_bad_polygons_and_labels():
    with pytest.raises(ValueError, match="polygon 1"):
        polymask.pixel_counts([OUTER, [(1, 1)]], SHAPE)
    with pytest.raises(ValueError, match="1 labels for 2 polygons"):
        polymask.label_runs([OUTER, OUTER], SHAPE, labels=[1])
    with pytest.raises(ValueError, match="could pass 63 bits"):
        polymask.pixel_centroids([OUTER], (2**31, 2**31))


@pytest.mark.parametrize("shared", range(3))
def test_runs_to_mask_reads_runs_that_lie_in_its_output(shared):
    runs = [np.array([0, 1]), np.array([1, 0]), np.array([3, 2])]
    expected = polymask.runs_to_mask(runs, (2, 8))
    runs[shared] = runs[shared].astype(np.int64)
    out = runs[shared].view(np.uint8).reshape(2, 8)
    np.testing.assert_array_equal(polymask.runs_to_mask(runs, (2, 8), out=out), expected)


def test_runs_of_more_pixels_than_are_painted_between_two_looks_for_ctrl_c():
    cols = 2**26 + 9
    mask = polymask.runs_to_mask(([0], [2], [cols - 3]), (1, cols))
    assert mask[0, 2:-3].all()
    assert mask.sum() == cols - 5
