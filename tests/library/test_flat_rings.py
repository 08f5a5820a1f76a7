"""Vertices as COCO has them, x, y, x, y, ...: what is made of them is what is made of the pairs."""

import array
import mmap
import re

import numpy as np
import pytest
from cases import folded
from polygons import HOLE, OUTER, SHAPE, TRIANGLE, random_polygons

import polymask
from polymask.geodata.ragged import ragged

ONE = {
    "polygon_mask": polymask.polygon_mask,
    "contains": lambda polygon, shape, **how: polymask.contains(
        polygon, np.argwhere(np.ones(shape)) / 2, **how
    ),
    "coverage": polymask.coverage,
    "polygon_runs": polymask.polygon_runs,
}
MANY = {
    "label_mask": polymask.label_mask,
    "label_runs": polymask.label_runs,
    "pixel_counts": polymask.pixel_counts,
    "pixel_centroids": polymask.pixel_centroids,
    "polygon_masks": polymask.polygon_masks,
    "polygon_statistics": lambda polygons, shape, **how: polymask.polygon_statistics(
        polygons, np.arange(np.prod(shape)).reshape(shape), **how
    ),
}


def flat_forms(pairs):
    """Return a polygon's vertices in each flat form that holds them to the bit."""
    flat = np.ravel(pairs)
    forms = [flat, flat.tolist(), tuple(flat.tolist()), list(flat), flat.astype(object)]
    forms += [np.repeat(flat, 3)[::3], flat[::-1].copy()[::-1], flat.astype(">f8")]
    for dtype in (np.float32, np.int16):
        with np.errstate(all="ignore"):
            if (flat.astype(dtype) == flat).all():
                forms.append(flat.astype(dtype))
    return [*forms, [flat.tolist()], (tuple(flat.tolist()),), [flat], flat[np.newaxis]]


def assert_same(found, expected):
    """Compare arrays, or tuples of them."""
    tuples = isinstance(expected, tuple)
    for one, other in zip(*((found, expected) if tuples else ([found], [expected])), strict=True):
        np.testing.assert_array_equal(one, other)


def test_every_form_is_the_polygon_of_its_pairs():
    lengths = set()
    for pairs, shape in random_polygons(60, seed=5):
        expected = polymask.polygon_mask(pairs, shape)
        forms = flat_forms(pairs)
        lengths.add(len(forms))
        for form in forms:
            np.testing.assert_array_equal(polymask.polygon_mask(form, shape), expected)
    assert lengths == {12, 13, 14}  # reals, halves, and whole numbers


@folded("how", [{}, {"order": "rc"}, {"offset": (3, -2), "center": True}])
@folded("name", ONE)
def test_one_polygon(name, how):
    if name == "contains":
        how = {key: value for key, value in how.items() if key == "order"}
    for pairs in (TRIANGLE, OUTER, OUTER + 0.25):
        expected = ONE[name](pairs, SHAPE, **how)
        for form in flat_forms(pairs):
            assert_same(ONE[name](form, SHAPE, **how), expected)


@folded("how", [{}, {"order": "rc"}, {"offset": (3, -2), "center": True}])
@folded("name", MANY)
def test_many_polygons(name, how):
    polygons = [TRIANGLE, OUTER, HOLE, TRIANGLE + 0.25]
    expected = MANY[name](polygons, SHAPE, **how)
    for forms in zip(*map(flat_forms, polygons), strict=False):
        assert_same(MANY[name](list(forms), SHAPE, **how), expected)
    mixed = [TRIANGLE.ravel(), [OUTER], [HOLE.ravel().tolist()], TRIANGLE + 0.25]
    assert_same(MANY[name](mixed, SHAPE, **how), expected)


def test_the_rest_of_the_functions_for_many():
    polygons = [TRIANGLE, OUTER]
    flat = [polygon.ravel().tolist() for polygon in polygons]
    assert polymask.coco_rle(flat, SHAPE) == polymask.coco_rle(polygons, SHAPE)
    for found, expected in zip(
        polymask.polygon_crops(flat, SHAPE), polymask.polygon_crops(polygons, SHAPE), strict=True
    ):
        assert found[0] == expected[0]
        np.testing.assert_array_equal(found[1], expected[1])
    expected = polymask.rasterize(polygons, SHAPE, values=[7, 9])
    for shapes in (list(zip(flat, (7, 9), strict=True)), [(tuple(flat[0]), 7), ([flat[1]], 9)]):
        np.testing.assert_array_equal(polymask.rasterize(shapes, SHAPE), expected)


