"""Coordinate reference systems: compared where both sides have one, converted on request."""

import sys
from itertools import pairwise

import numpy as np
import pytest
from cases import folded

import polymask
from polymask import contract
from polymask.forms.ragged import ragged
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


def densify(polygon, source, target, pieces=1000):
    """Return a polygon with many points on each edge, converted: the expected result."""
    ring = np.array([*polygon, polygon[0]], float)
    along = np.arange(pieces)[:, None] / pieces
    points = np.concatenate([a + along * (b - a) for a, b in pairwise(ring)])
    transform = pyproj.Transformer.from_crs(source, target, always_xy=True).transform
    return np.column_stack(transform(*points.T))


def test_points_are_added_to_edges():
    """A parallel is a straight line only in projections such as Mercator's."""
    wide = [(-10, 40), (40, 40), (40, 60), (-10, 60)]
    transform = (20000, 0, -3e6, 0, -20000, 3e6)
    target = "+proj=laea +lat_0=50 +lon_0=15"
    system = pyproj.CRS(target)
    result = crs.convert(ragged([wide]), "EPSG:4326", system, 100)
    assert 10 < len(result.vertices) < 200
    mask = lambda polygon: polymask.rasterize([polygon], (300, 300), transform=transform)  # noqa: E731
    expected = mask(densify(wide, "EPSG:4326", system))
    assert (mask(result.vertices) != expected).sum() < 5  # 100 m are 1/200 pixel
    assert (mask(densify(wide, "EPSG:4326", system, pieces=1)) != expected).sum() > 1000


def test_polygons_that_share_an_edge_still_do():
    turned = SQUARES[1][::-1]
    result = crs.convert(ragged([*SQUARES, turned]), "EPSG:32633", "EPSG:32632", 0.1)
    rings = [{*map(tuple, result.parts(n)[0].vertices)} for n in range(3)]
    assert len(rings[0] & rings[1]) >= 3
    assert rings[1] == rings[2]
    empty = crs.convert(ragged([None]), "EPSG:32633", "EPSG:32632", 0.1)
    assert empty.features == 1


@pytest.mark.parametrize(
    ("polygon", "target", "reason"),
    [
        ([(100, 0), (101, 0), (101, 1)], "EPSG:32632", "without coordinates"),
        ([(170, 0), (190, 0), (190, 10)], "EPSG:3857", "jump"),
    ],
)
def test_a_polygon_that_cannot_be_converted_is_named(polygon, target, reason):
    good = [(0, 0), (1, 0), (1, 1)]
    with pytest.raises(ValueError, match=rf"polygon 1 .*{reason}"):
        crs.convert(ragged([good, polygon]), "EPSG:4326", target, 1000)


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
    assert polymask.rasterize_like(frame, name_system(grid, style), to_crs=True).sum() == 100
    assert polymask.rasterize_like(frame, grid, to_crs="EPSG:32632").sum() == 100
    assert polymask.rasterize_like(frame, grid).sum() == 0  # the grid names no system
    with pytest.raises(ValueError, match="to_crs=True"):
        polymask.rasterize_like(frame, grid, to_crs=True)
    transform = (1000, 0, 400000, 0, -1000, 5600000)
    image = polymask.rasterize(frame, (100, 100), transform=transform, to_crs=32632)
    assert image.sum() == 100
