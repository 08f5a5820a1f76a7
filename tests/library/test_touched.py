"""`all_touched`: every pixel whose square a polygon touches, closed or open."""

import re
from fractions import Fraction

import numpy as np
import pytest
from cases import folded
from checkouts import ROOT
from polygons import HOLE, OUTER, SHAPE, TRIANGLE, geojson, random_polygons

import polymask


def touches(p, q, x, y, closed):
    """Whether an edge meets the square from (x, y) to (x + 1, y + 1), in rational arithmetic.

    The part of the edge, from 0 to 1, that lies within the borders of x and y is one interval.
    """
    low, high = Fraction(0), Fraction(1)  # within the edge, ends included
    inner_low, inner_high = None, None  # within the borders, which belong to it if closed
    for start, stop, border in ((p[0], q[0], x), (p[1], q[1], y)):
        if start == stop:
            if not (border <= start <= border + 1 if closed else border < start < border + 1):
                return False
            continue
        ends = sorted(((border - start) / (stop - start), (border + 1 - start) / (stop - start)))
        inner_low = ends[0] if inner_low is None else max(inner_low, ends[0])
        inner_high = ends[1] if inner_high is None else min(inner_high, ends[1])
    if inner_low is None:
        return True
    if closed:
        return max(low, inner_low) <= min(high, inner_high)
    return inner_low < inner_high and inner_low < high and inner_high > low


def is_inside(ring, x, y):
    inside = False
    for p, q in zip(ring, ring[1:] + ring[:1], strict=True):
        low, high = sorted((p, q), key=lambda point: point[1])
        if low[1] < y <= high[1]:
            part = (y - low[1]) / (high[1] - low[1])
            inside ^= x < low[0] + part * (high[0] - low[0])
    return inside


def by_squares(ring, shape, closed, center=False, offset=(0, 0)):
    """The plain definition, square by square and edge by edge."""
    half = Fraction(1, 2)
    ring = [(Fraction(float(x)), Fraction(float(y))) for x, y in ring]
    edges = list(zip(ring, ring[1:] + ring[:1], strict=True))
    found = np.zeros(shape, bool)
    for row, col in np.ndindex(shape):
        shift = 0 if center else half
        x, y = col + offset[1] - shift, row + offset[0] - shift
        found[row, col] = any(touches(p, q, x, y, closed) for p, q in edges) or is_inside(
            ring, x + half, y + half
        )
    return found


@pytest.mark.slow
@pytest.mark.parametrize("squares", ["closed", "open"])
def test_equals_the_plain_definition(squares):
    for number, (vertices, (rows, cols)) in enumerate(random_polygons(30, seed=12)):
        shape = min(rows, 9), min(cols, 11)
        options = {"center": number % 4 < 2, "offset": (number % 5 - 2, number % 3 - 1)}
        expected = by_squares(vertices, shape, squares == "closed", **options)
        found = polymask.polygon_mask(vertices, shape, all_touched=squares, **options)
        np.testing.assert_array_equal(found, expected, err_msg=repr((vertices, shape, options)))
        for turned in (vertices[::-1], vertices[2:] + vertices[:2]):
            again = polymask.polygon_mask(turned, shape, all_touched=squares, **options)
            np.testing.assert_array_equal(again, found)


def test_corners_decide():
    """Edges that pass a corner of squares by less than any product of doubles can tell."""
    third = 1 / 3  # a little less than one third
    for squares in ("closed", "open"):
        for shift in (0.0, 2.0**-53, -(2.0**-53)):
            line = [
                (0.0, shift),
                (3 * 2.0**30, 2.0**30 + shift),
                (3 * third * 2**30, third * 2**30),
            ]
            window = {"offset": (2**28, 3 * 2**28), "center": True}
            expected = by_squares(line, (4, 9), squares == "closed", **window)
            found = polymask.polygon_mask(line, (4, 9), all_touched=squares, **window)
            np.testing.assert_array_equal(found, expected)


