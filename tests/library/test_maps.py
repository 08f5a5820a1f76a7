"""`rasterize` and `rasterize_like`: values of geometries on a map."""

from fractions import Fraction

import numpy as np
import pytest
from cases import folded
from polygons import COUNTRIES, HOLE, OUTER, TRIANGLE, geojson, read_only

import polymask
from polymask.maps import georeference

NORTH_UP = (30, 0, 399960, 0, -30, 4900020)  # a Landsat scene's
TURNED = (0.9, 0.4, -3.0, 0.5, -0.8, 20.0)
OTHER_INT = np.dtype(np.int32).newbyteorder()  # not this machine's
SQUARE = [(1, 1), (4, 1), (4, 3), (1, 3)]
WIDE = [(0, 2), (6, 2), (6, 4), (0, 4)]


def star(seed, count=40, middle=(50, 40), size=38):
    """Return real vertices around a middle; no sample lies on the edges."""
    r = np.random.default_rng(seed)
    angle = np.sort(r.uniform(0, 2 * np.pi, count))
    radius = r.uniform(size / 2, size, count)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]) + middle


# The value of a pixel.


def test_values_are_burnt_in_order():
    image = polymask.rasterize([(SQUARE, 5), WIDE, (HOLE + 30, 9)], (5, 7), fill=3, default_value=2)
    expected = np.full((5, 7), 3)
    expected[1:3, 1:4] = 5
    expected[2:4, :6] = 2
    np.testing.assert_array_equal(image, expected)
    assert image.dtype == np.uint8


@folded(
    ("values", "fill", "dtype"),
    [
        ([1, 255], 0, np.uint8),
        ([1, 256], 0, np.uint16),
        ([1, 2], -1, np.int16),
        ([1, 70000], 0, np.uint32),
        ([1, 70000], -1, np.int32),
        ([-(2**40), 2], 0, np.int64),
        (np.array([1, 2**64 - 1], np.uint64), 0, np.uint64),
        ([2**63 + 1, 1], 0, np.uint64),
        ((np.uint64(2**53 + 1), np.int64(1)), 0, np.int64),
        ([0.5, 2], np.nan, np.float64),
        ([0.1, 2], -0.0, np.float64),
        ([1, 2], np.nan, np.float64),
        ([0, 0], 7, np.uint8),
        ([np.inf, np.nan], 1, np.float64),
        ([True, False], 0, np.uint8),
    ],
)
def test_dtype_holds_all_values_exactly(values, fill, dtype):
    image = polymask.rasterize([SQUARE, WIDE], (5, 7), values=values, fill=fill)
    assert image.dtype == dtype
    expected = np.full((5, 7), fill, dtype)
    expected[1:3, 1:4] = values[0]
    expected[2:4, :6] = values[1]
    np.testing.assert_array_equal(image, expected)
    assert np.array_equal(np.signbit(image), np.signbit(expected))
    repeated = polymask.rasterize([SQUARE, WIDE], (5, 7), values=values, fill=fill, dtype=dtype)
    np.testing.assert_array_equal(repeated, expected)


@pytest.mark.parametrize("values", [[2**53 + 1, 1.0], [2**63 + 1, -1]])
def test_integers_that_no_dtype_holds_exactly_are_rejected(values):
    with pytest.raises(ValueError, match=f"value {values[0]} of geometry 0 is not exact"):
        polymask.rasterize([SQUARE, WIDE], (5, 7), values=values)


@pytest.mark.parametrize(
    ("fill", "dtype"), [(np.True_, "u1"), (True, "u1"), (np.array(3), "u1"), (np.array(0.5), "f8")]
)
def test_fill_of_numpy(fill, dtype):
    image = polymask.rasterize([SQUARE], (5, 7), fill=fill)
    assert (image.dtype, image[4, 6]) == (dtype, fill)


