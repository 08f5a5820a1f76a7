"""Forms of polygons: rings, GeoJSON, shapely's objects, and bad ones."""

import numpy as np
import pytest
from cases import folded
from functions import MANY, ONE, same
from polygons import HOLE, OUTER, SHAPE, TRIANGLE, by_rings, closed, geojson, mask_of

import polymask


def test_an_array_of_rings():
    rings = np.stack([TRIANGLE, TRIANGLE / 2 + 2])
    np.testing.assert_array_equal(mask_of(rings), by_rings(list(rings), SHAPE))


def test_order_rc_swaps_the_columns_and_not_the_shape():
    for polygons in ([TRIANGLE, OUTER], [[TRIANGLE.tolist()], [OUTER.tolist(), HOLE.tolist()]]):
        swapped = [[np.array(ring)[..., ::-1] for ring in polygon] for polygon in polygons]
        for name, function in (ONE | MANY).items():
            if name in ("contains", "rasterize"):
                continue
            result = function(swapped, SHAPE, order="rc")
            result = result[:, ::-1] if name == "pixel_centroids" else result
            same(result, function(polygons, SHAPE))
    points = np.array([(2, 5), (5, 2), (4, 4), (2, 2.5)])
    result = polymask.contains(TRIANGLE[:, ::-1], points[:, ::-1], order="rc")
    same(result, polymask.contains(TRIANGLE, points))


def test_geojson_polygon_feature_and_positions_with_altitude():
    expected = mask_of([OUTER, HOLE])
    polygon = geojson("Polygon", [closed(OUTER), closed(HOLE)])
    np.testing.assert_array_equal(mask_of(polygon), expected)
    np.testing.assert_array_equal(mask_of({"type": "Feature", "geometry": polygon}), expected)
    high = geojson("Polygon", [[(*p, 99.0) for p in closed(r)] for r in (OUTER, HOLE)])
    np.testing.assert_array_equal(mask_of(high), expected)


def test_empty_geometries_give_empty_masks():
    assert not mask_of(geojson("MultiPolygon", [])).any()
    assert not mask_of({"type": "Feature", "geometry": None}).any()
    assert not polymask.contains(geojson("Polygon", []), [(1, 1)]).any()


def test_shapely():
    shapely = pytest.importorskip("shapely")
    polygon = shapely.Polygon(OUTER, [HOLE])
    np.testing.assert_array_equal(mask_of(polygon), mask_of([OUTER, HOLE]))
    multi = shapely.MultiPolygon([shapely.Polygon(TRIANGLE), shapely.Polygon(OUTER + 30)])
    np.testing.assert_array_equal(mask_of(multi), mask_of(TRIANGLE))
    assert not mask_of(shapely.Polygon()).any()


def test_parts_without_rings_are_ignored():
    """Shapely writes such a part as [[]]."""
    shapely = pytest.importorskip("shapely")
    multi = shapely.MultiPolygon([shapely.Polygon(), shapely.Polygon(TRIANGLE)])
    for form in multi, geojson("MultiPolygon", [[[]], [], [TRIANGLE.tolist()]]):
        np.testing.assert_array_equal(mask_of(form), mask_of(TRIANGLE))
        np.testing.assert_array_equal(
            polymask.label_mask([form, TRIANGLE + 3], SHAPE),
            polymask.label_mask([TRIANGLE, TRIANGLE + 3], SHAPE),
        )
    assert not mask_of(geojson("Polygon", [[]])).any()


@folded(
    ("polygon", "error", "message"),
    [
        (geojson("Point", [1, 2]), ValueError, "'Point'"),
        ({"coordinates": []}, ValueError, "without 'type'"),
        ({"type": "FeatureCollection", "features": []}, ValueError, "label_mask"),
        (geojson("Polygon", [[(1, 1), (2, 2)]]), ValueError, "at least 3 vertices"),
        (geojson("Polygon", [1, 2, 3]), ValueError, "not nested"),
        (geojson("Polygon", np.array([(1, 1), (2, 2), (3, 1)])), ValueError, "not nested"),
        (geojson("Polygon", [(1, 1), (2, 2), (3, 1)]), ValueError, "not nested"),
        ({"type": "MultiPolygon"}, ValueError, "has no member 'coordinates'"),
        ([OUTER, [(1, 1), (2, np.nan), (4, 4)]], ValueError, "vertex 1 is not finite"),
        (np.zeros((2, 2, 2, 2)), ValueError, "shape"),
    ],
)
def test_bad_polygons(polygon, error, message):
    out = np.full(SHAPE, 9, np.uint8)
    with pytest.raises(error, match=message):
        polymask.polygon_mask(polygon, SHAPE, out=out)
    with pytest.raises(error, match=message):
        polymask.contains(polygon, [(1, 1)])
    assert (out == 9).all()
