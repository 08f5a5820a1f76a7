"""`polymask labels`, `mask` and `stats` on files in several coordinate reference systems."""

import csv
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image


@pytest.fixture
def utm(polymask):
    """Write a map in EPSG:32632; return a function that writes a square of it in any system."""
    geopandas, rasterio = pytest.importorskip("geopandas"), pytest.importorskip("rasterio")
    shapely = pytest.importorskip("shapely")
    values = np.arange(10000, dtype=np.uint16).reshape(100, 100)
    meta = {"driver": "GTiff", "height": 100, "width": 100, "count": 1, "dtype": "uint16"}
    meta["transform"] = rasterio.Affine(1000, 0, 400000, 0, -1000, 5600000)
    with rasterio.open("map.tif", "w", crs="EPSG:32632", **meta) as file:
        file.write(values, 1)
    square = shapely.box(420000, 5520000, 430000, 5530000)

    def write(name, crs, convert_from=None):
        frame = geopandas.GeoDataFrame(geometry=[square], crs=convert_from or crs)
        frame = frame if convert_from is None else frame.to_crs(crs)
        frame.to_parquet(name) if "parquet" in name else frame.to_file(name, engine="pyogrio")
        return name

    return write


BOUNDS = "--bounds", "400000,5500000,500000,5600000"


@pytest.mark.parametrize("name", ["a.gpkg", "a.geojson"])
def test_polygons_in_another_reference_system_than_the_map(polymask, utm, name):
    utm(name, 32633)
    code, out, err = polymask("stats", "map.tif", name)
    assert (code, out, err.count("\n")) == (2, "", 1)
    for word in (name, "EPSG:32633", "map.tif", "EPSG:32632", f"out.gpkg {name}"):
        assert word in err
    code, out, _ = polymask("stats", "map.tif", name, *BOUNDS)
    assert (code, rows_of(out)[0]["count"]) == (0, "100")
    utm(name, 32632)
    code, out, err = polymask("stats", "map.tif", name)
    assert (code, rows_of(out)[0]["count"]) == (0, "100")
    assert "reference system" not in err


def rows_of(text):
    return list(csv.DictReader(text.splitlines()))


def test_a_file_without_a_reference_system_has_a_note(polymask, utm):
    square = [[420000, 5520000], [430000, 5520000], [430000, 5530000], [420000, 5530000]]
    polygon = {"type": "Polygon", "coordinates": [[*square, square[0]]]}
    Path("a.geojson").write_text(json.dumps(polygon))
    _, out, err = polymask("stats", "map.tif", "a.geojson")
    assert rows_of(out)[0]["count"] == "100"
    assert "a.geojson" in err.splitlines()[0]
    assert "EPSG:32632" in err.splitlines()[0]
    Path("map.tfw").write_text("1000\n0\n0\n-1000\n400500\n5599500\n")
    Image.fromarray(np.zeros((100, 100), np.uint8)).save("map.png")
    Path("map.pgw").write_text(Path("map.tfw").read_text())
    _, out, err = polymask("stats", "map.png", utm("a.gpkg", 32633))
    assert rows_of(out)[0]["count"] == "100"
    assert "map.png" in err.splitlines()[0]
    assert "EPSG:32633" in err.splitlines()[0]


@pytest.mark.parametrize("command", ["labels", "mask", "stats"])
def test_files_in_different_reference_systems(polymask, utm, command):
    names = utm("a.gpkg", 32632), utm("b.gpkg", 32633, convert_from=32632)
    arguments = {"stats": ("map.tif", *names, *BOUNDS)}.get(
        command, (*names, *BOUNDS, "--shape", "100x100", "-o", "out.npy")
    )
    code, _, err = polymask(command, *arguments)
    assert (code, "b.gpkg" in err, "EPSG:32633" in err) == (2, True, True)


def test_without_pyproj_what_may_differ_is_refused(polymask, utm, monkeypatch):
    utm("a.gpkg", 32633)
    monkeypatch.setitem(sys.modules, "pyproj", None)
    code, _, err = polymask("stats", "map.tif", "a.gpkg")
    assert (code, err.count("\n"), "pyproj" in err) == (1, 1, True)
    assert polymask("stats", "map.tif", "a.gpkg", "--pixels")[0] == 0