@pytest.mark.parametrize("pair", [[SQUARE, 3], (SQUARE, np.array(3)), (SQUARE, np.int8(3))])
def test_a_pair_may_be_a_list_and_its_value_an_array_without_axes(pair):
    """rasterio accepts lists, too."""
    expected = polymask.rasterize([(SQUARE, 3), (WIDE, 5)], (5, 7))
    np.testing.assert_array_equal(polymask.rasterize([pair, (WIDE, 5)], (5, 7)), expected)


def test_a_geometry_and_none_are_two_geometries():
    expected = polymask.rasterize([SQUARE], (5, 7))
    for pair in [SQUARE, None], (SQUARE, None):
        np.testing.assert_array_equal(polymask.rasterize(pair, (5, 7)), expected)


def test_any_byte_but_0_is_true_and_becomes_1():
    trues = np.full(2, 255, np.uint8).view(bool)
    for options in ({}, {"dtype": bool}, {"dtype": bool, "fill": True}, {"merge_alg": "add"}):
        image, expected = (
            polymask.rasterize([SQUARE, WIDE], (5, 7), values=values, **options)
            for values in (trues, [True, True])
        )
        np.testing.assert_array_equal(image.view(np.uint8), expected.view(np.uint8))


def test_nothing_to_burn():
    assert polymask.rasterize([], (2, 3), fill=9).tolist() == [[9, 9, 9]] * 2
    assert polymask.rasterize([SQUARE], (0, 3)).shape == (0, 3)
    empty = [geojson("MultiPolygon", []), {"type": "Feature", "geometry": None}]
    assert not polymask.rasterize(empty, (2, 3)).any()


# Positions of pixels.


@pytest.mark.parametrize("scale", [(30, -30), (0.25, -0.25), (2.0**-7, 2.0**5)])
def test_exact_scales_round_nothing(scale):
    """Compared with rational arithmetic; integer origins, and for 30 metres integer pixels."""
    a, e = scale
    transform = (a, 0, 399960, 0, e, 4900020)
    pixels = star(3).round() if a == 30 else np.round(star(3) * 8) / 8
    vertices = pixels * (a, e) + (399960, 4900020)
    exact = [
        ((Fraction(x) - 399960) / Fraction(a), (Fraction(y) - 4900020) / Fraction(e))
        for x, y in vertices.tolist()
    ]
    assert [tuple(map(Fraction, point)) for point in pixels.tolist()] == exact
    np.testing.assert_array_equal(georeference.affine(transform).to_pixels(vertices), pixels)
    np.testing.assert_array_equal(
        polymask.rasterize([vertices], (80, 90), transform=transform, dtype=bool),
        polymask.polygon_mask(pixels, (80, 90), center=True),
    )


@pytest.mark.parametrize("transform", [NORTH_UP, TURNED, (0.1, 0, -7, 0, 0.1, 3)])
def test_equals_rasterio_off_the_edges(transform):
    features = pytest.importorskip("rasterio.features")
    affine = pytest.importorskip("affine")
    on_map = georeference.affine(transform)
    shapes = []
    for seed in range(12):
        r = np.random.default_rng(seed)
        ring = on_map(star(seed, 30, r.uniform(0, 100, 2), r.uniform(3, 40)))
        shapes.append((geojson("Polygon", [[*ring.tolist(), ring[0].tolist()]]), seed + 0.5))
    matrix = affine.Affine(*transform)
    for options in ({}, {"fill": -1, "dtype": "float64"}):
        image = polymask.rasterize(shapes, (90, 110), transform=matrix, **options)
        expected = features.rasterize(shapes, (90, 110), transform=matrix, **options)
        np.testing.assert_array_equal(image, expected)
        assert image.dtype == expected.dtype
    out, expected = np.full((2, 90, 110), 99.0)
    polymask.rasterize(shapes, out=out, transform=matrix)
    features.rasterize(shapes, out=expected, transform=matrix)
    np.testing.assert_array_equal(out, expected)