def test_the_parts_that_it_is_made_of():
    closed = polymask.polygon_mask(OUTER, SHAPE, all_touched=True)
    opened = polymask.polygon_mask(OUTER, SHAPE, all_touched="open")
    np.testing.assert_array_equal(closed, polymask.polygon_mask(OUTER, SHAPE, all_touched="closed"))
    assert (closed >= opened).all()
    assert (opened >= polymask.polygon_mask(OUTER, SHAPE, border_value=False)).all()
    np.testing.assert_array_equal(opened, polymask.coverage(OUTER, SHAPE) > 0)
    holed = polymask.polygon_mask([OUTER, HOLE], SHAPE, all_touched=True)
    inside_hole = polymask.polygon_mask(HOLE, SHAPE) & ~polymask.polygon_mask(
        [HOLE, HOLE[:3] * 0 + HOLE.mean(axis=0)], SHAPE, all_touched=True
    )
    assert not inside_hole.any()
    assert closed[6, 8]
    assert not holed[6, 8]


def test_windows_out_packed_and_parts():
    parts = geojson("MultiPolygon", [[OUTER.tolist()], [(HOLE + 6).tolist()]])
    for polygon in (TRIANGLE, [OUTER, HOLE], parts):
        whole = polymask.polygon_mask(polygon, SHAPE, all_touched=True, dtype="uint8")
        assert whole.dtype == np.uint8
        for r, c in ((0, 0), (3, 5), (7, 12)):
            part = polymask.polygon_mask(polygon, (6, 7), all_touched=True, offset=(r, c))
            np.testing.assert_array_equal(part, whole[r : r + 6, c : c + 7])
        bits = np.packbits(whole, axis=1, bitorder="little")
        for out in (None, np.full(bits.shape, 7, np.uint8)):
            found = polymask.polygon_mask(polygon, SHAPE, all_touched=True, packed=True, out=out)
            np.testing.assert_array_equal(found, bits)
            assert out is None or found is out
        out = np.ones(SHAPE, bool)
        assert polymask.polygon_mask(polygon, SHAPE, all_touched=True, out=out) is out
        np.testing.assert_array_equal(out, whole)
    either = [polymask.polygon_mask(ring, SHAPE, all_touched=True) for ring in (OUTER, HOLE + 6)]
    np.testing.assert_array_equal(whole, either[0] | either[1])
    assert not polymask.polygon_mask(geojson("MultiPolygon", []), SHAPE, all_touched=True).any()
    assert polymask.polygon_mask(OUTER, (0, 5), all_touched=True).shape == (0, 5)


SETS = [
    [OUTER, HOLE],
    TRIANGLE,
    geojson("MultiPolygon", [[OUTER.tolist()], [(HOLE + 6).tolist()]]),
    geojson("MultiPolygon", []),
    *(np.random.default_rng(seed).uniform(-3, 23, (7, 2)) for seed in range(20)),
    *(np.random.default_rng(seed).integers(-3, 23, (7, 2)).astype(float) for seed in range(20)),
]


@folded("threads", [1, 2, 7])
@folded("squares", ["closed", "open"])
@folded("center", [False, True])
def test_of_many_as_of_each(squares, center, threads):
    """Runs, labels, counts, centroids and statistics are those of the masks of single polygons."""
    options = {"all_touched": squares, "center": center, "offset": (1, -2)}
    masks = [polymask.polygon_mask(polygon, SHAPE, **options) for polygon in SETS]
    options["threads"] = threads
    expected = np.zeros(SHAPE, np.uint8)
    for number, mask in enumerate(masks, 1):
        expected[mask] = number
    np.testing.assert_array_equal(polymask.label_mask(SETS, SHAPE, **options), expected)
    runs = polymask.label_runs(SETS, SHAPE, **options)
    counts = polymask.pixel_counts(SETS, SHAPE, **options)
    image = np.random.default_rng(1).integers(0, 99, SHAPE)
    sums = polymask.polygon_statistics(SETS, image, **options).sum
    centroids = polymask.pixel_centroids(SETS, SHAPE, **options)
    for number, mask in enumerate(masks):
        own = [column[runs.offsets[number] : runs.offsets[number + 1]] for column in runs[:3]]
        np.testing.assert_array_equal(polymask.runs_to_mask(own, SHAPE), mask)
        same_row = own[0][1:] == own[0][:-1]
        assert (own[1][1:] > own[2][:-1])[same_row].all()
        assert counts[number] == mask.sum()
        assert sums[number] == image[mask].sum()
        if mask.any():
            middle = np.argwhere(mask).mean(axis=0)[::-1] + (-2, 1) + 0.5 * center
            np.testing.assert_allclose(centroids[number], middle)
        one = polymask.polygon_runs(SETS[number], SHAPE, **options)
        for column, other in zip(own, one, strict=True):
            np.testing.assert_array_equal(column, other)


