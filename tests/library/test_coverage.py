"""`coverage`: fractions of pixels, from areas and from samples."""

import random
import re
from itertools import pairwise

import numpy as np
import pytest
from cases import folded
from checkouts import ROOT
from exact_areas import signed_areas
from polygons import HOLE, OUTER, SHAPE, TRIANGLE, closed, geojson

import polymask

ULP = 2.0**-24  # of float32, below 1


def test_parts_are_added():
    square = np.array([(2, 2), (6, 2), (6, 6), (2, 6)], float)
    adjacent, overlapping = square + (4, 0), square + (1, 1)
    for other, largest in ((adjacent, 1), (overlapping, 1)):
        polygon = geojson("MultiPolygon", [[square.tolist()], [other.tolist()]])
        result = polymask.coverage(polygon, SHAPE)
        total = polymask.coverage(square, SHAPE) + polymask.coverage(other, SHAPE)
        np.testing.assert_array_equal(result, np.minimum(total, 1))
        assert result.max() == largest
    assert not polymask.coverage(geojson("MultiPolygon", []), SHAPE).any()


def test_parts_are_rounded_once():
    """Strips of about 1/50 pixel: if each were rounded, their sum would have a larger error."""
    r = random.Random(6)
    heights = sorted(r.uniform(0, 1) for _ in range(51))
    strips = [np.array([(0.1, a), (1.9, a), (1.7, b), (0.2, b)]) for a, b in pairwise(heights)]
    parts = geojson("MultiPolygon", [[closed(strip)] for strip in strips])
    exact = sum(np.abs(signed_areas(strip, (1, 2), center=True)) for strip in strips)
    result = polymask.coverage(parts, (1, 2), center=True)
    assert np.abs(result - exact.astype(float)).max() <= ULP / 2 + len(strips) * 2**-30
    whole = polymask.coverage(parts, (5, 6), center=True, offset=(-2, -2))
    np.testing.assert_array_equal(whole[2:3, 2:4], result)
    result = polymask.coverage(parts, (1, 2), 7, center=True)
    samples = sum(np.rint(49 * polymask.coverage(s, (1, 2), 7, center=True)) for s in strips)
    np.testing.assert_array_equal(result, (samples.astype(float) / 49).astype(np.float32))


def test_samples_lie_at_their_documented_places():
    n = 4
    y, x = np.mgrid[: n * SHAPE[0], : n * SHAPE[1]]
    points = np.column_stack([x.ravel(), y.ravel()]) / n + (0.5 / n - 0.5)
    inside = polymask.contains([OUTER, HOLE], points).reshape(SHAPE[0], n, SHAPE[1], n)
    result = polymask.coverage([OUTER, HOLE], SHAPE, n)
    np.testing.assert_array_equal(result, inside.mean(axis=(1, 3)).astype(np.float32))


def test_a_large_result_from_fresh_pages():
    shape = (3000, 3100)
    ring = np.array([(1000.25, 900.5), (1700.75, 1000.125), (1200.5, 1900.0)])
    result = polymask.coverage(ring, shape)
    out = polymask.coverage(ring, shape, out=np.ones(shape, np.float32))
    np.testing.assert_array_equal(result, out)
    assert result.sum(dtype=float) == pytest.approx(abs(np.linalg.det(ring[1:] - ring[0])) / 2)


@folded(
    ("options", "message"),
    [
        ({"subpixels": 0}, "subpixels must be 1 to 32"),
        ({"subpixels": 33}, "subpixels must be 1 to 32"),
        ({"subpixels": 2.5}, "subpixels must be an integer"),
        ({"offset": (2**51, 0)}, "beyond 2"),
        ({"offset": (2**48, 0), "subpixels": 8}, "beyond 2"),
        ({"out": np.zeros(SHAPE)}, "dtype float32"),
        ({"out": np.zeros((3, 3), np.float32)}, "shape"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        polymask.coverage(TRIANGLE, SHAPE, **options)
    with pytest.raises(ValueError, match="3 vertices"):
        polymask.coverage(TRIANGLE[:2], SHAPE)


def test_against_exactextract():
    """With both programs of COMING_FROM.md."""
    pytest.importorskip("exactextract")
    page = (ROOT / "COMING_FROM.md").read_text(encoding="utf-8")
    section = page[page.index("## exactextract") :]
    their_code, our_code = re.findall(r"```python\n(.*?)```", section, re.S)[:2]
    names = {"geometry": geojson("Polygon", [closed(OUTER), closed(HOLE)]), "shape": SHAPE}
    exec(our_code, names)
    fractions = names["fractions"]
    exec(their_code, names)
    np.testing.assert_allclose(fractions, names["fractions"], rtol=0, atol=1e-6)
