"""Files of geometries and columns: all formats give the same as GeoJSON."""

import datetime
import decimal

import numpy as np
import pytest
from cases import folded

import polymask
from polymask.files import polygon_files
from polymask.forms.left_out import LeftOut

geopandas = pytest.importorskip("geopandas")
pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")
pyogrio = pytest.importorskip("pyogrio")
shapely = pytest.importorskip("shapely")

LARGE = 2**53 + 1  # the first integer that float64 cannot represent
BEYOND = 2**62 + 1  # 19 digits, for which a Shapefile needs a column that GDAL reads as floats
SQUARE, HOLE = [[1, 1], [8, 1], [8, 6], [1, 6], [1, 1]], [[3, 2], [6, 2], [6, 4], [3, 4], [3, 2]]
OTHER = [[4, 3], [12, 3], [12, 9], [4, 9], [4, 3]]
SHAPE = (12, 14)
SHAPES = [shapely.Polygon(SQUARE, [HOLE]), shapely.Polygon(OTHER)]
COLUMNS = {"id": [LARGE, None], "beyond": [BEYOND, 7], "few": [3, None], "kind": ["a", "b"]}
ZONE = datetime.timezone(datetime.timedelta(hours=2))
WHEN = [datetime.datetime(2020, 1, 2, 3, 4, 5, tzinfo=ZONE), None]
WRITERS = {
    "a.geojson": lambda frame, file: file.write_text(frame.to_json()),
    "b.geojson": pyogrio.write_dataframe,
    "a.gpkg": pyogrio.write_dataframe,
    "a.fgb": lambda frame, file: pyogrio.write_dataframe(frame, file, SPATIAL_INDEX="NO"),
    "a.shp": pyogrio.write_dataframe,
    "a.parquet": lambda frame, file: frame.to_parquet(file),
    "b.parquet": lambda frame, file: frame.to_parquet(file, geometry_encoding="geoarrow"),
}


def frame_of(columns, shapes=SHAPES):
    integers = {name for name, column in columns.items() if type(column[0]) is int}
    types = {name: "Int64" for name in integers}
    return geopandas.GeoDataFrame(
        pandas.DataFrame(columns, dtype=object).astype(types), geometry=shapes, crs=32633
    )


@pytest.fixture(params=WRITERS)
def table(request, tmp_path):
    """Return the table of a file that another library has written."""
    file = tmp_path / request.param
    WRITERS[request.param](frame_of(COLUMNS), file)
    return polygon_files.read_table(file)


def test_integers_beside_a_null_are_exact(table):
    assert table.properties == COLUMNS
    kinds = {type(value) for column in table.properties.values() for value in column}
    assert kinds == {int, str, type(None)}


@folded("name", [*WRITERS, "a.csv", "a.npy", "arrays"])
def test_the_same_polygons_have_the_same_pixels_from_any_file(tmp_path, name):
    file, rings = tmp_path / name, [SQUARE, OTHER]
    if name == "a.csv":
        lines = [[f"{x},{y}" for x, y in ring] for ring in rings]
        file.write_text("x,y\n" + "\n\n".join(map("\n".join, lines)))
    elif name == "a.npy":
        np.save(file, np.array(rings))
    elif name != "arrays":
        WRITERS[name](frame_of({"id": [1, 2]}, [shapely.Polygon(ring) for ring in rings]), file)
    polygons = rings if name == "arrays" else polygon_files.read_table(file).polygons
    counts = polymask.pixel_counts(polygons, SHAPE, border_value=False, center=True)
    assert counts.tolist() == [35, 48]


@pytest.mark.parametrize("name", [name for name in WRITERS if name not in ("a.shp", "b.parquet")])
def test_polygons_of_collections(tmp_path, name):
    """`make_valid` gives a collection of a polygon and a line."""
    spiked = shapely.Polygon([(1, 1), (8, 1), (8, 6), (8, 9), (8, 6), (1, 6)])
    shapes = [shapely.Polygon(OTHER), shapely.make_valid(spiked)]
    assert shapes[1].geom_type == "GeometryCollection"
    WRITERS[name](frame_of({"id": [1, 2]}, shapes), tmp_path / name)
    with pytest.raises(ValueError, match="'LineString'"):
        polygon_files.read_table(tmp_path / name)
    skipped = LeftOut()
    table = polygon_files.read_table(tmp_path / name, skipped)
    counts = polymask.pixel_counts(table.polygons, SHAPE, border_value=False, center=True)
    assert dict(zip(table.properties["id"], counts.tolist(), strict=True)) == {1: 48, 2: 35}
    assert skipped == {"LineString in a GeometryCollection": 1}


@pytest.mark.parametrize("name", ["a.gpkg", "a.fgb", "a.shp"])
def test_times_keep_their_zone(tmp_path, name):
    file, frame = tmp_path / name, frame_of({"when": WHEN})
    frame["when"] = pandas.to_datetime(frame["when"])
    if name == "a.shp":  # it has no such type: GDAL writes text and warns
        with pytest.warns(RuntimeWarning, match=r"though.*DateTime"):
            WRITERS[name](frame, file)
        assert polygon_files.read_table(file).properties == {
            "when": ["2020/01/02 03:04:05+02", None]
        }
    else:
        WRITERS[name](frame, file)
        expected = {"when": ["2020-01-02T03:04:05+02:00", None]}
        assert polygon_files.read_table(file).properties == expected


def test_columns_of_geoparquet_are_values_of_python(tmp_path):
    columns = {
        "bool": pandas.array([True, None], dtype="boolean"),
        "bytes": [b"\xff", None],
        "category": pandas.Categorical([LARGE, 5]),
        "date": [datetime.date(2020, 1, 2), None],
        "decimal": [decimal.Decimal("1.25"), None],
        "list": [[LARGE, None], None],
        "month": pandas.PeriodIndex(["2020-01", "2020-02"], freq="M"),
        "unsigned": np.array([2**64 - 1, 0], np.uint64),
        "when": pandas.array(WHEN, pandas.ArrowDtype(pyarrow.timestamp("ms", "+02:00"))),
        "whole": [decimal.Decimal(2**70), None],
    }
    geopandas.GeoDataFrame(columns, geometry=SHAPES).to_parquet(tmp_path / "a.parquet")
    table = polygon_files.read_table(tmp_path / "a.parquet")
    assert table.crs is None
    expected = {name: list(column) for name, column in columns.items()}
    expected |= {"bool": [True, None], "whole": [2**70, None]}
    expected["when"] = ["2020-01-02T03:04:05+02:00", None]
    assert table.properties == expected
    assert list(map(type, table.properties["whole"])) == [int, type(None)]
    assert list(map(type, table.properties["category"])) == [int, int]


@folded(("encoding", "text", "read"), [("cp1252", "Zürich", "Zürich"), ("gbk", "\u5317", "±±")])
def test_text_of_a_shapefile_that_does_not_name_its_encoding(tmp_path, encoding, text, read):
    file = tmp_path / "a.shp"
    columns = {"id": [3, None], "kind": [text, "b"]}
    pyogrio.write_dataframe(frame_of(columns), file, encoding=encoding)
    assert polygon_files.read_table(file).properties == columns
    file.with_suffix(".cpg").unlink()
    with pytest.warns(UnicodeWarning, match=r"a\.cpg"):
        properties = polygon_files.read_table(file).properties
    assert properties == {"id": [3, None], "kind": [read, "b"]}
