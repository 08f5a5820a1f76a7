"""`watertight`: polygons that share edges tile an image, with no gap and no overlap."""

import random

import numpy as np
import pytest
from cases import folded
from polygons import COUNTRIES, random_polygons, triangles

import polymask
from polymask.ladder import reference
from polymask.masks import _engine


def by_ordered_edges(vertices, shape, border_value=True):
    """The plain definition: the reference with each edge's ends in order."""
    points = [tuple(map(float, point)) for point in vertices]
    edges = [
        sorted(edge, key=lambda point: point[::-1])
        for edge in zip(points, points[1:] + points[:1], strict=True)
    ]
    mask = np.zeros(shape, bool)
    for y, x in np.ndindex(shape):
        inside = sum(reference.toggles(x, y, *edge) for edge in edges) % 2
        mask[y, x] = border_value if (x, y) in points else inside
    return mask


def diagonals(cells=12, fraction=0.1):
    """Squares whose sides run through samples, off the lattice by a fraction; shared sides turn."""
    found = []
    for i, j in np.ndindex(cells, cells):
        middle = 7.0 * (i - j), 7.0 * (i + j)
        corners = [(0, -7), (7, 0), (0, 7), (-7, 0)]
        found.append([(middle[0] + dx + fraction, middle[1] + dy + fraction) for dx, dy in corners])
    return found


def counts(polygons, shape, **options):
    return sum(polymask.polygon_mask(p, shape, dtype="uint8", **options) for p in polygons)


@pytest.mark.parametrize("isa", ["plain", "neon", "avx2", "avx512"])
def test_equals_the_plain_definition(isa, monkeypatch):
    if isa not in _engine.instruction_sets():
        pytest.skip(f"this processor has no {isa}")
    monkeypatch.setenv("POLYMASK_ISA", isa)
    for number, (vertices, shape) in enumerate(random_polygons(24, seed=3)):
        options = {"border_value": bool(number % 2), "watertight": True}
        expected = by_ordered_edges(vertices, shape, options["border_value"])
        for threads in (1, 2, 7):
            found = polymask.polygon_mask(vertices, shape, threads=threads, **options)
            np.testing.assert_array_equal(found, expected, err_msg=repr((vertices, shape)))
        y, x = np.indices(shape)
        samples = np.column_stack([x.ravel(), y.ravel()])
        found = polymask.contains(vertices, samples, **options)
        np.testing.assert_array_equal(found.reshape(shape), expected)


@folded("seed", range(6))
def test_every_sample_is_in_one_triangle(seed):
    shape = (90, 130)
    drawn = triangles(shape, 9, lambda r: r.uniform(-0.24, 0.24), seed)
    for options in ({}, {"center": True}, {"packed": False, "threads": 7}):
        assert (counts(drawn, shape, watertight=True, **options) == 1).all()
    y, x = np.indices(shape)
    samples = np.column_stack([x.ravel(), y.ravel()])
    inside = sum(polymask.contains(p, samples, watertight=True).astype(int) for p in drawn)
    assert (inside == 1).all()


@pytest.mark.parametrize("fraction", [0.1, 0.35, 2 / 3])
def test_edges_through_the_samples(fraction):
    """What the rule alone leaves in no square, or in two."""
    squares, shape = diagonals(fraction=fraction), (60, 40)
    window = {"offset": (50, -20)}
    assert (counts(squares, shape, watertight=True, **window) == 1).all()
    assert (counts(squares, shape, **window) != 1).any()
    labels = polymask.label_mask(squares, shape, watertight=True, **window)
    assert (labels > 0).all()
    backwards = polymask.label_mask(
        squares[::-1], shape, labels=range(len(squares), 0, -1), watertight=True, **window
    )
    np.testing.assert_array_equal(labels, backwards)


