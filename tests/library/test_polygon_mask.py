"""`polygon_mask`: the mask itself, windows of it, pixels' centres and packed bits."""

import numpy as np
import pytest
from cases import folded
from polygons import OUTER, SHAPE, TRIANGLE, by_rings, geojson, mask_of, random_polygons

import polymask
from polymask import contract
from polymask.ladder import reference, workload
from polymask.masks import _engine

# The mask.


def test_polygon_mask_is_bool_unless_told():
    mask = polymask.polygon_mask(TRIANGLE, SHAPE)
    assert mask.dtype == bool
    np.testing.assert_array_equal(mask, reference.by_rule(TRIANGLE, SHAPE).astype(bool))
    assert polymask.polygon_mask(TRIANGLE, SHAPE, dtype="uint8").dtype == np.uint8


@pytest.mark.slow
@folded("threads", [1, 2, 3, 4])
@folded("isa", ["plain", "neon", "avx2", "avx512"])
def test_equals_the_reference(isa, threads, monkeypatch):
    if isa not in _engine.instruction_sets():
        pytest.skip(f"this processor has no {isa}")
    monkeypatch.setenv("POLYMASK_ISA", isa)
    for number, (vertices, shape) in enumerate(random_polygons(300, seed=threads)):
        border_value = bool(number % 2)
        expected = reference.by_rows(vertices, shape, border_value)
        found = mask_of(vertices, shape, border_value=border_value, threads=threads)
        np.testing.assert_array_equal(found, expected, err_msg=repr((vertices, shape)))


def test_far_vertices_as_long_as_no_product_overflows():
    """The image lies on one side of a long edge, or on the other, and far from it."""
    far = 2.0**510
    for end, inside in ((far, True), (-far / 2, False)):
        vertices = [(-far, -far), (end, -far / 2), (end, far), (-far, far)]
        mask = polymask.polygon_mask(vertices, SHAPE)
        assert (mask == inside).all()
        np.testing.assert_array_equal(mask, reference.by_rule(vertices, SHAPE))


@folded("far", [np.nextafter(2.0**510, 1e200), 1e155, -1e200, 1.7e308])
@folded("of", [list, np.array, lambda ring: [OUTER, ring]])
def test_vertices_whose_products_would_overflow_are_refused(of, far):
    """By the rule the whole image is inside some polygons that lie beside it."""
    bad = of([(1, 2), (far, 5), (-7, 30)])
    image = np.ones(SHAPE)
    for call in (
        lambda: polymask.polygon_mask(bad, SHAPE),
        lambda: polymask.polygon_mask(bad, SHAPE, watertight=True),
        lambda: polymask.polygon_mask(bad, SHAPE, all_touched=True),
        lambda: polymask.contains(bad, [(1, 1)]),
        lambda: polymask.label_mask([OUTER, bad], SHAPE),
        lambda: polymask.polygon_masks([bad], SHAPE),
        lambda: polymask.polygon_crops([bad], SHAPE),
        lambda: polymask.polygon_runs(bad, SHAPE),
        lambda: polymask.label_runs([bad], SHAPE),
        lambda: polymask.pixel_counts([bad], SHAPE),
        lambda: polymask.pixel_centroids([bad], SHAPE),
        lambda: polymask.polygon_statistics([bad], image),
        lambda: polymask.coverage(bad, SHAPE),
        lambda: polymask.rasterize([bad], SHAPE),
        lambda: polymask.coco_rle([bad], SHAPE),
    ):
        with pytest.raises(ValueError, match=r"1.*beyond.*2\*\*5?10?"):
            call()


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("variable", ["POLYMASK_ISA", "POLYMASK_STORES"])
def test_unknown_settings_are_errors_that_name_them(variable, packed, monkeypatch):
    monkeypatch.setenv(variable, "mmx")
    with pytest.raises(contract.BadSetting, match=f"{variable}=mmx"):
        polymask.polygon_mask(TRIANGLE, SHAPE, packed=packed)


@pytest.mark.parametrize(
    "call",
    [
        lambda: polymask.coverage(TRIANGLE, SHAPE),
        lambda: polymask.pixel_counts([TRIANGLE], SHAPE),
    ],
    ids=["coverage", "pixel_counts"],
)
def test_unknown_settings_are_errors_of_other_functions(call, monkeypatch):
    """Other compiled modules have an engine of their own, which reads them in each call."""
    call()
    monkeypatch.setenv("POLYMASK_ISA", "mmx")
    with pytest.raises(contract.BadSetting, match="POLYMASK_ISA=mmx"):
        call()


@folded("cols", [w + d for w in (1, 8, 16, 32, 64, 128, 512) for d in (-1, 0, 1)])
def test_every_width(cols):
    for seed in range(4):
        vertices = np.array(workload.polygon(11, (9, max(cols, 1)), seed)) + seed / 3
        expected = reference.by_rows(vertices, (9, cols))
        np.testing.assert_array_equal(mask_of(vertices, (9, cols)), expected)
        bits = np.packbits(expected, axis=1, bitorder="little")
        np.testing.assert_array_equal(polymask.polygon_mask(vertices, (9, cols), packed=True), bits)


