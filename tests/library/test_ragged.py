"""Ragged arrays of many polygons: each form equals `geometry.parts` of single polygons."""

import struct

import numpy as np
import pytest
from cases import folded
from polygons import COUNTRIES, HOLE, OUTER, TRIANGLE, closed, geojson, read_only

import polymask
from polymask.forms import geometry
from polymask.forms.ragged import Ragged, from_parts, join, ragged

OCTAGON = np.column_stack([np.cos(np.arange(8) * np.pi / 4), np.sin(np.arange(8) * np.pi / 4)])
COUNTRY_PARTS = [geometry.parts(feature) for feature in COUNTRIES["features"]]


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e300])
def test_arrays_made_by_hand_are_checked(bad):
    arrays = Ragged(np.array([(0, 0), (bad, 5), (9, 9)]), np.array([0, 3]))
    for function in (polymask.polygon_mask, polymask.label_mask):
        with pytest.raises(ValueError, match="vertex 1"):
            function(arrays, (12, 12))


def test_a_ragged_is_also_one_polygon_with_the_union_of_its_parts():
    arrays = ragged([OUTER, TRIANGLE, [HOLE]])
    expected = polymask.polygon_masks(arrays, (14, 21)).any(axis=0)
    np.testing.assert_array_equal(polymask.polygon_mask(arrays, (14, 21)), expected)


def octagons(count, seed=1):
    r = np.random.default_rng(seed)
    return OCTAGON * r.uniform(1, 9, (count, 1, 1)) + r.uniform(0, 99, (count, 1, 2))


def assert_same(result, expected):
    """Compare ragged arrays with a list of Rings per feature."""
    assert isinstance(result, Ragged)
    assert result.vertices.dtype == np.float64
    assert result.vertices.flags.c_contiguous
    assert result.features == len(expected)
    count = len(result.vertices)
    for offsets in result[1:]:
        if offsets is not None:
            assert offsets.dtype == np.int64
            assert (offsets[0], offsets[-1]) == (0, count)
            count = len(offsets) - 1
    for i, parts in enumerate(expected):
        actual = result.parts(i)
        assert len(actual) == len(parts)
        for part, expected_part in zip(actual, parts, strict=True):
            np.testing.assert_array_equal(part.vertices, expected_part.vertices)
            assert (part.starts is None) == (expected_part.starts is None)
            np.testing.assert_array_equal(part.starts, expected_part.starts)
        first, last = result.rings_of(i)
        assert last - first == sum(1 if part.starts is None else len(part.starts) for part in parts)


def parts_of(polygons, order="xy"):
    return [geometry.parts(polygon, order) for polygon in polygons]


@folded("order", ["xy", "rc"])
@folded(
    "polygons",
    [
        [OUTER, TRIANGLE, HOLE],
        (OUTER, TRIANGLE),
        [OUTER.tolist(), TRIANGLE.tolist()],
        [[OUTER, HOLE], [TRIANGLE]],
        [(OUTER, HOLE), TRIANGLE, [TRIANGLE.tolist()]],
        [OUTER.astype(np.float32), TRIANGLE.astype(np.int64), HOLE[::-1]],
        [np.stack([TRIANGLE, HOLE]), OUTER],
        [np.asfortranarray(OUTER), OUTER.astype(">f8"), TRIANGLE.astype(object)],
        [geojson("Polygon", [closed(OUTER), closed(HOLE)]), OUTER],
        [TRIANGLE.ravel(), [OUTER.ravel()], HOLE.ravel().tolist()],
        [geojson("MultiPolygon", []), {"type": "Feature", "geometry": None}, OUTER],
        [],
    ],
)
def test_sequences(polygons, order):
    assert_same(ragged(polygons, order), parts_of(polygons, order))
    assert_same(ragged(iter(polygons), order), parts_of(polygons, order))


@pytest.mark.parametrize(
    "polygons", [[None, OUTER], [OUTER.tolist(), None, [HOLE]], [None], [None] * 3]
)
def test_none_is_an_empty_feature(polygons):
    """As among shapely's geometries and WKB, and in Arrow."""
    expected = [[] if polygon is None else geometry.parts(polygon) for polygon in polygons]
    assert_same(ragged(polygons), expected)
    array = np.empty(len(polygons), object)
    array[:] = polygons
    assert_same(ragged(array), expected)


