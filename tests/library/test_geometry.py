"""Forms of polygons: rings, GeoJSON, shapely's objects, and what is none."""

import numpy as np
import pytest
from cases import folded
from polygons import COUNTRIES, HOLE, OUTER, SHAPE, TRIANGLE, by_rings, closed, geojson, mask_of

import polymask
from polymask.ladder import reference


def test_rings_share_one_parity():
    expected = by_rings([OUTER, HOLE], SHAPE)
    assert expected[6, 8] == 0
    assert expected[2, 3] == 1
    for rings in ([OUTER, HOLE], [HOLE, OUTER], (OUTER.tolist(), HOLE.tolist())):
        np.testing.assert_array_equal(mask_of(rings), expected)
    without = by_rings([OUTER, HOLE], SHAPE, border_value=False)
    np.testing.assert_array_equal(mask_of([OUTER, HOLE], border_value=False), without)


def test_an_array_of_rings():
    rings = np.stack([TRIANGLE, TRIANGLE / 2 + 2])
    np.testing.assert_array_equal(mask_of(rings), by_rings(list(rings), SHAPE))


def test_order_rc_swaps_the_columns_and_not_the_shape():
    np.testing.assert_array_equal(mask_of(TRIANGLE[:, ::-1], order="rc"), mask_of(TRIANGLE))
    swapped = [OUTER[:, ::-1], HOLE[:, ::-1]]
    np.testing.assert_array_equal(mask_of(swapped, order="rc"), mask_of([OUTER, HOLE]))
    nested = [[TRIANGLE.tolist()], [OUTER.tolist(), HOLE.tolist()]]  # as in a MultiPolygon
    swapped = [[[[y, x] for x, y in ring] for ring in rings] for rings in nested]
    np.testing.assert_array_equal(mask_of(swapped, order="rc"), mask_of(nested))


def test_geojson_polygon_feature_and_positions_with_altitude():
    expected = mask_of([OUTER, HOLE])
    polygon = geojson("Polygon", [closed(OUTER), closed(HOLE)])
    np.testing.assert_array_equal(mask_of(polygon), expected)
    np.testing.assert_array_equal(mask_of({"type": "Feature", "geometry": polygon}), expected)
    high = geojson("Polygon", [[(*p, 99.0) for p in closed(r)] for r in (OUTER, HOLE)])
    np.testing.assert_array_equal(mask_of(high), expected)


@pytest.mark.parametrize("packed", [False, True])
def test_multipolygon_is_the_or_of_its_polygons(packed):
    overlapping = [OUTER, OUTER / 2 + (9, 5), TRIANGLE - 3]
    multi = geojson("MultiPolygon", [[closed(ring)] for ring in overlapping])
    expected = np.bitwise_or.reduce([mask_of(ring) for ring in overlapping])
    if packed:
        expected = np.packbits(expected, axis=1, bitorder="little")
    found = polymask.polygon_mask(multi, SHAPE, packed=packed, dtype=np.uint8)
    np.testing.assert_array_equal(found, expected)
    out = np.full_like(expected, 255)
    polymask.polygon_mask(multi, SHAPE, packed=packed, out=out)
    np.testing.assert_array_equal(out, expected)
    assert (polymask.contains(multi, [(9, 9)]) == bool(mask_of(multi)[9, 9])).all()


def test_multipolygon_with_huge_coordinates_reaches_everywhere():
    """A crossing that is rounded far off leaves a row's left end inside: no window may cut it."""
    wild = [(3e153, -3e153), (-3e153, 3e153), (5.0, 3.0)]
    multi = geojson("MultiPolygon", [[wild], [TRIANGLE.tolist()]])
    expected = reference.by_rule(wild, SHAPE) | reference.by_rule(TRIANGLE, SHAPE)
    np.testing.assert_array_equal(mask_of(multi), expected)


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


def test_a_part_without_rings_is_none():
    """In shapely's words it is [[]]."""
    shapely = pytest.importorskip("shapely")
    multi = shapely.MultiPolygon([shapely.Polygon(), shapely.Polygon(TRIANGLE)])
    for form in multi, geojson("MultiPolygon", [[[]], [], [TRIANGLE.tolist()]]):
        np.testing.assert_array_equal(mask_of(form), mask_of(TRIANGLE))
        np.testing.assert_array_equal(
            polymask.label_mask([form, TRIANGLE + 3], SHAPE),
            polymask.label_mask([TRIANGLE, TRIANGLE + 3], SHAPE),
        )
    assert not mask_of(geojson("Polygon", [[]])).any()


def test_shapely_agrees_away_from_the_edges():
    shapely = pytest.importorskip("shapely")
    r = np.random.default_rng(4)
    angle = np.sort(r.uniform(0, 2 * np.pi, 40))
    radius = r.uniform(20, 45, 40)
    polygon = shapely.Polygon(
        np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]) + 50
    )
    y, x = np.mgrid[:100, :100]
    np.testing.assert_array_equal(
        polymask.polygon_mask(polygon, (100, 100)), shapely.contains_xy(polygon, x, y)
    )


def test_south_africa_has_a_hole():
    south_africa = next(
        f for f in COUNTRIES["features"] if f["properties"]["name"] == "South Africa"
    )
    rings = south_africa["geometry"]["coordinates"]
    assert len(rings) == 2
    lesotho = np.mean(rings[1], axis=0)
    pretoria = (28.2, -25.7)
    assert polymask.contains(south_africa, [lesotho, pretoria]).tolist() == [False, True]
    assert polymask.contains(rings[0], [lesotho]).tolist() == [True]


@folded(
    ("polygon", "error", "message"),
    [
        (geojson("Point", [1, 2]), ValueError, "'Point'"),
        ({"coordinates": []}, ValueError, "no type among the keys"),
        ({"type": "FeatureCollection", "features": []}, ValueError, "label_mask"),
        (geojson("Polygon", [[(1, 1), (2, 2)]]), ValueError, "3 vertices or more"),
        (geojson("Polygon", [1, 2, 3]), ValueError, "not nested"),
        (geojson("Polygon", np.array([(1, 1), (2, 2), (3, 1)])), ValueError, "not nested"),
        (geojson("Polygon", [(1, 1), (2, 2), (3, 1)]), ValueError, "not nested"),
        ({"type": "MultiPolygon"}, ValueError, "has no coordinates"),
        ([OUTER, [(1, 1), (2, 2)]], ValueError, "3 vertices or more"),
        ([OUTER, [(1, 1), (2, np.nan), (4, 4)]], ValueError, "vertex 1 is not finite"),
        (np.where(TRIANGLE == 4, np.inf, TRIANGLE), ValueError, "vertex 1 is not finite"),
        (TRIANGLE + 1j, TypeError, "real numbers"),
        ("triangle", TypeError, "real numbers"),
        (None, TypeError, "real numbers"),
        ([], ValueError, "shape"),
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
