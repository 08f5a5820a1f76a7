"""`rasterize_like`, and samples on edges: the same sides are inside on every grid."""

import numpy as np
import pytest
from cases import folded
from polygons import COUNTRIES, TRIANGLE

import polymask

SQUARE = [(1, 1), (4, 1), (4, 3), (1, 3)]


def test_grid_of_xarray():
    xarray = pytest.importorskip("xarray")
    lon = xarray.Variable("lon", np.arange(-179.75, 180, 0.5), {"units": "degrees_east"})
    lat = xarray.Variable("lat", np.arange(89.75, -90, -0.5), {"units": "degrees_north"})
    like = xarray.Dataset(
        {"t": (("time", "lat", "lon"), np.zeros((2, 360, 720), np.float32))},
        {"lon": lon, "lat": lat, "time": [1, 2], "spatial_ref": 0, "cell": ("lat", np.ones(360))},
        {"title": "a grid"},
    )
    values = np.arange(1, 1 + len(COUNTRIES["features"]))
    image = polymask.rasterize_like(COUNTRIES, like, values=values, fill=-1)
    expected = polymask.rasterize(
        COUNTRIES, (360, 720), transform=(0.5, 0, -180, 0, -0.5, 90), values=values, fill=-1
    )
    np.testing.assert_array_equal(image.values, expected)
    assert image.dims == ("lat", "lon")
    assert set(image.coords) == {"lat", "lon", "spatial_ref", "cell"}
    assert image.lat.attrs == {"units": "degrees_north"}
    assert image.attrs == {"title": "a grid"}
    assert image.dtype == np.int16
    assert like.t.where(image == 12).count() == 2 * (expected == 12).sum()
    bare = polymask.rasterize_like(COUNTRIES, like.t[0], dtype=bool, keep_attrs=False)
    np.testing.assert_array_equal(bare.values, expected > 0)
    assert bare.attrs == {}


@pytest.mark.parametrize("kind", ["DataArray", "Dataset"])
def test_coordinates_may_have_other_names_than_their_dimensions(kind):
    xarray = pytest.importorskip("xarray")
    coords = {"lat": ("row", [0.0, 1, 2], {"units": "m"}), "lon": ("col", np.arange(4.0)), "t": 5}
    like = xarray.DataArray(np.zeros((3, 4)), coords, ("row", "col"), attrs={"of": "all"})
    source = like if kind == "DataArray" else like.to_dataset(name="u")
    triangle = TRIANGLE - 0.75  # no sample is on an edge
    image = polymask.rasterize_like([triangle], source, x="lon", y="lat")
    assert image.dims == ("row", "col")
    xarray.testing.assert_identical(image.coords.to_dataset(), like.coords.to_dataset())
    np.testing.assert_array_equal(image.values, polymask.polygon_mask(triangle, (3, 4)))
    turned = polymask.rasterize_like([TRIANGLE], like, x="lat", y="lon")
    assert turned.dims == ("col", "row")
    for x, y in (("lat", "lat"), ("lon", "lon")):
        with pytest.raises(ValueError, match=r"share a dimension"):
            polymask.rasterize_like([TRIANGLE], like, x=x, y=y)
    with pytest.raises(ValueError, match=r"keep_attrs.*False.*'no'"):
        polymask.rasterize_like([TRIANGLE], like, x="lon", y="lat", keep_attrs="no")


@folded(
    ("u", "message"),
    [
        ([0.0, 1.0, 3.0], "coordinate x is not evenly spaced"),
        ([0.0, 1.0, 2.0, 3.4, 4.0], "coordinate x is not evenly spaced"),
        ([0.0, 1.0, np.nan], "coordinate x is not evenly spaced"),
        ([-1e308, 0.0, 1e308], "coordinate x is not evenly spaced"),
        ([0.0, 1.0, np.inf], "coordinate x is not evenly spaced"),
        ([1.0, 1.0, 1.0], "coordinate x is not evenly spaced"),
        ([1.0], "coordinate x has a single value"),
        ([], "coordinate x must contain numbers"),
        (["a", "b"], "coordinate x must contain numbers"),
    ],
)
def test_bad_grids(u, message):
    xarray = pytest.importorskip("xarray")
    like = xarray.DataArray(np.zeros((2, len(u))), {"y": [0, 1], "x": u}, ("y", "x"))
    with pytest.raises(ValueError, match=message):
        polymask.rasterize_like([SQUARE], like)
    with pytest.raises(ValueError, match=r"coordinate.*latitude"):
        polymask.rasterize_like([SQUARE], like.rename(y="north"))


def test_a_grid_whose_first_step_is_a_little_longer_is_even():
    """As with rounded coordinates: its step is computed from the first and the last."""
    xarray = pytest.importorskip("xarray")
    x = np.arange(10.0)
    x[1] = 1.0008
    like = xarray.DataArray(np.zeros((5, 10)), {"y": np.arange(5), "x": x}, ("y", "x"))
    expected = polymask.rasterize_like([SQUARE], like.assign_coords(x=np.arange(10.0)))
    np.testing.assert_array_equal(polymask.rasterize_like([SQUARE], like).values, expected.values)


