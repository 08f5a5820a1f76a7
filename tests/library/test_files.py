"""Reading polygons from files."""

import json

import numpy as np
import pytest
from cases import folded

import polymask
from polymask.files import polygon_files

TRIANGLE = [[0.0, 0.0], [4.0, 0.0], [0.0, 3.5]]


@folded(
    "text",
    [
        "0 0\n4 0\n0 3.5\n",
        "0,0\n4,0\n0,3.5",
        "0;0\n4;0\n0;3.5\n",
        "x, y\n0, 0\n4, 0\n0, 3.5\n",
        "# a triangle\n\n0\t0\n4\t0  # right\n  # top\n0\t3.5\n",
        "\ufeffx;y\r\n0;0\r\n4;0\r\n0;3.5\r\n",
        "\ufeff0,0\n4,0\n0,3.5\n",
        "\n\n0 0\n4 0\n0 3.5\n,\n \t\n",
    ],
)
def test_reads_text(tmp_path, text):
    file = tmp_path / "polygon.csv"
    file.write_text(text, encoding="utf-8", newline="")
    assert polygon_files.read_polygon(file).tolist() == TRIANGLE


def test_reads_npy(tmp_path):
    np.save(tmp_path / "polygon.npy", np.array(TRIANGLE, dtype=np.float32))
    assert polygon_files.read_polygon(tmp_path / "polygon.npy").tolist() == TRIANGLE


@folded(
    ("text", "message"),
    [
        ("0 0\n4 0\n0 a\n", "line 3: expected two numbers, got '0 a'"),
        ("0 0\n4 0 1\n0 1\n", "line 2: expected two numbers"),
        ("x y\nx y\n0 0\n", "line 2: expected two numbers"),
        ("O.5,0\n4,0\n0,3.5\n1,1\n", "line 1: expected two numbers, got 'O.5,0'"),
        ("1_0 0\n4 0\n0 1\n", "line 1: expected two numbers, got '1_0 0'"),
        ("1_0 2_0\n4 0\n0 1\n1 1\n", "line 1: expected two numbers, got '1_0 2_0'"),
        ("0 0\n4 0\n0 1_0\n", "line 3: expected two numbers, got '0 1_0'"),
        ("lat,lon\n0 0\n4 0\n0 3\n", "line 1: the first column is 'lat', not x: swap"),
        ("\ufefflat,lon\n0 0\n4 0\n0 3\n", "line 1: the first column is 'lat', not x: swap"),
        ("0 0\n4 0\n", "at least 3 vertices"),
        ("", "no line has two numbers"),
        ("# x y\n\n", "no line has two numbers"),
        ("0 0\n4 nan\n1 1\n", "line 2: a vertex must be finite, got '4 nan'"),
        ("0 0\n-inf 4\n1 1\n", "line 2: a vertex must be finite"),
        ("0 0\n\n4 0\n\n0 4\n", "lines 1 to 1: .* at least 3 vertices, got 1; a blank line ends"),
        ("0 0\n4 0\n0 4\n\n0 0\n4 0\n", "lines 5 to 6: .* at least 3 vertices, got 2"),
        ("0 0\n9 0\n0 9\n>\n1 1\n2 1\n1 2\n", "line 4: expected two numbers, got '>'"),
        ("0 0\n4 0\n0 4\nnan nan\n0 0\n", "line 4: a vertex must be finite"),
        ("a" * 70 + ",1\n4,0\n0,1\n", f"line 1: expected two numbers, got '{'a' * 57}"),
        ("0 0\n4 0\n0 4\n\n0 0\n4 0\n0 4\n", "2 rings, but must have a single ring"),
    ],
)
def test_bad_text_names_file_and_line(tmp_path, text, message):
    file = tmp_path / "polygon.txt"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message) as raised:
        polygon_files.read_polygon(file)
    assert str(file) in str(raised.value)


@folded("separator", ["\n", " \t\n\n", ",\n", "\r\n", "#\n\n# two\n"])
def test_a_line_between_two_polygons_separates_them(tmp_path, separator):
    """Joined, they are a crossed polygon of 28 pixels; separate polygons have 15 pixels each."""
    squares = [[(1, 1), (4, 1), (4, 5), (1, 5)], [(5, 1), (8, 1), (8, 5), (5, 5)]]
    lines = ["".join(f"{x} {y}\n" for x, y in square) for square in squares]
    file = tmp_path / "squares.txt"
    file.write_text(separator + separator.join(lines) + separator, newline="")
    table = polygon_files.read_table(file)
    assert polymask.pixel_counts(table.polygons, (9, 12)).tolist() == [15, 15]
    assert table.polygons.features == 2


def test_bad_bytes_are_rejected(tmp_path):
    (tmp_path / "latin.txt").write_bytes("0 0 # Größe".encode("latin-1"))
    with pytest.raises(ValueError, match=r"save.*UTF-8"):
        polygon_files.read_polygon(tmp_path / "latin.txt")
    (tmp_path / "no.npy").write_bytes(b"not numpy")
    with pytest.raises(ValueError, match=r"no\.npy.*\.npy.*file"):
        polygon_files.read_polygon(tmp_path / "no.npy")
    for shape in (6,), (1, 6):
        np.save(tmp_path / "values.npy", np.zeros(shape))
        with pytest.raises(ValueError, match=r"values\.npy.*\(N.*file"):
            polygon_files.read_polygon(tmp_path / "values.npy")
    np.save(tmp_path / "complex.npy", np.zeros((3, 2), complex))
    with pytest.raises(ValueError, match="real numbers"):
        polygon_files.read_polygon(tmp_path / "complex.npy")


def test_features_of_several_files_have_the_properties_of_all(tmp_path):
    geometry = {"type": "Polygon", "coordinates": [[*TRIANGLE, TRIANGLE[0]]]}
    for name, count in (("lake", 2), ("wood", 3)):
        features = [
            {"type": "Feature", "properties": {name: number}, "geometry": geometry}
            for number in range(count)
        ]
        collection = {"type": "FeatureCollection", "features": features}
        (tmp_path / f"{name}.geojson").write_text(json.dumps(collection))
    table = polygon_files.join_tables(
        [polygon_files.read_table(tmp_path / f"{name}.geojson") for name in ("lake", "wood")]
    )
    assert table.polygons.features == 5
    assert table.properties == {"lake": [0, 1, None, None, None], "wood": [None, None, 0, 1, 2]}


@pytest.mark.parametrize("name", ["a.gpkg", "a.fgb", "a.shp", "a.parquet", "a.geojson"])
def test_the_coordinate_reference_system_is_that_of_the_file(tmp_path, name):
    geopandas = pytest.importorskip("geopandas")
    pytest.importorskip("pyogrio")
    shapely = pytest.importorskip("shapely")
    pyproj = pytest.importorskip("pyproj")
    frame = geopandas.GeoDataFrame(geometry=[shapely.Polygon(TRIANGLE)], crs="EPSG:32633")
    file = tmp_path / name
    frame.to_parquet(file) if name == "a.parquet" else frame.to_file(file, engine="pyogrio")
    crs = polygon_files.read_table(file).crs
    assert pyproj.CRS(crs).equals(pyproj.CRS(32633), ignore_axis_order=True)
    np.save(tmp_path / "a.npy", np.array(TRIANGLE))
    assert polygon_files.read_table(tmp_path / "a.npy").crs is None
    assert (
        polygon_files.join_tables(
            [polygon_files.read_table(tmp_path / "a.npy"), polygon_files.read_table(file)]
        ).crs
        == crs
    )