def test_windows_tile_the_whole():
    squares, shape = diagonals(), (61, 83)
    for square in squares[::7]:
        whole = polymask.polygon_mask(square, shape, offset=(40, -40), watertight=True)
        for r, c in ((0, 0), (20, 30), (33, 51)):
            part = polymask.polygon_mask(square, (20, 30), offset=(40 + r, c - 40), watertight=True)
            np.testing.assert_array_equal(part, whole[r : r + 20, c : c + 30])


def test_countries_share_their_borders():
    """No sample between two neighbours is in both or in none, at any scale of the map."""
    features = {f["properties"]["name"]: f["geometry"] for f in COUNTRIES["features"]}
    r = random.Random(5)
    seen = 0
    for name, other in [("France", "Germany"), ("Brazil", "Bolivia"), ("Niger", "Chad")]:
        pair = [
            [np.array(ring) for rings in _polygons(features[which]) for ring in rings]
            for which in (name, other)
        ]
        shared = {tuple(p) for ring in pair[0] for p in ring.tolist()}
        shared &= {tuple(p) for ring in pair[1] for p in ring.tolist()}
        assert len(shared) > 3, (name, other)
        for _ in range(5):
            scale, shift = r.uniform(5, 60), r.uniform(-1, 1)
            rings = [[ring * scale + shift for ring in one] for one in pair]
            x, y = (np.array(sorted(shared)) * scale + shift).mean(axis=0)
            window = {"offset": (int(y) - 60, int(x) - 70), "watertight": True}
            both = [polymask.polygon_mask(one, (120, 140), **window) for one in rings]
            together = polymask.polygon_mask(rings[0] + rings[1], (120, 140), **window)
            assert not (both[0] & both[1]).any()
            # over all rings at once a shared edge cancels itself: what is left is the union
            np.testing.assert_array_equal(both[0] | both[1], together)
            seen += both[0].any() and both[1].any()
    assert seen > 5


def _polygons(geometry):
    nested = geometry["coordinates"]
    return nested if geometry["type"] == "MultiPolygon" else [nested]


def fans(count, seed):
    """Triangles around a sample, with real vertices: their sides meet where a sample is."""
    rng = np.random.default_rng(seed)
    yield np.array([1.0, 1.0]), np.array([(-6, -6), (2.6, 0.6), (2, 7)])
    for _ in range(count):
        middle, sides = rng.integers(0, 6, 2).astype(float), 8
        angles = (np.arange(sides) + rng.uniform(0, 0.9, sides)) * 2 * np.pi / sides
        far = rng.uniform(1, 30, (sides, 1))
        yield middle, middle + far * np.column_stack([np.cos(angles), np.sin(angles)])


def test_a_sample_on_a_vertex_is_in_one_polygon_if_it_has_no_value_of_its_own():
    how, shape, moved = {"border_value": None, "watertight": True}, (6, 6), 0
    for middle, around in fans(60, seed=8):
        triangles = [
            [middle, *pair] for pair in zip(around, np.roll(around, -1, axis=0), strict=True)
        ]
        place = tuple(middle.astype(int)[::-1])
        counts = polymask.polygon_masks(triangles, shape, **how).sum(axis=0)
        assert counts[place] == 1
        assert counts.max() == 1
        assert sum(polymask.contains(one, middle[None], **how)[0] for one in triangles) == 1
        assert (polymask.label_mask(triangles, shape, **how) > 0).sum() == counts.sum()
        assert polymask.pixel_counts(triangles, shape, **how).sum() == counts.sum()
        statistics = polymask.polygon_statistics(triangles, np.ones(shape), **how)
        assert statistics.sum.sum() == counts.sum()
        added = polymask.rasterize(
            triangles, shape, transform=(1, 0, -0.5, 0, 1, -0.5), merge_alg="add", **how
        )
        np.testing.assert_array_equal(added, counts)
        moved += polymask.polygon_masks(triangles, shape, border_value=None).sum(axis=0)[place] != 1
    assert moved > 0  # else the fans would show nothing