def test_geopandas():
    shapely = pytest.importorskip("shapely")
    geopandas = pytest.importorskip("geopandas")
    pytest.importorskip("rasterio")
    from rasterio.enums import MergeAlg

    frame = geopandas.GeoDataFrame({"kind": [4, 5]}, geometry=[shapely.box(1, 1, 4, 3), None])
    expected = polymask.rasterize([(SQUARE, 4)], (5, 7))
    for shapes, values in (
        (frame, frame.kind),
        (frame.geometry, frame.kind.to_numpy()),
        (zip(frame.geometry, frame.kind, strict=True), None),
    ):
        image = polymask.rasterize(shapes, (5, 7), values=values, merge_alg=MergeAlg.replace)
        np.testing.assert_array_equal(image, expected)


# Overlaps and touched pixels.


def paint(polygons, values, image, merge_alg="replace", **options):
    """Paint the masks of single polygons, one after another."""
    image = image.copy()
    for polygon, value in zip(polygons, values, strict=True):
        mask = polymask.polygon_mask(polygon, image.shape, **options)
        image[mask] = value + (image[mask] if merge_alg == "add" else image.dtype.type(0))
    return image


SHAPES = [
    [OUTER, HOLE],
    TRIANGLE + 2.25,
    geojson("MultiPolygon", [[OUTER.tolist()], [(HOLE + 3).tolist()]]),
    geojson("MultiPolygon", []),
    *(star(seed, 30, (9, 8), 12) for seed in range(6)),
    *(np.random.default_rng(seed).integers(-3, 23, (6, 2)).astype(float) for seed in range(9)),
]


@folded("threads", [1, 2, 7])
@folded("all_touched", [False, True, "open"])
@folded("merge_alg", ["replace", "add"])
@folded("dtype", [np.uint8, np.int16, np.float32, np.float64])
def test_painted_and_added_as_one_by_one(dtype, merge_alg, all_touched, threads):
    values = np.arange(1, 1 + len(SHAPES)) if dtype == np.uint8 else np.arange(len(SHAPES)) / 7 - 1
    values = (values * (1 if dtype == np.uint8 else 10)).astype(dtype)
    options = {"all_touched": all_touched, "threads": threads}
    start = np.full((19, 23), 5, dtype)
    expected = paint(SHAPES, values, start, merge_alg, center=True, **options)
    image = polymask.rasterize(
        SHAPES, (19, 23), fill=5, values=values, dtype=dtype, merge_alg=merge_alg, **options
    )
    np.testing.assert_array_equal(image, expected)
    out = np.arange(19 * 23).reshape(19, 23).astype(dtype) % 50
    expected = paint(SHAPES, values, out, merge_alg, center=True, **options)
    polymask.rasterize(SHAPES, out=out, values=values, merge_alg=merge_alg, **options)
    np.testing.assert_array_equal(out, expected)


@folded(
    ("values", "fill", "dtype", "result_dtype", "largest"),
    [
        ([1, 2], 0, None, np.uint8, 3),
        ([200, 100], 0, None, np.uint16, 300),
        ([100, 100], 56, None, np.uint16, 256),
        ([100, 100], 55, None, np.uint8, 255),
        ([True, True], 0, None, np.uint8, 2),
        ([-1, 5], 0, None, np.int16, 5),
        ([0.5, 0.25], 0, None, np.float64, 0.75),
        ([200, 50], 0, np.uint8, np.uint8, 250),
        ([200, -50], 0, np.int16, np.int16, 200),
        (np.uint64([2**63, 2**63 - 1]), 0, np.uint64, np.uint64, 2**64 - 1),
        ([2000, 1], 0, np.float16, np.float16, 2001),
        ([2000, 50], 0, np.float16, np.float16, 2050),
        ([2**53, 2], 0, np.float64, np.float64, 2**53 + 2),
        ([2.0**24, 1.0], 0, np.float32, np.float32, 2**24),
        ([1, 2**-14], 2048, np.float16, np.float16, 2048),
        ([True, False], 0, bool, np.bool_, True),
    ],
)
def test_sums_and_their_type(values, fill, dtype, result_dtype, largest):
    values = np.array(values)
    image = polymask.rasterize(
        [SQUARE, WIDE], (5, 7), values=values, fill=fill, dtype=dtype, merge_alg="add"
    )
    assert image.dtype == result_dtype
    assert image.max() == largest
    assert image[2, 2] == np.sum(values, dtype=result_dtype) + result_dtype(fill)