def test_of_many_far_out_is_refused():
    for call in (polymask.polygon_mask, polymask.polygon_runs):
        with pytest.raises(ValueError, match=r"\(0.*1125899906842625\).*plus"):
            call(OUTER, SHAPE, all_touched=True, offset=(0, 2**50 + 1))


@pytest.mark.parametrize("flag", [False, True])
def test_a_flag_of_numpy(flag):
    flags = np.array([flag])
    for function in (
        polymask.polygon_mask,
        lambda one, *rest, **how: polymask.label_mask([one], *rest, **how),
    ):
        found = function(OUTER, SHAPE, all_touched=flags[0])
        np.testing.assert_array_equal(found, function(OUTER, SHAPE, all_touched=flag))


@pytest.mark.parametrize("squares", ["half", 1, None])
def test_bad_squares(squares):
    with pytest.raises(ValueError, match=r'True.*"closed".*"open"'):
        polymask.polygon_mask(OUTER, SHAPE, all_touched=squares)
    with pytest.raises(ValueError, match=r'True.*"closed".*"open"'):
        polymask.label_mask([OUTER], SHAPE, all_touched=squares)
    with pytest.raises(ValueError, match="dtype"):
        polymask.polygon_mask(OUTER, SHAPE, all_touched=True, out=np.zeros(SHAPE))


def by_gdal(ring):
    features = pytest.importorskip("rasterio.features")
    geometry = geojson("Polygon", [[*ring.tolist(), ring[0].tolist()]])
    return features.rasterize([geometry], SHAPE, all_touched=True, dtype="uint8") > 0


def test_off_the_borders_gdal_has_the_same():
    for seed in range(40):
        ring = np.random.default_rng(seed).uniform(-3, 23, (6, 2))
        for squares in ("closed", "open"):
            here = polymask.polygon_mask(ring, SHAPE, all_touched=squares, center=True)
            np.testing.assert_array_equal(here, by_gdal(ring))


def test_on_borders_gdal_is_within_closed_squares_and_misses_some():
    """What docs/all_touched.md says of it."""
    for seed in range(40):
        ring = np.random.default_rng(seed).integers(-3, 23, (6, 2)).astype(float)
        closed = polymask.polygon_mask(ring, SHAPE, all_touched=True, center=True)
        assert not (by_gdal(ring) & ~closed).any()
    missed = np.array([(12, 3), (22, 21), (-2, 1), (2, 1), (12, 6), (9, 2)], float)
    assert polymask.polygon_mask(missed, SHAPE, all_touched="open", center=True)[6, 4]
    assert by_squares(missed, SHAPE, closed=False, center=True)[6, 4]


def test_the_picture_shows_what_its_text_says():
    page = (ROOT / "docs/all_touched.md").read_text(encoding="utf-8")
    picture = (ROOT / "docs/pictures/touched_squares.svg").read_text(encoding="utf-8")
    names = {}
    exec(re.search(r"```python\n(.*?)```", page, re.S)[1], names)
    counts = [str(names[name].sum()) for name in ("by_samples", "touched", "with_borders")]
    assert re.findall(r": (\d+) pixels", picture) == counts
    assert re.findall(r"(?:samples|squares) (\d+)", re.search(r"!\[(.*?)\]", page)[1]) == counts
