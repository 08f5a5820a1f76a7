"""`coverage`: fractions of pixels, by areas and by samples."""

import random
import re
from itertools import pairwise

import numpy as np
import pytest
from cases import folded
from checkouts import ROOT
from exact_areas import signed_areas
from polygons import HOLE, OUTER, SHAPE, TRIANGLE, closed, geojson, random_polygons, triangles

import polymask
from polymask.ladder import workload
from polymask.masks import _engine

ULP = 2.0**-24  # of float32, below 1


@pytest.mark.parametrize("isa", ["plain", "neon", "avx2", "avx512"])
def test_areas_are_those_of_rational_arithmetic(isa, monkeypatch):
    if isa not in _engine.instruction_sets():
        pytest.skip(f"this processor has no {isa}")
    monkeypatch.setenv("POLYMASK_ISA", isa)
    r = random.Random(4)
    draws = [
        lambda top: r.uniform(-4, top + 4),
        lambda top: r.randint(-2, top + 2),
        lambda top: r.randint(-2, top + 2) + 0.5,
        lambda top: r.uniform(-400, 400),
        lambda top: r.choice([r.randint(0, top), 1e-300, -0.0, 1 - 2**-53, 0.5 + 2**-52, 9e5]),
    ]
    for number in range(60):
        shape = r.randint(1, 7), r.randint(1, 12)
        draw = draws[number % len(draws)]
        triangle = [(draw(shape[1]), draw(shape[0])) for _ in range(3)]
        offset, center = (r.randint(-2, 2), r.randint(-2, 2)), bool(number % 2)
        exact = np.abs(signed_areas(triangle, shape, offset, center))
        found = polymask.coverage(triangle, shape, offset=offset, center=center)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, exact.astype(float), rtol=0, atol=ULP / 2 + 2**-30)
        assert (found[exact == 0] == 0).all(), triangle
        assert (found[exact == 1] == 1).all(), triangle


def test_a_hole_is_a_hole_in_any_direction():
    exact = np.abs(signed_areas(OUTER, SHAPE)) - np.abs(signed_areas(HOLE, SHAPE))
    for outer in (OUTER, OUTER[::-1]):
        for hole in (HOLE, HOLE[::-1]):
            for rings in ([outer, hole], [hole, outer]):
                found = polymask.coverage(rings, SHAPE)
                np.testing.assert_allclose(found, exact.astype(float), rtol=0, atol=ULP)


def test_parts_are_added():
    square = np.array([(2, 2), (6, 2), (6, 6), (2, 6)], float)
    beside, over = square + (4, 0), square + (1, 1)
    for other, most in ((beside, 1), (over, 1)):
        polygon = geojson("MultiPolygon", [[square.tolist()], [other.tolist()]])
        found = polymask.coverage(polygon, SHAPE)
        sum_of = polymask.coverage(square, SHAPE) + polymask.coverage(other, SHAPE)
        np.testing.assert_array_equal(found, np.minimum(sum_of, 1))
        assert found.max() == most
    assert not polymask.coverage(geojson("MultiPolygon", []), SHAPE).any()


def test_parts_are_rounded_once():
    """Strips of about a fiftieth of a pixel: each rounded alone, their sum would err by more."""
    r = random.Random(6)
    heights = sorted(r.uniform(0, 1) for _ in range(51))
    strips = [np.array([(0.1, a), (1.9, a), (1.7, b), (0.2, b)]) for a, b in pairwise(heights)]
    parts = geojson("MultiPolygon", [[closed(strip)] for strip in strips])
    exact = sum(np.abs(signed_areas(strip, (1, 2), center=True)) for strip in strips)
    found = polymask.coverage(parts, (1, 2), center=True)
    assert np.abs(found - exact.astype(float)).max() <= ULP / 2 + len(strips) * 2**-30
    whole = polymask.coverage(parts, (5, 6), center=True, offset=(-2, -2))
    np.testing.assert_array_equal(whole[2:3, 2:4], found)
    found = polymask.coverage(parts, (1, 2), 7, center=True)
    samples = sum(np.rint(49 * polymask.coverage(s, (1, 2), 7, center=True)) for s in strips)
    np.testing.assert_array_equal(found, (samples.astype(float) / 49).astype(np.float32))


def test_a_partition_in_one_polygon_is_one():
    parts = [
        [closed(np.array(t))] for t in triangles((20, 30), 4, lambda r: r.uniform(-0.24, 0.24))
    ]
    found = polymask.coverage(geojson("MultiPolygon", parts), (20, 30))
    assert (found == 1).all()


def test_a_partition_sums_to_one():
    shape = (70, 90)
    for seed in range(4):
        drawn = triangles(shape, 8, lambda r: r.uniform(-0.24, 0.24), seed)
        total = sum(polymask.coverage(p, shape).astype(float) for p in drawn)
        np.testing.assert_allclose(total, 1, rtol=0, atol=8 * ULP / 2)


def test_windows_equal_the_whole():
    near = [one for one in random_polygons(36, seed=9) if np.abs(one[0]).max() <= 2.0**50]
    assert len(near) > 20
    for vertices, shape in near:
        for center in (False, True):
            whole = polymask.coverage(vertices, shape, center=center)
            assert ((whole >= 0) & (whole <= 1)).all()
            part = np.full_like(whole, 9)
            for r in range(0, shape[0], 7):
                for c in range(0, shape[1], 9):
                    window = np.s_[r : r + 7, c : c + 9]
                    part[window] = polymask.coverage(
                        vertices, part[window].shape, offset=(r, c), center=center
                    )
            np.testing.assert_array_equal(part, whole)


