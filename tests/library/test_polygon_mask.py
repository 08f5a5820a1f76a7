"""`polygon_mask`: the mask itself, windows of it, pixels' centres and packed bits."""

import functools

import numpy as np
import pytest
from cases import folded
from functions import MANY, ONE, same
from polygons import OUTER, SHAPE, TRIANGLE, by_rings, mask_of

import polymask
from ladder.registry import reference, workload
from polymask import contract
from polymask.masks import _engine


def test_polygon_mask_is_bool_by_default():
    mask = polymask.polygon_mask(TRIANGLE, SHAPE)
    assert mask.dtype == bool
    np.testing.assert_array_equal(mask, reference.by_rule(TRIANGLE, SHAPE).astype(bool))
    assert polymask.polygon_mask(TRIANGLE, SHAPE, dtype="uint8").dtype == np.uint8


@folded("x", [4, 4.5, True, 2**53 + 1, -(2**63), 2**63, 1e99, *map(np.float64, (4.5, 1e99))])
@folded("form", [list, tuple, np.array, lambda ring: ring[:2] + [[np.float32(7), ring[2][1]]]])
def test_the_frequent_forms_of_a_polygon(form, x):
    """Most are read without NumPy, whose conversion gives the same: here, of an array of rings."""
    polygon = form([(1, 1), [30.25, 2], [x, 20]])
    rings = np.array([polygon], float)
    for options in ({}, {"offset": (3, -2)}, {"center": 1}, {"packed": 1}, {"dtype": "uint8"}):
        expected = polymask.polygon_mask(rings, SHAPE, **options)
        same(polymask.polygon_mask(polygon, SHAPE, **options), expected)
        options["out"] = np.full_like(expected, 7)
        same(polymask.polygon_mask(polygon, SHAPE, **options), expected)
    same(ONE["contains"](polygon, SHAPE), ONE["contains"](rings, SHAPE))


@folded("far", [np.nextafter(2.0**510, 1e200), 1e155, -1e200, 1.7e308])
@folded("form", [list, np.array, lambda ring: [OUTER, ring]])
def test_vertices_whose_products_would_overflow_are_rejected(form, far):
    """According to the rule, some polygons beside the image would contain all of it."""
    bad = form([(1, 2), (far, 5), (-7, 30)])
    calls = [functools.partial(function, bad) for function in ONE.values()]
    calls += [functools.partial(function, [OUTER, bad]) for function in MANY.values()]
    for call in (*calls, functools.partial(polymask.polygon_mask, bad, watertight=True)):
        with pytest.raises(ValueError, match=r"1.*beyond.*2\*\*5?10?"):
            call(SHAPE)


@pytest.mark.parametrize("variable", ["POLYMASK_ISA", "POLYMASK_STORES"])
def test_unknown_settings_are_errors_that_name_them(variable, monkeypatch):
    """Other compiled modules have their own engine, which reads the settings in each call."""
    calls = [
        lambda: polymask.polygon_mask(TRIANGLE, SHAPE),
        lambda: polymask.polygon_mask(TRIANGLE, SHAPE, packed=True),
    ]
    if variable == "POLYMASK_ISA":
        calls.append(lambda: polymask.coverage(TRIANGLE, SHAPE))
        calls.append(lambda: polymask.pixel_counts([TRIANGLE], SHAPE))
    for call in calls:
        call()
    monkeypatch.setenv(variable, "mmx")
    for call in calls:
        with pytest.raises(contract.BadSetting, match=f"{variable}=mmx"):
            call()


@pytest.mark.parametrize("packed", [False, True])
def test_all_bytes_of_memory_that_is_not_zero_are_written(packed, monkeypatch):
    """In large masks only a polygon's own part may be written; the rest must be zero before."""
    monkeypatch.setattr(_engine, "empty", lambda shape, dtype: np.full(shape, 1, dtype))
    for size in (50, 1000, 6000):
        for part in (TRIANGLE, TRIANGLE * size / 10):
            mask = polymask.polygon_mask(part, (size, size), packed=packed)
            out = np.full(mask.shape, 7, mask.dtype)
            expected = polymask.polygon_mask(part, (size, size), packed=packed, out=out)
            assert np.array_equal(mask, expected)


@pytest.mark.slow
def test_forty_thousand_squared():
    """More than 2**31 samples: the packed mask, and windows of it as bytes."""
    shape = (40_000, 40_000)
    vertices = workload.polygon(24, shape, seed=2) + 0.25
    bits = polymask.polygon_mask(vertices, shape, packed=True)
    for r, c in [(0, 0), (39_990, 39_984), (20_000, 31_008), (39_000, 16)]:
        window = mask_of(vertices, (10, 16), offset=(r, c))
        packed = np.packbits(window, axis=1, bitorder="little")
        np.testing.assert_array_equal(bits[r : r + 10, c // 8 : c // 8 + 2], packed)
        np.testing.assert_array_equal(window, by_rings([vertices], (10, 16), x0=c, y0=r))
