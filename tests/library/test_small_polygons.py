"""A small polygon in a large image: its rows and columns alone are filled, no pixel changes."""

import numpy as np
import pytest
from cases import folded

import polymask

KINDS = ("integers", "reals", "huge", "tiny")


def place(rng, kind, shape):
    """Return a polygon a ninth as large as the image, somewhere about it."""
    rows, cols = shape
    points = rng.uniform(0, 1, (int(rng.integers(3, 12)), 2)) * (cols / 9, rows / 9)
    points += rng.uniform(-0.2, 1.1, 2) * (cols, rows)
    if kind == "integers":
        return np.floor(points)
    if kind == "huge":
        points[rng.integers(len(points))] *= 10 ** rng.uniform(3, 150)
    if kind == "tiny":
        points[rng.integers(len(points))] *= 1e-310
    return points


def by_points(vertices, shape, *, center, offset, border_value):
    """Return the mask by the rule, point by point."""
    y, x = np.indices(shape) + np.array(offset).reshape(2, 1, 1) + center / 2
    points = np.stack([x.ravel(), y.ravel()], axis=1)
    return polymask.contains(vertices, points, border_value=border_value).reshape(shape)


@folded("kind", KINDS)
@folded("shape", [(70, 300), (300, 220)])  # below and above 64 KiB
def test_equals_the_rule_wherever_it_goes(kind, shape):
    rng = np.random.default_rng(1601)
    for _ in range(4):
        vertices = place(rng, kind, shape)
        how = {
            "border_value": bool(rng.integers(2)),
            "center": bool(rng.integers(2)),
            "offset": tuple(rng.integers(-20, 20, 2).tolist()),
        }
        expected = by_points(vertices, shape, **how)
        bits = np.packbits(expected, axis=1, bitorder="little")
        how["threads"] = int(rng.choice([1, 2, 7]))
        np.testing.assert_array_equal(polymask.polygon_mask(vertices, shape, **how), expected)
        packed = polymask.polygon_mask(vertices, shape, packed=True, **how)
        np.testing.assert_array_equal(packed, bits)
        out = np.full(shape, True)
        np.testing.assert_array_equal(
            polymask.polygon_mask(vertices, shape, out=out, **how), expected
        )
        out = np.full(bits.shape, 7, np.uint8)
        polymask.polygon_mask(vertices, shape, out=out, packed=True, **how)
        np.testing.assert_array_equal(out, bits)


def test_a_fresh_mask_of_many_pages_is_zero_elsewhere():
    """40 MB, of which the polygon has 60 rows, in memory that may have been used before."""
    shape = (5000, 8000)
    np.full(shape, 7, np.uint8)  # freed: what the allocator hands out next
    vertices = [(7000.5, 100.5), (7100.5, 130.25), (6990.5, 160.5)]
    mask = polymask.polygon_mask(vertices, shape)
    rows, cols = np.nonzero(mask)
    assert (rows.min(), rows.max()) == (101, 160)
    assert 6990 <= cols.min() <= cols.max() <= 7100
    window = polymask.polygon_mask(vertices, (61, 111), offset=(100, 6990))
    np.testing.assert_array_equal(mask[100:161, 6990:7101], window)


def test_bad_vertices_of_small_and_empty_images_are_refused():
    vertices = np.array([(1, 1), (2, np.nan), (0, 5)])
    for shape in ((9, 9), (0, 9), (9, 0), (900, 900)):
        with pytest.raises(ValueError, match="vertex 1 is not finite"):
            polymask.polygon_mask(vertices, shape)
    out = np.full((9, 9), 7, np.uint8)
    with pytest.raises(ValueError, match="vertex 1 is not finite"):
        polymask.polygon_mask(vertices, (9, 9), out=out)
    assert (out == 7).all()