def test_squares_off_the_edges_are_the_mask():
    """Of the course's polygon, which crosses itself: what no edge meets is 0 or 1, even-odd."""
    vertices = workload.polygon(24, (200, 300), seed=5)
    found = polymask.coverage(vertices, (200, 300))
    mask = polymask.polygon_mask(vertices, (200, 300))
    whole = (found == 0) | (found == 1)
    assert 0.5 < whole.mean() < 1
    np.testing.assert_array_equal(mask[whole], found[whole] == 1)
    samples = polymask.coverage(vertices, (200, 300), 8)
    assert (np.abs(samples - found) > 0.2).mean() < 0.002  # at crossings alone


@folded("subpixels", [1, 2, 3, 4, 7, 32])
def test_samples_are_a_finer_mask(subpixels):
    n, (rows, cols) = subpixels, (9, 13)
    for drawn, _ in random_polygons(10, seed=n):
        vertices = np.clip(drawn, -1e9, 1e9)
        for center in (False, True):
            offset = (2, -1)
            shift = 0 if center else n // 2
            fine = polymask.polygon_mask(
                vertices * n,
                (n * rows, n * cols),
                offset=(n * offset[0] - shift, n * offset[1] - shift),
                center=center or n % 2 == 0,
            )
            exact = fine.reshape(rows, n, cols, n).sum(axis=(1, 3)) / np.float32(n * n)
            found = polymask.coverage(
                vertices, (rows, cols), subpixels, center=center, offset=offset
            )
            np.testing.assert_array_equal(found, exact.astype(np.float32))


def test_samples_lie_where_it_is_said():
    n = 4
    y, x = np.mgrid[: n * SHAPE[0], : n * SHAPE[1]]
    points = np.column_stack([x.ravel(), y.ravel()]) / n + (0.5 / n - 0.5)
    inside = polymask.contains([OUTER, HOLE], points).reshape(SHAPE[0], n, SHAPE[1], n)
    found = polymask.coverage([OUTER, HOLE], SHAPE, n)
    np.testing.assert_array_equal(found, inside.mean(axis=(1, 3)).astype(np.float32))


def test_out_and_order():
    out = np.full(SHAPE, 7, np.float32)
    assert polymask.coverage(TRIANGLE, SHAPE, out=out) is out
    np.testing.assert_array_equal(out, polymask.coverage(TRIANGLE, SHAPE))
    np.testing.assert_array_equal(out, polymask.coverage(TRIANGLE[:, ::-1], SHAPE, order="rc"))
    buffer = np.full(SHAPE[0] * SHAPE[1] + 40, 7, np.float32)
    for shift in range(16):  # rows at any place of a cache's line
        part = buffer[shift : shift + out.size].reshape(SHAPE)
        polymask.coverage(TRIANGLE, SHAPE, out=part)
        np.testing.assert_array_equal(part, out)
        assert (buffer[shift + out.size :] == 7).all()
        buffer[:] = 7
    assert polymask.coverage(TRIANGLE, (0, 5)).shape == (0, 5)


def test_a_large_result_from_fresh_pages():
    shape = (3000, 3100)
    ring = np.array([(1000.25, 900.5), (1700.75, 1000.125), (1200.5, 1900.0)])
    found = polymask.coverage(ring, shape)
    out = polymask.coverage(ring, shape, out=np.ones(shape, np.float32))
    np.testing.assert_array_equal(found, out)
    assert found.sum(dtype=float) == pytest.approx(abs(np.linalg.det(ring[1:] - ring[0])) / 2)


@folded(
    ("options", "message"),
    [
        ({"subpixels": 0}, "subpixels must be 1 to 32"),
        ({"subpixels": 33}, "subpixels must be 1 to 32"),
        ({"subpixels": 2.5}, "subpixels must be an integer"),
        ({"order": "yx"}, "order"),
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


def test_against_shapely():
    shapely = pytest.importorskip("shapely")
    polygon = shapely.Polygon(OUTER, [HOLE])
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]]
    squares = shapely.box(x, y, x + 1, y + 1)
    areas = shapely.area(shapely.intersection(squares, polygon))
    np.testing.assert_allclose(polymask.coverage(polygon, SHAPE, center=True), areas, atol=ULP)


def test_against_exactextract():
    """By the code of COMING_FROM.md, there and here."""
    pytest.importorskip("exactextract")
    page = (ROOT / "COMING_FROM.md").read_text(encoding="utf-8")
    section = page[page.index("## exactextract") :]
    there, here = re.findall(r"```python\n(.*?)```", section, re.S)[:2]
    names = {"geometry": geojson("Polygon", [closed(OUTER), closed(HOLE)]), "shape": SHAPE}
    exec(here, names)
    found = names["fractions"]
    exec(there, names)
    np.testing.assert_allclose(found, names["fractions"], rtol=0, atol=1e-6)


def test_against_photutils():
    """What COMING_FROM.md says of it: samples of a rectangle, areas of a circle."""
    aperture = pytest.importorskip("photutils.aperture")
    (x, y), (w, h), shape = (6.2, 5.3), (7.1, 4.4), (12, 14)
    corners = np.array([(-w, -h), (w, -h), (w, h), (-w, h)]) / 2 + (x, y)
    there = aperture.RectangularAperture((x, y), w=w, h=h).to_mask(method="subpixel", subpixels=5)
    np.testing.assert_allclose(
        polymask.coverage(corners, shape, 5), there.to_image(shape), atol=ULP
    )
    turn = np.linspace(0, 2 * np.pi, 20_000, endpoint=False)
    circle = 3.7 * np.column_stack([np.cos(turn), np.sin(turn)]) + (x, y)
    there = aperture.CircularAperture((x, y), 3.7).to_mask(method="exact")
    np.testing.assert_allclose(polymask.coverage(circle, shape), there.to_image(shape), atol=1e-6)
