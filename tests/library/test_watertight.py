"""`watertight`: polygons that share edges tile an image, with no gap and no overlap."""

import numpy as np
import pytest

import polymask


def diagonals(cells=12, fraction=0.1):
    """Return squares off the lattice by a fraction, with diagonal sides through samples."""
    tiles = []
    for i, j in np.ndindex(cells, cells):
        middle = 7.0 * (i - j), 7.0 * (i + j)
        corners = [(0, -7), (7, 0), (0, 7), (-7, 0)]
        tiles.append([(middle[0] + dx + fraction, middle[1] + dy + fraction) for dx, dy in corners])
    return tiles


def counts(polygons, shape, **options):
    return sum(polymask.polygon_mask(p, shape, dtype="uint8", **options) for p in polygons)


@pytest.mark.parametrize("fraction", [0.1, 0.35, 2 / 3])
def test_edges_through_the_samples(fraction):
    """The rule alone puts some samples into no square, or into two."""
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


def fans(count, seed):
    """Yield a sample and a ring of real vertices around it, for triangles that meet there."""
    rng = np.random.default_rng(seed)
    yield np.array([1.0, 1.0]), np.array([(-6, -6), (2.6, 0.6), (2, 7)])
    for _ in range(count):
        middle, sides = rng.integers(0, 6, 2).astype(float), 8
        angles = (np.arange(sides) + rng.uniform(0, 0.9, sides)) * 2 * np.pi / sides
        far = rng.uniform(1, 30, (sides, 1))
        yield middle, middle + far * np.column_stack([np.cos(angles), np.sin(angles)])


def test_a_sample_on_a_vertex_is_in_one_polygon_without_a_border_value():
    options, shape, gaps = {"border_value": None, "watertight": True}, (6, 6), 0
    for middle, ring in fans(60, seed=8):
        triangles = [[middle, *pair] for pair in zip(ring, np.roll(ring, -1, axis=0), strict=True)]
        pixel = tuple(middle.astype(int)[::-1])
        counts = polymask.polygon_masks(triangles, shape, **options).sum(axis=0)
        assert counts[pixel] == 1
        assert counts.max() == 1
        assert sum(polymask.contains(t, middle[None], **options)[0] for t in triangles) == 1
        assert (polymask.label_mask(triangles, shape, **options) > 0).sum() == counts.sum()
        assert polymask.pixel_counts(triangles, shape, **options).sum() == counts.sum()
        statistics = polymask.polygon_statistics(triangles, np.ones(shape), **options)
        assert statistics.sum.sum() == counts.sum()
        sums = polymask.rasterize(
            triangles, shape, transform=(1, 0, -0.5, 0, 1, -0.5), merge_alg="add", **options
        )
        np.testing.assert_array_equal(sums, counts)
        gaps += polymask.polygon_masks(triangles, shape, border_value=None).sum(axis=0)[pixel] != 1
    assert gaps > 0  # else the fans would test nothing