def test_sums_that_could_be_too_large_but_are_not():
    squares = [np.add(SQUARE, (0, 0)), np.add(SQUARE, (3, 0))]
    image = polymask.rasterize(squares, (5, 7), values=[200, 255], dtype="u1", merge_alg="add")
    assert image.dtype == np.uint8
    assert image.max() == 255
    image = polymask.rasterize(squares, (5, 7), values=[2**24, 2**25], dtype="f4", merge_alg="add")
    assert image.max() == 2**25
    mask = polymask.rasterize(squares, (5, 7), values=[True, True], dtype=bool, merge_alg="add")
    np.testing.assert_array_equal(mask, image > 0)


# Bad input.

ADD = {"merge_alg": "add"}
LOW, HIGH = np.full((5, 7), -(2**15) + 6, np.int16), np.full((5, 7), 200, np.uint8)


@folded(
    ("options", "message"),
    [
        ({"merge_alg": "max"}, 'merge_alg must be "replace" or "add", got \'max\''),
        ({"merge_alg": True}, 'merge_alg must be "replace" or "add", got True'),
        (ADD | {"on_top": "first"}, "on_top cannot be combined with"),
        ({"on_top": "middle"}, 'on_top must be "last", "first" or "smallest"'),
        ({"all_touched": "half"}, "all_touched must be False, True"),
        (ADD | {"values": [200, 100], "dtype": np.uint8}, "up to 300, which does not fit uint8"),
        (ADD | {"values": [-3, -4], "out": LOW}, "up to -32769, which does not fit int16"),
        (ADD | {"default_value": 100, "out": HIGH}, "up to 400, which does not fit uint8"),
        (ADD | {"dtype": bool}, "values add up to 2, which does not fit bool"),
        (ADD | {"values": [2000, 49], "dtype": "f2"}, "up to 2049, which does not fit float16"),
        (ADD | {"values": [2**24, 1], "dtype": "f4"}, "up to 16777217, which does not fit float32"),
        (ADD | {"values": [-(2**53), -1], "dtype": "f8"}, "up to -9007199254740993, which does"),
        (ADD | {"values": [2**24 - 3, 2], "out": np.full((5, 7), 2, "f4")}, "up to 16777217, wh"),
        (
            ADD | {"values": [2**62] * 2, "dtype": int},
            "0 to 9223372036854775808, which does not fit 64 bits",
        ),
        ({"out_shape": None}, "out_shape or out is required"),
        ({"out_shape": (5, -7)}, "out_shape must not be negative"),
        ({"out": np.zeros((5, 7)), "fill": 0}, "fill cannot be combined with out"),
        ({"out": np.zeros((5, 6))}, r"out must have the shape \(5, 7\)"),
        ({"out": np.zeros((5, 7)), "dtype": int}, "out must have the dtype int64"),
        ({"out": read_only(np.zeros((5, 7)))}, "read-only"),
        ({"out": np.zeros((7, 5)).T}, "C-contiguous"),
        ({"out": [[0.0] * 7] * 5}, "NumPy array"),
        ({"transform": (1, 0, 0, 0, 0, 5)}, "gives pixels no area"),
        ({"transform": (1, 0, 0)}, "six"),
        ({"transform": (1, 0, 0, 0, np.nan, 5)}, "six finite"),
        ({"values": [1]}, r"values of shape \(1,\) for 2 geometries"),
        ({"values": [[1, 2]]}, "values of shape"),
        ({"values": [1, 300], "dtype": np.uint8}, "value 300 of geometry 1 does not fit uint8"),
        ({"values": [1, 0.5], "dtype": int}, "value 0.5 of geometry 1 does not fit int64"),
        ({"values": [1, np.nan], "dtype": int}, "value nan of geometry 1 does not fit int64"),
        ({"values": [1, 1e300], "dtype": "f4"}, r"1e\+300 of geometry 1 does not fit float32"),
        ({"fill": -1, "dtype": np.uint8}, "fill -1 does not fit uint8"),
        ({"values": np.uint64([1, 2**64 - 1]), "fill": -1}, "-1 to 18446744073709551615 fit no"),
        ({"default_value": 256, "dtype": np.uint8}, "value 256 of geometry 0 does not fit"),
        ({"dtype": complex}, "dtype must be an integer, float"),
        ({"dtype": OTHER_INT}, "which is not in this machine's byte order"),
        ({"out": np.zeros((5, 7), OTHER_INT)}, "which is not in this machine's byte order"),
        ({"threads": 0}, "threads"),
    ],
)
def test_bad_options(options, message):
    out = options.get("out")
    before = np.array(out)
    with pytest.raises(ValueError, match=message):
        polymask.rasterize([SQUARE, WIDE], **{"out_shape": (5, 7)} | options)
    np.testing.assert_array_equal(out, before)