def test_feature_collection():
    result = ragged(COUNTRIES)
    assert_same(result, COUNTRY_PARTS)
    assert_same(ragged(result), COUNTRY_PARTS)
    assert_same(ragged(result[:4]), COUNTRY_PARTS)
    assert_same(from_parts([result.parts(i) for i in range(result.features)]), COUNTRY_PARTS)
    swapped = ragged(result, "rc")
    np.testing.assert_array_equal(swapped.vertices, result.vertices[:, ::-1])


def test_an_array_of_rings_of_one_length_is_not_copied():
    polygons = octagons(50)
    result = ragged(read_only(polygons))
    assert_same(result, parts_of(polygons))
    assert np.shares_memory(result.vertices, polygons)
    assert result.polygon_offsets is result.feature_offsets is None
    for other in (polygons.astype(np.float32), polygons[::3], polygons[:, ::-1], polygons[:0]):
        assert_same(ragged(other), parts_of(other))
    assert_same(ragged(polygons[..., ::-1], "rc"), parts_of(polygons))


def test_offsets_in_each_depth():
    vertices = octagons(6).reshape(-1, 2)
    rings = np.array([0, 8, 16, 24, 32, 40, 48], np.int32)
    for arrays in ((vertices, rings), (vertices, (rings,))):
        result = ragged(arrays)
        assert np.shares_memory(result.vertices, vertices)
        assert_same(result, parts_of(octagons(6)))
    polygons = np.array([0, 2, 2, 3, 6], np.uint64)
    expected = [octagons(6)[a:b] for a, b in ((0, 2), (2, 2), (2, 3), (3, 6))]
    expected = [geometry.parts(list(rings)) if len(rings) else [] for rings in expected]
    assert_same(ragged((vertices, rings, polygons)), expected)
    features = np.array([0, 0, 1, 4], np.int64)
    joined = [[], expected[0], expected[2] + expected[3]]
    assert_same(ragged((vertices, rings, polygons, features)), joined)
    assert_same(
        ragged(Ragged(vertices, rings, None, np.array([0, 2, 6]))),
        [[geometry.Rings(ring, None) for ring in octagons(6)[a:b]] for a, b in ((0, 2), (2, 6))],
    )


def test_offsets_may_be_lists_or_tuples():
    points = np.concatenate([TRIANGLE, TRIANGLE + 1])
    expected = parts_of([TRIANGLE, TRIANGLE + 1])
    for sequence in (list, tuple):
        rings, ones = sequence((0, 3, 6)), sequence((0, 1, 2))
        for offsets in ((rings,), (rings, None), (rings, None, None), (rings, ones, None)):
            assert_same(ragged((points, *offsets)), expected)
        assert_same(ragged((points, (rings, ones))), expected)
        assert_same(ragged((points, rings, None, ones)), expected)
        assert_same(ragged((points, rings, sequence((0, 2)))), parts_of([[TRIANGLE, TRIANGLE + 1]]))


def test_a_slice_of_longer_arrays_is_cut_out():
    """Like a sliced GeoArrow array; vertices outside all polygons are not checked."""
    whole = ragged(COUNTRIES)
    vertices = np.concatenate([[[np.nan, 1.0]], whole.vertices, [[np.inf, 0.0]]])
    rings = np.concatenate([[0], whole.ring_offsets + 1, [len(vertices)]])
    polygons = np.concatenate([[0], whole.polygon_offsets + 1, [len(rings) - 1]])
    features = whole.feature_offsets[20:51] + 1
    result = ragged((vertices, rings, polygons, features))
    assert_same(result, COUNTRY_PARTS[20:50])
    assert len(result.vertices) < len(vertices)


def test_some_features_and_sets_joined():
    array = ragged(octagons(30))
    offsets = ragged((array.vertices, array.ring_offsets, np.array([0, 2, 2, 9, 30])))
    grouped = array._replace(feature_offsets=np.array([0, 5, 5, 30]))
    for whole in (ragged(COUNTRIES), array, offsets, grouped):
        parts = [whole.parts(i) for i in range(whole.features)]
        for first, last in ((0, whole.features), (1, 3), (2, 2), (whole.features - 1,) * 2):
            assert_same(whole.some(first, last), parts[first:last])
        rest = whole.some(1, whole.features)
        assert_same(join([rest, array, whole]), parts[1:] + parts_of(octagons(30)) + parts)
        assert join([whole]) is whole


