"""`on_invalid="skip"`: invalid polygons become empty, keep their numbers, and are named once."""

import inspect

import numpy as np
import pytest
from cases import folded
from functions import MANY, same
from polygons import OUTER, SHAPE, TRIANGLE, geojson

import polymask

BAD = np.array([(1, 1), (np.nan, 2), (3, 9)])
EMPTY = geojson("MultiPolygon", [])


@folded("name", [name for name in MANY if name != "rasterize"])
@folded(
    ("polygons", "valid", "message"),
    [
        ([OUTER, BAD, TRIANGLE], [OUTER, EMPTY, TRIANGLE], r"whole or in part: 1 \(vertex 1 is"),
        ([OUTER, [(1, 1)], "text", TRIANGLE.tolist()], [OUTER, EMPTY, EMPTY, TRIANGLE], r"2 \("),
        (np.stack([TRIANGLE, BAD]), [TRIANGLE, EMPTY], "1 .vertex 1 is not finite"),
        ([OUTER, geojson("Point", [1, 2])], [OUTER, EMPTY], r"1 \(Point\)"),
    ],
)
def test_invalid_polygons_keep_their_numbers(name, polygons, valid, message):
    with pytest.warns(UserWarning, match=message):
        result = MANY[name](polygons, SHAPE, on_invalid="skip")
    same(result, MANY[name](valid, SHAPE))


def test_geometries_of_shapely():
    shapely = pytest.importorskip("shapely")
    line = shapely.LineString([(0, 0), (9, 9)])
    both = shapely.GeometryCollection([shapely.Polygon(TRIANGLE), line])
    for polygons in ([both, line, shapely.Polygon(OUTER)], [b"no", shapely.to_wkb(line)]):
        with pytest.warns(UserWarning, match=r"0 \(.*1 \(LineString\)"):
            labels = polymask.label_mask(polygons, SHAPE, on_invalid="skip")
        assert np.unique(labels).tolist() == ([0, 1, 3] if both in polygons else [0])


def test_valid_polygons_give_no_warning_and_other_words_are_rejected(recwarn):
    polymask.label_mask([TRIANGLE], SHAPE, on_invalid="skip")
    assert not recwarn
    with pytest.raises(ValueError, match='on_invalid must be "raise" or "skip"'):
        polymask.label_mask([TRIANGLE], SHAPE, on_invalid="warn")


def test_options_are_in_the_signature_and_others_are_rejected():
    for name in ("polygon_mask", "label_mask", "pixel_counts", "coco_rle"):
        options = inspect.signature(getattr(polymask, name)).parameters
        assert {"border_value", "center", "watertight", "transform"} <= options.keys()
        assert ("on_invalid" in options) == (name != "polygon_mask")
    with pytest.raises(TypeError, match="'centre'; did you mean 'center'"):
        polymask.pixel_counts([TRIANGLE], SHAPE, centre=True)
    with pytest.raises(TypeError, match="offset, watertight, all_touched, threads"):
        polymask.polygon_mask(TRIANGLE, SHAPE, on_invalid="skip")
    with pytest.raises(TypeError, match="'offset'"):
        polymask.contains(TRIANGLE, [(1, 1)], offset=(1, 1))


def test_lazy_functions_have_the_options_and_texts_of_the_others():
    lazy = pytest.importorskip("polymask.dask")
    for name in ("label_mask", "polygon_mask", "rasterize", "polygon_statistics"):
        theirs = inspect.signature(getattr(polymask, name)).parameters
        own = inspect.signature(getattr(lazy, name)).parameters
        assert own.keys() - {"chunks"} == theirs.keys() - {"out", "progress"}
        assert own["threads"].default == 1
        text = getattr(lazy, name).__doc__
        for option in own.keys() - {"image"}:
            assert f"\n{option}" in text or f", {option}" in text, (name, option)