def test_sets_of_them_are_ragged_arrays_of_one_ring_each():
    polygons = [TRIANGLE, OUTER, HOLE]
    expected = ragged(polygons)
    flat = [polygon.ravel() for polygon in polygons]
    objects = np.empty(3, object)
    objects[:] = flat
    for form in (flat, tuple(flat), iter(flat), [[one] for one in flat], objects):
        found = ragged(form)
        assert found.features == 3
        np.testing.assert_array_equal(found.vertices, expected.vertices)
        np.testing.assert_array_equal(found.ring_offsets, expected.ring_offsets)


def test_flat_vertices_may_share_memory_with_out():
    shape = 6, 8
    memory = np.zeros(shape)
    flat = memory.reshape(-1)[: TRIANGLE.size]
    flat[:] = TRIANGLE.ravel()
    out = memory.view(np.uint8).reshape(-1)[: 6 * 8].reshape(shape)
    found = polymask.polygon_mask(flat, shape, out=out)
    np.testing.assert_array_equal(found, polymask.polygon_mask(TRIANGLE, shape))


def test_parts_of_coco_are_refused_and_joined_as_the_refusal_says():
    """Where they overlap, even-odd over all rings would be another mask than COCO's union."""
    rings = [OUTER.ravel().tolist(), (HOLE + (3, 0)).ravel().tolist(), TRIANGLE.ravel().tolist()]
    union = np.zeros(SHAPE, bool)
    for ring in rings:
        union |= polymask.polygon_mask(ring, SHAPE)
    even_odd = polymask.polygon_mask([OUTER, HOLE + (3, 0), TRIANGLE], SHAPE)
    assert (union != even_odd).any()
    why = "COCO takes the union of flat rings, while rings here are even-odd: for that pass "
    with pytest.raises(ValueError, match=why) as said:
        polymask.polygon_mask(rings, SHAPE)
    advice = re.search(r"for that pass (.*)$", str(said.value))[1]
    joined = eval(advice, {"np": np, "rings": rings})
    np.testing.assert_array_equal(polymask.polygon_mask(joined, SHAPE), union)
    np.testing.assert_array_equal(polymask.label_mask([joined], SHAPE), union)
    np.testing.assert_array_equal(polymask.polygon_masks(rings, SHAPE).any(axis=0), union)
    assert "`polygon_masks(rings, shape).any(axis=0)`" in polymask.polygon_mask.__doc__


def test_a_bad_one_is_named():
    flat = TRIANGLE.ravel().tolist()
    for bad, match in (
        ([*flat[:3], np.nan, *flat[4:]], r"vertex 1 is not finite: \(9.0, nan\)"),
        ([*flat, np.inf, 1.0], r"vertex 3 is not finite"),
        (
            flat[:4],
            r"got \(4,\); a flat list x, y, x, y, ... needs an even number of values, at least 6$",
        ),
        (flat[:5], r"got \(5,\); a flat list"),
        ([*flat, 1.0], r"got \(7,\); a flat list"),
    ):
        for form in (bad, tuple(bad), np.array(bad)):
            with pytest.raises(ValueError, match=match):
                polymask.polygon_mask(form, SHAPE)
            with pytest.raises(ValueError, match=f"^polygon 1: .*{match}"):
                polymask.label_mask([TRIANGLE, form], SHAPE)


@pytest.mark.parametrize("one", [lambda wkb: wkb, lambda wkb: [wkb], lambda wkb: (wkb,)])
def test_the_bytes_of_wkb_are_no_coordinates(one):
    wkb = mmap.mmap(-1, 86)  # as a file has them, an even number
    with wkb, pytest.raises(TypeError, match=r"real numbers.*got mmap"):
        polymask.polygon_mask(one(wkb), SHAPE)
    with pytest.raises(TypeError, match=r"real numbers.*got bytearray"):
        polymask.label_mask([[bytearray(86)]], SHAPE)


def test_numbers_of_eight_bits_are_coordinates():
    flat = np.ravel(TRIANGLE).astype(np.uint8)
    expected = polymask.polygon_mask(flat.reshape(-1, 2), SHAPE)
    for ring in (flat, [flat], list(flat), array.array("d", flat), memoryview(flat.astype(float))):
        np.testing.assert_array_equal(polymask.polygon_mask(ring, SHAPE), expected)