def test_large_masks_agree_with_the_reference():
    """Fresh pages, several bands, streaming stores: what small images never reach."""
    shape = (6007, 7001)
    vertices = workload.polygon(61, shape, seed=3)
    expected = reference.by_rows(vertices, shape)
    assert np.array_equal(mask_of(vertices, shape), expected)
    out = np.full(shape, 7, np.uint8)
    assert np.array_equal(mask_of(vertices, shape, out=out), expected)


@pytest.mark.parametrize("packed", [False, True])
def test_memory_that_is_not_zero_is_written_whole(packed, monkeypatch):
    """In large masks only a polygon's own part may be: there the memory has to be zero before."""
    monkeypatch.setattr(_engine, "empty", lambda shape, dtype: np.full(shape, 1, dtype))
    for size in (50, 1000, 6000):
        for part in (TRIANGLE, TRIANGLE * size / 10):
            found = polymask.polygon_mask(part, (size, size), packed=packed)
            out = np.full(found.shape, 7, found.dtype)
            expected = polymask.polygon_mask(part, (size, size), packed=packed, out=out)
            assert np.array_equal(found, expected)


@pytest.mark.slow
def test_a_hundred_thousand_edges():
    shape = (300, 400)
    vertices = workload.polygon(100_000, shape, seed=1)
    assert np.array_equal(mask_of(vertices, shape), reference.by_rows(vertices, shape))


@pytest.mark.proof("csrc/engine/src/**/*")
def test_forty_thousand_squared():
    """Beyond 2**31 samples: packed whole, and windows of it as bytes."""
    shape = (40_000, 40_000)
    vertices = workload.polygon(24, shape, seed=2) + 0.25
    bits = polymask.polygon_mask(vertices, shape, packed=True)
    for r, c in [(0, 0), (39_990, 39_984), (20_000, 31_008), (39_000, 16)]:
        window = mask_of(vertices, (10, 16), offset=(r, c))
        packed = np.packbits(window, axis=1, bitorder="little")
        np.testing.assert_array_equal(bits[r : r + 10, c // 8 : c // 8 + 2], packed)
        np.testing.assert_array_equal(window, by_rings([vertices], (10, 16), x0=c, y0=r))


# Windows, centres, bits, points.


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("packed", [False, True])
def test_windows_tile_the_whole(center, packed):
    vertices = np.array(workload.polygon(17, (61, 83), 5)) / 3 + (20.1, 7.7)
    options = {"center": center, "packed": packed}
    whole = polymask.polygon_mask(vertices, (61, 80), **options)
    rows = []
    for top in range(0, 61, 20):
        height = min(20, 61 - top)
        tiles = [
            polymask.polygon_mask(vertices, (height, 16), offset=(top, left), **options)
            for left in range(0, 80, 16)
        ]
        rows.append(np.hstack(tiles))
    np.testing.assert_array_equal(np.vstack(rows), whole)


def test_windows_at_negative_offsets():
    whole = mask_of(TRIANGLE, (20, 30), offset=(-5, -7))
    assert not whole[:5].any()
    np.testing.assert_array_equal(whole[5:, 7:], mask_of(TRIANGLE, (15, 23)))


@pytest.mark.parametrize("seed", range(4))
def test_center_moves_the_sample_not_the_polygon(seed):
    vertices = np.random.default_rng(seed).uniform(0, 20, (9, 2))
    expected = by_rings([vertices], SHAPE, x0=0.5, y0=0.5)
    np.testing.assert_array_equal(mask_of(vertices, center=True), expected)


@pytest.mark.parametrize("packed", [False, True])
def test_center_and_offset_of_parts_that_end_at_the_window(packed):
    """A part is filled in the box that its samples can be in, and this moves with them."""
    parts = [(0, 0), (17.4, 0), (0, 14.4), (17.4, 14.4)]
    parts = [np.array([(-2.6, -2.6), (2.6, -2.6), (2.6, 2.6), (-2.6, 2.6)]) + at for at in parts]
    polygon = geojson("MultiPolygon", [[part.tolist()] for part in parts])
    for offset in (0, 0), (-3, 2), (2, -5):
        how = {"center": True, "offset": offset, "packed": packed}
        expected = np.bitwise_or.reduce([mask_of(part, **how) for part in parts])
        np.testing.assert_array_equal(mask_of(polygon, **how), expected)


def test_center_stamps_vertices_at_half_integers():
    vertices = TRIANGLE + 0.5
    for border_value in True, False:
        found = mask_of(vertices, center=True, border_value=border_value)
        np.testing.assert_array_equal(found, by_rings([vertices], SHAPE, border_value, 0.5, 0.5))
