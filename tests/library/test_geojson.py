"""Reading GeoJSON: anything but polygons is rejected with one line that names the place."""

import json
import re

import pytest
from cases import folded

from polymask.files import polygon_files
from polymask.forms import geometry
from polymask.forms.left_out import LeftOut
from polymask.forms.ragged import ragged

RING = [[1, 1], [8, 1], [8, 6], [1, 6], [1, 1]]
POLYGON = {"type": "Polygon", "coordinates": [RING]}
FLAGGED = {"type": "MultiPolygon", "coordinates": [[], [RING, [[1, False], *RING]]]}
FEATURE = {"type": "Feature", "properties": {"kind": "lake"}, "geometry": POLYGON}


def collection(*features):
    return {"type": "FeatureCollection", "features": list(features)}


@folded("name", ["a.geojson", "a.JSON", "a", "a.txt"])
@folded("before", ["", "\ufeff", "\n  \t", "\ufeff\r\n"])
def test_files_are_recognised_by_their_content(tmp_path, name, before):
    file = tmp_path / name
    file.write_text(before + json.dumps(collection(FEATURE, FEATURE)), encoding="utf-8")
    table = polygon_files.read_table(file)
    assert table.properties == {"kind": ["lake", "lake"]}
    assert table.polygons.parts(1)[0].vertices.tolist() == RING


LINES = [json.dumps(FEATURE | {"id": number}) for number in (7, 12)]


@folded("text", [json.dumps(collection(*map(json.loads, LINES))), "[" + ",".join(LINES) + "]"])
def test_features_may_be_a_list(tmp_path, text):
    file = tmp_path / "a"
    file.write_text(text)
    table = polygon_files.read_table(file)
    assert table.properties == {"id": [7, 12], "kind": ["lake", "lake"]}
    assert [table.polygons.parts(number)[0].vertices.tolist() for number in (0, 1)] == [RING, RING]


@folded("text", ["\r\n".join(LINES) + "\r\n", "".join(f"\x1e{line}\n" for line in LINES)])
def test_a_feature_per_line(tmp_path, text):
    (tmp_path / "a.geojsonl").write_text(text)
    table = polygon_files.read_table(tmp_path / "a.geojsonl")
    assert table.properties == {"id": [7, 12], "kind": ["lake", "lake"]}
    assert table.polygons.parts(1)[0].vertices.tolist() == RING


@folded(
    ("text", "message"),
    [
        (LINES[0] + "\n\n" + LINES[1][:-9] + "\n" + LINES[1], "not JSON: line 3, column "),
        (f"{LINES[0]} {LINES[1]}", f"not JSON: line 1, column {len(LINES[0]) + 2}: Extra data"),
        (f"{LINES[0]}\n7", "feature 1: must be a GeoJSON object, got 7"),
        (LINES[0] + "\n" + json.dumps(FLAGGED), "feature 1: coordinates must be numbers"),
        ("\n", "not JSON: "),
    ],
)
def test_bad_lines(tmp_path, text, message):
    """GDAL would leave out lines that are cut short."""
    (tmp_path / "a.geojsonl").write_text(text)
    with pytest.raises(ValueError, match=rf"a\.geojsonl: {re.escape(message)}"):
        polygon_files.read_table(tmp_path / "a.geojsonl")


@folded("name", ["a.geojsonl", "a.geojson"])
def test_features_in_different_reference_systems_are_refused(tmp_path, name):
    lines = [
        json.dumps(FEATURE | {"crs": {"type": "name", "properties": {"name": f"EPSG:{code}"}}})
        for code in (32632, 32632, 32633)
    ]
    begin, between, end = ("", "\n", "") if name == "a.geojsonl" else ("[", ",", "]")
    (tmp_path / name).write_text(begin + between.join(lines[:2]) + end)
    assert polygon_files.read_table(tmp_path / name).crs == "EPSG:32632"
    (tmp_path / name).write_text(begin + between.join(lines) + end)
    with pytest.raises(ValueError, match=r"different .*EPSG:32632.*EPSG:32633"):
        polygon_files.read_table(tmp_path / name)


def test_an_id_is_a_column_unless_a_property_has_its_name(tmp_path):
    file = tmp_path / "a.geojson"
    numbered, unnumbered = FEATURE | {"id": "n7"}, FEATURE | {"id": None}
    for properties, ids in (({"kind": "sea"}, ["n7", None, None]), ({"id": 3}, [None, None, 3])):
        features = numbered, unnumbered, FEATURE | {"properties": properties}
        file.write_text(json.dumps(collection(*features)))
        assert polygon_files.read_table(file).properties["id"] == ids


POINT = {"type": "Point", "coordinates": [1, 2]}
LINE = {"type": "LineString", "coordinates": [[1, 2], [3, 4]]}
OTHER_RING = [[4, 3], [12, 3], [12, 9], [4, 3]]
MULTI = {"type": "MultiPolygon", "coordinates": [[OTHER_RING], [RING]]}


def geometries(*members):
    return {"type": "GeometryCollection", "geometries": list(members)}


def vertices_of(polygon, **options):
    return [part.vertices.tolist() for part in geometry.parts(polygon, **options)]


def test_polygons_of_collections_are_parts():
    nested = geometries(POLYGON, geometries(geometries(), MULTI))
    for polygon in (nested, FEATURE | {"geometry": nested}):
        assert vertices_of(polygon) == [RING, OTHER_RING, RING]
    assert vertices_of(geometries()) == []
    mixed, skipped = geometries(POINT, POLYGON, LINE, geometries(LINE)), LeftOut()
    assert vertices_of(mixed, skipped=skipped) == [RING]
    inside = " in a GeometryCollection"
    assert skipped == {f"Point{inside}": 1, f"LineString{inside}": 2}