@folded(
    ("shapes", "error", "message"),
    [
        ([SQUARE, (SQUARE[:2], 3)], ValueError, "polygon 1: a polygon needs at least 3 vertices"),
        ([(geojson("Point", [1, 2]), 3)], ValueError, "polygon 0: .*'Point'"),
        ([(SQUARE, "a")], TypeError, "value .a. of geometry 0"),
        ((SQUARE, 3), ValueError, "put a single geometry and its value into a list"),
        ([SQUARE, 3], ValueError, "put a single geometry and its value into a list"),
        ([(SQUARE, 2**70)], TypeError, "values must be real numbers of at most 64 bits"),
        ([[(-1e308, 1), (1, 5), (9, 9)]], ValueError, "polygon 0: vertex 0 lies beyond"),
    ],
)
def test_bad_shapes(shapes, error, message):
    with pytest.raises(error, match=message):
        polymask.rasterize(shapes, (5, 7), transform=(0.125, 0, 0, 0, 0.125, 0))


def test_a_transform_that_overflows():
    """Without a warning, which would be an error in tests."""
    far = [(1e150, 1), (1, 5e150), (9, 9)]
    for transform, message in (
        ((1e-300, 0, 0, 0, 1, 0), "polygon 0: vertex 0 is not finite"),
        ((1e-300, 1e10, 0, -1e-300, 1, 0), "polygon 0: vertex 0 is not finite"),
        ((1e200, 1, 0, 1, 1e200, 0), "the area of a pixel is beyond float64"),
    ):
        with pytest.raises(ValueError, match=message):
            polymask.rasterize([far], (5, 7), transform=transform)


# xarray.


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


def test_grid_with_other_names_and_upright():
    xarray = pytest.importorskip("xarray")
    like = xarray.DataArray(np.zeros((9, 12)), {"v": np.arange(9), "u": np.arange(12)}, ("v", "u"))
    shapes = [[OUTER / 2 + 0.25, HOLE / 2 + 0.25], TRIANGLE + 0.25]  # no sample is on an edge
    image = polymask.rasterize_like(shapes, like, x="u", y="v")
    expected = polymask.label_mask(shapes, (9, 12), labels=[1, 1])
    np.testing.assert_array_equal(image.values, expected)
    options = {"all_touched": "open", "merge_alg": "add"}
    image = polymask.rasterize_like([OUTER / 2, TRIANGLE], like, x="u", y="v", **options)
    start = np.zeros((9, 12), np.uint8)
    expected = paint([OUTER / 2, TRIANGLE], [1, 1], start, "add", all_touched="open")
    np.testing.assert_array_equal(image.values, expected)
    with pytest.raises(ValueError, match=r"on_top.*combined"):
        polymask.rasterize_like([SQUARE], like, x="u", y="v", merge_alg="add", on_top="smallest")


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
