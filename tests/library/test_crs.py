"""Coordinate reference systems: compared where both sides have one."""

import sys

import numpy as np
import pytest
from cases import folded

import polymask
from polymask import contract
from polymask.maps import crs

pyproj = pytest.importorskip("pyproj")
ESRI = pyproj.CRS(32633).to_wkt("WKT1_ESRI")
SQUARES = [
    [(x, 5520000), (x + 10000, 5520000), (x + 10000, 5530000), (x, 5530000)]
    for x in (420000, 430000)
]


@folded(
    ("first", "second", "same"),
    [
        ("EPSG:4326", "OGC:CRS84", True),  # in another order of axes
        ("EPSG:4326", "EPSG:4979", True),  # with heights
        ("EPSG:5555", "EPSG:25832", True),
        (ESRI, "EPSG:32633", True),
        (pyproj.CRS(32633), "+init=epsg:32633", True),
        ("EPSG:32632", "EPSG:32633", False),
        ("EPSG:4326", "EPSG:4258", False),
        ("EPSG:4326", "EPSG:32633", False),
    ],
)
def test_systems_are_compared_by_definition(first, second, same):
    assert crs.is_same(first, second) == crs.is_same(second, first) == same


def test_without_pyproj_only_equal_texts_are_the_same(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyproj", None)
    assert crs.is_same(ESRI, ESRI)
    with pytest.raises(contract.Unavailable, match="pyproj"):
        crs.is_same(ESRI, "EPSG:32633")


def test_a_text_that_names_no_system():
    with pytest.raises(ValueError, match="pyproj"):
        crs.is_same("EPSG:32633", "words")


# an xarray grid


@pytest.fixture
def grid():
    xarray = pytest.importorskip("xarray")
    y, x = 5600000 - 500 - 1000 * np.arange(100.0), 400500 + 1000 * np.arange(100.0)
    return xarray.DataArray(np.zeros((100, 100)), {"y": y, "x": x}, ("y", "x"))


def name_system(grid, style):
    """Return a grid that names EPSG:32632 in one of the common ways."""
    wkt = pyproj.CRS(32632).to_wkt()
    if style == "attribute":
        return grid.assign_attrs(crs="+init=epsg:32632")
    name = "here" if style == "grid_mapping" else "spatial_ref"
    grid = grid.assign_coords({name: 0})
    grid[name].attrs.update(pyproj.CRS(32632).to_cf() if style == "cf" else {"crs_wkt": wkt})
    if style == "cf":
        del grid[name].attrs["crs_wkt"]
    if style == "grid_mapping":
        grid.encoding["grid_mapping"] = name
    return grid.to_dataset(name="values") if style == "dataset" else grid


@pytest.mark.parametrize("style", ["attribute", "spatial_ref", "grid_mapping", "cf", "dataset"])
def test_a_frame_in_another_system_than_the_grid(grid, style):
    geopandas, shapely = pytest.importorskip("geopandas"), pytest.importorskip("shapely")
    frame = geopandas.GeoDataFrame(geometry=[shapely.Polygon(SQUARES[0])], crs=32632)
    assert polymask.rasterize_like(frame, name_system(grid, style)).sum() == 100
    frame = frame.to_crs(32633)
    with pytest.raises(ValueError, match=r"EPSG:32633.*EPSG:32632.*to_crs"):
        polymask.rasterize_like(frame, name_system(grid, style))
    assert polymask.rasterize_like(frame, grid).sum() == 0  # the grid names no system