def curvilinear(grid):
    places = np.ones((2, 2))
    return grid.rename(lat="u", lon="v").assign_coords(
        lat=(("u", "v"), places), lon=(("u", "v"), places)
    )


@folded(
    ("like", "names", "message"),
    [
        (lambda grid: grid.values, {}, "`like` must be an xarray object .*, got ndarray"),
        (lambda grid: None, {}, "`like` must be an xarray object .*, got NoneType"),
        (lambda grid: grid, {"x": "u"}, "`like` has no coordinate 'u', only .*'lat'"),
        (lambda grid: grid, {"x": [1]}, r"`like` has no coordinate \[1\], only"),
        (lambda grid: grid.isel(lat=0), {}, "coordinate lat is a scalar"),
        (lambda grid: grid.isel(lat=0), {"y": "lat"}, "coordinate lat is a scalar"),
        (curvilinear, {}, r"coordinate lat has 2 dimensions \(u, v\)"),
        (curvilinear, {"y": "lat", "x": "lon"}, r"coordinate lat has 2 dimensions \(u, v\)"),
        (lambda grid: grid.swap_dims(lat="u"), {}, "lat lies along dimension u: pass y='lat'"),
    ],
)
def test_a_grid_without_coordinates_is_named(like, names, message):
    xarray = pytest.importorskip("xarray")
    grid = xarray.DataArray(np.zeros((2, 2)), {"lat": [1.0, 0.0], "lon": [0.0, 1.0]})
    with pytest.raises((TypeError, ValueError), match=message):
        polymask.rasterize_like([[(0, 0), (1, 0), (0, 1)]], like(grid), **names)


# Samples on edges.

TURNS = [(rows, cols) for rows in (1, -1) for cols in (1, -1)]


def degrees(lat, lon):
    """Return a grid with these coordinates."""
    xarray = pytest.importorskip("xarray")
    return xarray.DataArray(np.zeros((len(lat), len(lon))), {"lat": lat, "lon": lon})


def rectangle(west, south, east, north):
    return [(west, south), (east, south), (east, north), (west, north)]


@folded("step", [10, 0.1])
def test_the_same_sides_are_inside_whatever_the_order_of_rows_and_columns(step):
    """The east and the south side of a rectangle, whose corners are like all other samples."""
    lazy = pytest.importorskip("polymask.dask")
    lat, lon = np.arange(9, -10, -1) * step, np.arange(-12, 13) * step
    box, lattice = rectangle(lon[8], lat[8], lon[10], lat[5]), rectangle(-3, -3, 3, 3)
    shapes = [(box, 5), (np.multiply(lattice[:3], step), 3)]
    expected = polymask.rasterize_like([(box, 5)], degrees(lat, lon)).values
    assert np.argwhere(expected).tolist() == [[y, x] for y in (6, 7, 8) for x in (9, 10)]
    expected = polymask.rasterize_like(shapes, degrees(lat, lon)).values
    corner = 12.5 * step, 9.5 * step
    for rows, cols in TURNS:
        turn = np.s_[::rows, ::cols]
        grid = degrees(lat[::rows], lon[::cols])
        transform = (cols * step, 0, -cols * corner[0], 0, -rows * step, rows * corner[1])
        for library, chunks in ((polymask, {}), (lazy, {"chunks": (10, 7)})):
            image = library.rasterize_like(shapes, grid, **chunks)
            np.testing.assert_array_equal(image.values[turn], expected)
            placed = library.rasterize(shapes, expected.shape, transform=transform, **chunks)
            if step == 10:  # otherwise, centres are not exactly on edges
                np.testing.assert_array_equal(np.asarray(placed)[turn], expected)
            assert chunks == {} or image.chunks == placed.chunks == ((10, 9), (7, 7, 7, 4))
        for merge_alg in ("replace", "add"):
            options = {"transform": transform, "merge_alg": merge_alg}
            out = polymask.rasterize(shapes, expected.shape, fill=9, **options)
            again = np.full(out.shape, 9, np.uint8)
            polymask.rasterize(shapes, out=again, **options)
            np.testing.assert_array_equal(again, out)
    image = polymask.rasterize([rectangle(0.5, 0.5, 2.5, 2.5)], (4, 4))  # has no north
    assert np.argwhere(image).tolist() == [[y, x] for y in (1, 2) for x in (1, 2)]


@folded("unit", [1, 0.1, 0.3])
def test_polygons_that_tile_the_map_tile_the_pixels(unit):
    """Triangles whose vertices and edges meet samples, in both directions."""
    r = np.random.default_rng(2)
    corners = 6 * np.indices((9, 9)).T + r.integers(-1, 2, (9, 9, 2))
    triangles = []
    for y, x in np.ndindex(8, 8):
        quad = corners[[y, y, y + 1, y + 1], [x, x + 1, x + 1, x]]
        pair = ([0, 1, 2], [0, 2, 3]) if r.integers(2) else ([0, 1, 3], [1, 2, 3])
        triangles += [quad[list(three)][:: r.choice([1, -1])] * unit for three in pair]
    axis = np.arange(1, 47) * unit
    for like in (degrees(axis, axis), degrees(axis[::-1], axis)):
        counts = polymask.rasterize_like(triangles, like, merge_alg="add")
        assert (counts == 1).all()
    transform = (unit, 0, 0.5 * unit, 0, -unit, 46.5 * unit)
    counts = polymask.rasterize(triangles, (46, 46), transform=transform, merge_alg="add")
    assert (counts == 1).all()