def test_shapely():
    shapely = pytest.importorskip("shapely")
    polygon = shapely.Polygon(OUTER, [HOLE])
    multi = shapely.MultiPolygon([polygon, shapely.Polygon(TRIANGLE + 30)])
    high = shapely.Polygon([(*point, 7.0) for point in TRIANGLE])
    cases = [
        [polygon, polygon],
        [multi],
        [polygon, multi, high],
        [shapely.Polygon(), polygon, shapely.MultiPolygon(), multi],
        [shapely.Point(), multi, shapely.GeometryCollection()],
        [shapely.Point(), shapely.Point()],
    ]
    for geometries in cases:
        expected = [[] if g.is_empty else geometry.parts(g) for g in geometries]
        for form in (geometries, tuple(geometries), iter(geometries), np.array(geometries)):
            assert_same(ragged(form), expected)
        wkb = shapely.to_wkb(geometries)
        assert_same(ragged(wkb), expected)
        assert_same(ragged([*map(bytearray, wkb)]), expected)
    assert_same(ragged([polygon, None, multi]), [*parts_of([polygon]), [], *parts_of([multi])])
    assert_same(ragged([polygon, TRIANGLE]), parts_of([polygon, TRIANGLE]))
    assert_same(ragged(shapely.to_ragged_array([polygon, multi])), parts_of([polygon, multi]))
    assert_same(ragged(shapely.to_ragged_array([polygon, polygon])), parts_of([polygon, polygon]))
    assert_same(ragged([multi], "rc"), parts_of([multi], "rc"))
    assert_same(ragged(multi), parts_of([multi]))


@pytest.mark.parametrize("kind", ["Z", "M", "ZM"])
def test_shapely_with_more_than_x_and_y(kind):
    shapely = pytest.importorskip("shapely")
    suffix = " 7" * len(kind)
    points = ", ".join(f"{x} {y}{suffix}" for x, y in [*TRIANGLE, TRIANGLE[0]])
    high = shapely.from_wkt(f"POLYGON {kind} (({points}))")
    expected = parts_of([shapely.force_2d(high)])
    arrays = shapely.to_ragged_array([high])
    for form in ([high], shapely.to_wkb([high], flavor="iso", output_dimension=4), arrays):
        assert_same(ragged(form), expected)
    assert_same(ragged(arrays[1:]), expected)
    np.testing.assert_array_equal(geometry.parts(high)[0].vertices, expected[0][0].vertices)


def test_a_frame_without_a_geometry():
    geopandas = pytest.importorskip("geopandas")
    with pytest.raises(ValueError, match=r"GeoDataFrame.*geometry"):
        ragged(geopandas.GeoDataFrame({"kind": [4, 5]}))


def test_geopandas():
    shapely = pytest.importorskip("shapely")
    geopandas = pytest.importorskip("geopandas")
    geometries = [shapely.Polygon(OUTER, [HOLE]), None, shapely.Polygon(), shapely.box(1, 2, 5, 9)]
    expected = parts_of([geometries[0]]) + [[], []] + parts_of([geometries[3]])
    series = geopandas.GeoSeries(geometries, index=[3, 1, 4, 2])
    assert_same(ragged(series), expected)
    assert_same(ragged(series.to_frame("shape").set_geometry("shape")), expected)
    assert_same(ragged(geopandas.GeoSeries([None, None])), [[], []])
    assert_same(ragged(geopandas.GeoSeries([])), [])


NAN = np.where(octagons(5) == octagons(5)[3, 2, 0], np.nan, octagons(5))


