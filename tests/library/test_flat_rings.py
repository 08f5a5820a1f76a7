"""Vertices as in COCO, x, y, x, y, ...: results equal those for pairs."""

import array
import re

import numpy as np
import pytest
from cases import folded
from functions import MANY, ONE, same
from polygons import HOLE, OUTER, SHAPE, TRIANGLE

import polymask


def flat_forms(pairs):
    """Return a polygon's vertices in each flat form that represents them exactly."""
    flat = np.ravel(pairs)
    forms = [flat, flat.tolist(), tuple(flat.tolist()), list(flat), flat.astype(object)]
    forms += [np.repeat(flat, 3)[::3], flat[::-1].copy()[::-1], flat.astype(">f8")]
    for dtype in (np.float32, np.int16):
        with np.errstate(all="ignore"):
            if (flat.astype(dtype) == flat).all():
                forms.append(flat.astype(dtype))
    return [*forms, [flat.tolist()], (tuple(flat.tolist()),), [flat], flat[np.newaxis]]


@folded("options", [{}, {"order": "rc"}])
@folded("name", ONE | MANY)
def test_every_function(name, options):
    if name == "rasterize":
        options = {}
    if name in ONE:
        for pairs in (TRIANGLE, OUTER, OUTER + 0.25):
            expected = ONE[name](pairs, SHAPE, **options)
            for form in flat_forms(pairs):
                same(ONE[name](form, SHAPE, **options), expected)
        return
    polygons = [TRIANGLE, OUTER, HOLE, TRIANGLE + 0.25]
    mixed = [TRIANGLE.ravel(), [OUTER], [HOLE.ravel().tolist()], TRIANGLE + 0.25]
    for forms in (*zip(*map(flat_forms, polygons), strict=False), mixed):
        same(MANY[name](list(forms), SHAPE, **options), MANY[name](polygons, SHAPE, **options))


def test_values_beside_flat_rings():
    flat = [TRIANGLE.ravel().tolist(), OUTER.ravel().tolist()]
    expected = polymask.rasterize([TRIANGLE, OUTER], SHAPE, values=[7, 9])
    for shapes in (list(zip(flat, (7, 9), strict=True)), [(tuple(flat[0]), 7), ([flat[1]], 9)]):
        same(polymask.rasterize(shapes, SHAPE), expected)


def test_parts_of_coco_are_rejected_with_advice_that_works():
    """Where parts overlap, even-odd over all rings differs from COCO's union."""
    rings = [OUTER.ravel().tolist(), (HOLE + (3, 0)).ravel().tolist(), TRIANGLE.ravel().tolist()]
    union = np.zeros(SHAPE, bool)
    for ring in rings:
        union |= polymask.polygon_mask(ring, SHAPE)
    even_odd = polymask.polygon_mask([OUTER, HOLE + (3, 0), TRIANGLE], SHAPE)
    assert (union != even_odd).any()
    message = "COCO takes the union of flat rings, but rings here are even-odd: for that pass "
    with pytest.raises(ValueError, match=message) as raised:
        polymask.polygon_mask(rings, SHAPE)
    advice = re.search(r"for that pass (.*)$", str(raised.value))[1]
    joined = eval(advice, {"np": np, "rings": rings})
    np.testing.assert_array_equal(polymask.polygon_mask(joined, SHAPE), union)
    np.testing.assert_array_equal(polymask.label_mask([joined], SHAPE), union)
    np.testing.assert_array_equal(polymask.polygon_masks(rings, SHAPE).any(axis=0), union)
    assert "`polygon_masks(rings, shape).any(axis=0)`" in polymask.polygon_mask.__doc__


def test_numbers_of_eight_bits_are_coordinates():
    flat = np.ravel(TRIANGLE).astype(np.uint8)
    expected = polymask.polygon_mask(flat.reshape(-1, 2), SHAPE)
    for ring in (flat, [flat], list(flat), array.array("d", flat), memoryview(flat.astype(float))):
        np.testing.assert_array_equal(polymask.polygon_mask(ring, SHAPE), expected)
