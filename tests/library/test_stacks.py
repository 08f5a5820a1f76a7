"""`polygon_masks` and `polygon_crops`: each mask is `polygon_mask` of one polygon."""

import numpy as np
import pytest
from cases import folded
from polygons import COUNTRIES, HOLE, OUTER, SHAPE, TRIANGLE, geojson, read_only

import polymask
from polymask.masks import mask_stack

POLYGONS = [[OUTER, HOLE], TRIANGLE, TRIANGLE + 100, geojson("MultiPolygon", []), -TRIANGLE]


def single_masks(polygons, shape, **options):
    options.setdefault("dtype", np.uint8)
    return [polymask.polygon_mask(polygon, shape, **options) for polygon in polygons]


def test_crops_come_in_batches(monkeypatch):
    expected = list(polymask.polygon_crops(COUNTRIES, (180, 360), offset=(-90, -180)))
    for size in (1, 100, 5000):
        monkeypatch.setattr(mask_stack, "BATCH", size)
        crops = list(polymask.polygon_crops(COUNTRIES, (180, 360), offset=(-90, -180)))
        for (window, mask), (place, pixels) in zip(crops, expected, strict=True):
            assert window == place
            np.testing.assert_array_equal(mask, pixels)
            # keeping one mask keeps no others alive
            assert mask.base is None or mask.base.size == mask.size


@pytest.mark.parametrize("argument", ["vertices", "offsets"])
def test_arrays_may_change_between_crops(monkeypatch, argument):
    monkeypatch.setattr(mask_stack, "BATCH", 1)
    vertices, offsets = np.concatenate([TRIANGLE, TRIANGLE + 1]), np.array([0, 3, 6])
    expected = list(polymask.polygon_crops([TRIANGLE, TRIANGLE + 1], (9, 12)))
    crops = polymask.polygon_crops((vertices, offsets), (9, 12))
    first = next(crops)
    if argument == "vertices":
        vertices += 3
    else:
        offsets += 3
    for (window, mask), (place, pixels) in zip([first, *crops], expected, strict=True):
        assert window == place
        np.testing.assert_array_equal(mask, pixels)


def test_nothing_and_empty_images():
    assert polymask.polygon_masks([], (3, 4)).shape == (0, 3, 4)
    assert list(polymask.polygon_crops([], (3, 4))) == []
    for shape in ((0, 7), (7, 0)):
        assert polymask.polygon_masks(POLYGONS, shape).shape == (len(POLYGONS), *shape)
    for polygons, shape in ((POLYGONS, (0, 7)), ([TRIANGLE + 100], SHAPE)):
        for window, mask in polymask.polygon_crops(polygons, shape):
            assert window == (slice(0, 0), slice(0, 0))
            assert mask.shape == (0, 0)


def test_out_and_dtype():
    for dtype in (bool, np.uint8):
        out = np.full((3, *SHAPE), 9, np.uint8).view(dtype)
        assert polymask.polygon_masks(POLYGONS[:3], SHAPE, out=out) is out
        np.testing.assert_array_equal(out, single_masks(POLYGONS[:3], SHAPE, dtype=dtype))
    assert polymask.polygon_masks(POLYGONS, SHAPE).dtype == bool
    assert all(mask.dtype == bool for _, mask in polymask.polygon_crops(POLYGONS, SHAPE))


@folded(
    ("polygons", "options", "message"),
    [
        ([TRIANGLE, TRIANGLE], {"out": np.full((1, *SHAPE), 9, np.uint8)}, "out must have the sh"),
        ([TRIANGLE], {"out": read_only(np.full((1, *SHAPE), 9, np.uint8))}, "read-only"),
        ([TRIANGLE], {"dtype": np.int8}, "dtype must be bool or uint8"),
        ([TRIANGLE], {"threads": 0}, "threads"),
    ],
)
def test_bad_input(polygons, options, message):
    with pytest.raises(ValueError, match=message):
        polymask.polygon_masks(polygons, SHAPE, **options)
    if "out" in options:
        assert (options["out"] == 9).all()
    else:
        with pytest.raises(ValueError, match=message):  # before the first mask
            polymask.polygon_crops(polygons, SHAPE, **options)
