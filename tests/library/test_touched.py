"""`all_touched`: every pixel whose square a polygon touches, closed or open."""

import re

import numpy as np
import pytest
from checkouts import ROOT
from polygons import HOLE, OUTER, SHAPE, TRIANGLE, geojson

import polymask


def test_out_packed_and_parts():
    parts = geojson("MultiPolygon", [[OUTER.tolist()], [(HOLE + 6).tolist()]])
    masks = [polymask.polygon_mask(ring, SHAPE, all_touched="closed") for ring in (OUTER, HOLE + 6)]
    for polygon in (TRIANGLE, parts):
        whole = polymask.polygon_mask(polygon, SHAPE, all_touched=True, dtype="uint8")
        assert whole.dtype == np.uint8
        bits = np.packbits(whole, axis=1, bitorder="little")
        for out in (None, np.full(bits.shape, 7, np.uint8)):
            mask = polymask.polygon_mask(polygon, SHAPE, all_touched=True, packed=True, out=out)
            np.testing.assert_array_equal(mask, bits)
            assert out is None or mask is out
    np.testing.assert_array_equal(whole, masks[0] | masks[1])


@pytest.mark.parametrize("flag", [False, True])
def test_a_flag_of_numpy(flag):
    flags = np.array([flag])
    for function in (
        polymask.polygon_mask,
        lambda ring, *arguments, **options: polymask.label_mask([ring], *arguments, **options),
    ):
        mask = function(OUTER, SHAPE, all_touched=flags[0])
        np.testing.assert_array_equal(mask, function(OUTER, SHAPE, all_touched=flag))


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


def test_off_the_borders_gdal_has_the_same_pixels():
    for seed in range(40):
        ring = np.random.default_rng(seed).uniform(-3, 23, (6, 2))
        for squares in ("closed", "open"):
            mask = polymask.polygon_mask(ring, SHAPE, all_touched=squares, center=True)
            np.testing.assert_array_equal(mask, by_gdal(ring))


def test_on_borders_gdal_is_within_closed_squares_and_misses_some():
    """As described in docs/all_touched.md."""
    for seed in range(40):
        ring = np.random.default_rng(seed).integers(-3, 23, (6, 2)).astype(float)
        closed = polymask.polygon_mask(ring, SHAPE, all_touched=True, center=True)
        assert not (by_gdal(ring) & ~closed).any()
    polygon = np.array([(12, 3), (22, 21), (-2, 1), (2, 1), (12, 6), (9, 2)], float)
    assert polymask.polygon_mask(polygon, SHAPE, all_touched="open", center=True)[6, 4]


def test_the_counts_in_the_picture_and_its_text():
    page = (ROOT / "docs/all_touched.md").read_text(encoding="utf-8")
    picture = (ROOT / "docs/pictures/touched_squares.svg").read_text(encoding="utf-8")
    names = {}
    exec(re.search(r"```python\n(.*?)```", page, re.S)[1], names)
    counts = [str(names[name].sum()) for name in ("by_samples", "touched", "with_borders")]
    assert re.findall(r">(\d+) pixels<", picture) == counts
    assert re.findall(r"(?:samples|squares) (\d+)", re.search(r"!\[(.*?)\]", page)[1]) == counts