def test_shapely_gives_the_same_parts_of_collections():
    shapely = pytest.importorskip("shapely")
    nested = geometries(POLYGON, geometries(geometries(), MULTI))
    polygons = ragged([shapely.from_geojson(json.dumps(shape)) for shape in (POLYGON, nested)])
    assert [part.vertices.tolist() for part in polygons.parts(1)] == [RING, OTHER_RING, RING]
    mixed = shapely.from_geojson(json.dumps(geometries(POLYGON, LINE)))
    for polygon in (mixed, mixed.__geo_interface__):
        with pytest.raises(ValueError, match=r"polygon 1: .*'LineString'.*: remove it"):
            ragged([shapely.box(0, 0, 1, 1), polygon])


@folded(
    ("document", "message"),
    [
        (
            {"type": "Feature", "geometry": [1, 2]},
            "feature 0: the geometry of a GeoJSON Feature must",
        ),
        (collection(FEATURE, 7), "feature 1: must be a GeoJSON object, got 7"),
        (collection(None), "feature 0: must be a GeoJSON object, got None"),
        ({"type": "FeatureCollection", "features": 5}, "must be a list, got 5"),
        ({"type": "FeatureCollection", "features": None}, "must be a list, got None"),
        ({"type": "FeatureCollection", "features": {"a": 1}}, "must be a list, got {'a': 1}"),
        (collection(FEATURE | {"properties": [1, 2]}), "properties must be an object, got [1, 2]"),
        (collection(FEATURE | {"properties": "no"}), "properties must be an object, got 'no'"),
        ({"type": "Feature", "geometry": FEATURE}, "geometry of a GeoJSON Feature must"),
        ({"type": ["x" * 10**6]}, "must be a Polygon, MultiPolygon or Feature, got ['xxx"),
        ({"type": {"a": [[[[1, 2]] * 9] * 9] * 99}}, "or Feature, got {'a': [["),
        ({"type": "Polygon", "coordinates": [{"a": 1}]}, "feature 0: "),
        (POLYGON | {"coordinates": [[[True, 0], *RING]]}, "must be numbers, got [True, 0]"),
        (collection(FEATURE, FLAGGED), "feature 1: coordinates must be numbers, got [1, False]"),
        ([RING], "JSON, but not GeoJSON"),
        ([FEATURE, 7], "feature 1: must be a GeoJSON object, got 7"),
        (geometries(POLYGON, POINT), "feature 0: a GeometryCollection must have only Polygons"),
        (geometries(FEATURE), "must have only Polygons and MultiPolygons, got 'Feature'"),
        (geometries([RING]), "must have only Polygons and MultiPolygons, got [["),
        (geometries() | {"geometries": 5}, "'geometries' in a GeoJSON GeometryCollection must be"),
        ({"type": "GeometryCollection"}, "has no member 'geometries'"),
        (geometries(POLYGON, FLAGGED), "feature 0: coordinates must be numbers, got [1, False]"),
    ],
)
def test_bad_features(tmp_path, document, message):
    assert_rejected(tmp_path, json.dumps(document), message)


def nested(begin, inner, end, depth):
    return begin * depth + inner + end * depth


@folded(
    ("text", "message"),
    [
        ("", "not JSON: line 1, column 1: Expecting value"),
        ('{"type": "Polygon",\n "coordinates": [[[1, 2], [3,', "not JSON: line 2, column 30: "),
        ("\n".join(LINES), "not JSON: line 2, column 1: Extra data"),
        (b'{"type": "\xff"}', "not JSON: byte 10 is not UTF-8"),
        (nested("[", "", "]", 100_000), "nested too deeply"),
        (nested('{"a":', "1", "}", 100_000), "nested too deeply"),
        (nested('{"type": "Feature", "geometry": ', "null", "}", 100_000), "nested too deeply"),
        # some versions of Python read this depth, others do not
        (nested('{"type": "Feature", "geometry": ', "null", "}", 5000), ""),
        (nested('{"type": "Feature", "geometry": ', "null", "}", 50), "Polygon, got 'Feature'"),
        ('{"type": "Polygon", "coordinates": [[[1, ' + "9" * 5000 + "]]]}", "thousands of digits"),
        ('{"type": "Polygon", "coordinates": [[[0, NaN], [2, 3], [3, 4]]]}', "(0.0, nan)"),
    ],
)
def test_bad_json_is_rejected_with_its_place(tmp_path, text, message):
    assert_rejected(tmp_path, text, message)


def assert_rejected(folder, content, message):
    """Assert that the error is one short line that begins with the file's name."""
    file = folder / "bad.geojson"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ValueError, match=re.escape(str(file))) as raised:
        polygon_files.read_table(file)
    error = str(raised.value)
    assert error.startswith(f"{file}: ")
    assert message in error
    assert "\n" not in error
    assert len(error) < len(str(file)) + 250


def test_bad_mappings_are_rejected_likewise():
    with pytest.raises(ValueError, match=r"GeoJSON.*Polygon"):
        geometry.parts({"type": "Feature", "geometry": [1, 2]})
    deep = POLYGON
    for _ in range(5000):
        deep = {"type": "Feature", "geometry": deep}
    with pytest.raises(ValueError, match=r"GeoJSON.*Polygon"):
        geometry.parts(deep)
    endless = geometries(POLYGON)
    endless["geometries"].append(endless)
    with pytest.raises(ValueError, match="GeometryCollection"):
        geometry.parts(endless)
    with pytest.raises(ValueError, match=r"list.*'ab'"):
        geometry.features({"type": "FeatureCollection", "features": "ab"})