@folded(
    ("polygons", "error", "message"),
    [
        (NAN, ValueError, "polygon 3: vertex 2 is not finite"),
        (list(NAN), ValueError, "polygon 3: vertex 2 is not finite"),
        (np.roll(NAN, -2, axis=1), ValueError, "polygon 3: vertex 0 is not finite"),
        ([TRIANGLE, [OUTER, *NAN[2:]]], ValueError, "polygon 1: vertex 2 is not finite"),
        ([TRIANGLE, [OUTER, HOLE[:2]]], ValueError, r"polygon 1: .*3 vertices.*\(2, 2\)"),
        ([TRIANGLE, [[0, 1], [2, 3]]], ValueError, "polygon 1: a polygon needs at least 3"),
        ([TRIANGLE, []], ValueError, r"polygon 1: .*shape \(N, 2\)"),
        ([TRIANGLE, TRIANGLE.T], ValueError, r"polygon 1: .*shape \(N, 2\), got \(2, 3\)"),
        ([TRIANGLE, TRIANGLE > 1], TypeError, "polygon 1: .*real numbers, got dtype bool"),
        ([TRIANGLE, TRIANGLE * 1j], TypeError, "polygon 1: .*real numbers"),
        (TRIANGLE, ValueError, r"a single polygon of shape \(3, 2\).* list"),
        (np.zeros((5, 2, 2)), ValueError, r"polygon 0: .*at least 3 vertices, got shape \(2, 2\)"),
        (np.zeros((5, 0, 2)), ValueError, r"polygon 0: .*at least 3 vertices, got shape \(0, 2\)"),
        (np.zeros((5, 8, 3)), ValueError, r"\(N, k, 2\), got \(5, 8, 3\)"),
        (np.zeros((5, 8, 2), bool), TypeError, "real numbers"),
        (7, TypeError, "must be a sequence, got int"),
        (geojson("Point", [1, 2]), ValueError, "polygon 0: .*'Point'"),
        ("many", TypeError, "must be a sequence, got str"),
    ],
)
def test_bad_polygons_are_named(polygons, error, message):
    with pytest.raises(error, match=message):
        ragged(polygons)


@folded(
    ("offsets", "message"),
    [
        (([0, 8, 6],), "ring_offsets descend: 8 at 1, then 6"),
        (([-1, 8],), "ring_offsets begin at -1"),
        (([0, 41],), "ring_offsets end at 41, beyond the 40 vertices"),
        (([0, 8, 10, 40],), r"polygon 1: .*at least 3 vertices, got shape \(2, 2\)"),
        (([0, 8, 16, 40], [0, 4]), "polygon_offsets end at 4, beyond the 3 rings"),
        (([0, 8, 16, 40], [0, 2, 1]), "polygon_offsets descend"),
        (([0, 8, 16, 18], [0, 0, 2, 2, 3]), "polygon 3: .*3 vertices"),
        (([0, 8, 16, 40], [0, 1, 3], [0, 3]), "feature_offsets end at 3, beyond the 2 polygons"),
        (([0, 8, 16, 18], [0, 1, 3], [0, 1, 1, 2, 2]), "polygon 2: .*3 vertices"),
        (([],), "ring_offsets must be a non-empty 1D array of integers"),
    ],
)
def test_bad_offsets(offsets, message):
    vertices = octagons(5).reshape(-1, 2)
    with pytest.raises(ValueError, match=message):
        ragged((vertices, *(np.array(array, np.int64) for array in offsets)))
    with pytest.raises(ValueError, match=message):
        ragged(Ragged(vertices, *(np.array(array, np.int64) for array in offsets)))


def test_bad_geometries():
    shapely = pytest.importorskip("shapely")
    box = shapely.box(0, 0, 1, 1)
    with pytest.raises(ValueError, match=r"polygon 2: .*'LineString'"):
        ragged([box, shapely.Point(), shapely.LineString([(0, 0), (1, 1)])])
    with pytest.raises(ValueError, match="polygon 1: not WKB"):
        ragged([shapely.to_wkb(box), b"\x01\x02", b""])
    arc = struct.pack("<BII10d", 1, 8, 5, 0, 0, 4, 4, 8, 0, 4, -4, 0, 0)
    with pytest.raises(ValueError, match=r"has curves|not WKB"):  # the latter with an older GEOS
        ragged([struct.pack("<BII", 1, 10, 1) + arc])
    with pytest.raises(ValueError, match="polygon 1: vertex 2 is not finite"):
        ragged([box, shapely.Polygon([(0, 0), (1, 0), (np.inf, 1)])])