@folded("step", [10, 0.9])
def test_rows_at_the_poles_are_inside(step):
    lat, lon = np.linspace(90, -90, round(180 / step) + 1), np.arange(-170, 181, 10)
    caps = [rectangle(-180, 80, 180, 90), rectangle(-180, -90, 180, -80), rectangle(0, -80, 5, 80)]
    world = rectangle(-180, -90, 180, 90)
    transform = (10, 0, -175, 0, -step, 90 + step / 2)
    for rows in (1, -1):
        grid = degrees(lat[::rows], lon)
        assert polymask.rasterize_like([world], grid).all()
        image = polymask.rasterize_like(caps, grid, values=[1, 2, 3], wrap=True)
        assert (image.values[[0, -1], 0] == [1, 2][::rows]).all()
        assert (np.ptp(image.values[[0, -1]], axis=1) == 0).all()
    assert polymask.rasterize([world], (len(lat), len(lon)), transform=transform).all()
    local = {"lat": ("lat", lat, {"units": "m"})}  # not degrees
    grid = degrees(lat, lon).assign_coords(local).rename(lat="y")
    assert not polymask.rasterize_like([world], grid)[0].any()
    assert polymask.rasterize_like([world], grid.assign_coords(y=lat)).all()
    moved = np.add(world, (0, 5))  # no row is at its end
    grid = degrees(lat + 5, lon)
    assert polymask.rasterize_like([moved], grid).values.any(axis=1).tolist() == [
        False,
        *[True] * (len(lat) - 1),
    ]


STEPS = [(1, 0, 0, 0, 1, 0), (1, 0, -3, 0, 1, 5), (2, 0, -8, 0, 2, 4), (-4, 0, 3, 0, 4, 1)]


@folded("transform", STEPS)
@folded("options", [{}, {"border_value": True, "watertight": False}])
def test_windows_of_an_image_or_a_map_equal_the_whole(transform, options):
    lazy = pytest.importorskip("polymask.dask")
    a, b, c, d, e, f = transform
    corners = np.random.default_rng(4).integers(-2, 26, (30, 3, 2)) / 2
    shapes = [
        rectangle(2.5, 2.5, 6.5, 6.5),
        *corners[:20],
        *(rectangle(*x[0], *x[1]) for x in corners[20:]),
    ]
    shapes = [np.multiply(each, (a, e)) + (c, f) for each in shapes]
    options = {"merge_alg": "add", **options}
    whole = polymask.rasterize(shapes, (12, 13), transform=transform, **options)
    image = lazy.rasterize(shapes, (12, 13), transform=transform, chunks=(7, 13), **options)
    np.testing.assert_array_equal(image, whole)
    lat, lon = f + e * (np.arange(12) + 0.5), c + a * (np.arange(13) + 0.5)
    grid = degrees(lat, lon)
    of_grid = polymask.rasterize_like(shapes, grid, **options).values
    image = lazy.rasterize_like(shapes, grid, chunks=(7, 13), **options)
    np.testing.assert_array_equal(image, of_grid)
    for row, col, shape in ((1, 1, (8, 8)), (3, 0, (4, 13)), (0, 5, (12, 2))):
        window = np.s_[row : row + shape[0], col : col + shape[1]]
        placed = a, b, c + a * col, d, e, f + e * row
        tile = polymask.rasterize(shapes, shape, transform=placed, **options)
        np.testing.assert_array_equal(tile, whole[window])
        tile = polymask.rasterize_like(shapes, grid[window], **options)
        np.testing.assert_array_equal(tile, of_grid[window])


def test_a_side_at_90_is_inside_only_in_degrees():
    box = rectangle(0, 80, 10, 90)
    counts = [
        polymask.rasterize([box], (10, 10), transform=(1, 0, 0, 0, -1, top))[int(top - 90)].sum()
        for top in (90.5, 91.5)
    ]
    assert counts == [10, 0]


def test_a_side_at_90_stays_where_areas_count():
    xarray = pytest.importorskip("xarray")
    box, grid = rectangle(0, 85, 4, 90), {"lat": 90.0 - np.arange(4), "lon": 0.5 + np.arange(4)}
    like = xarray.DataArray(np.ones((4, 4)), grid, ("lat", "lon"))
    np.testing.assert_array_equal(polymask.coverage(box, transform=like)[0], [0.5] * 4)
    options = {"transform": like, "statistics": ["count"], "weights": "coverage"}
    assert polymask.polygon_statistics([box], np.ones((4, 4)), **options)["count"] == 14
    assert polymask.polygon_mask(box, transform=like).all()
