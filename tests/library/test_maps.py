"""`rasterize` and `rasterize_like`: values of geometries on a map."""

from fractions import Fraction

import numpy as np
import pytest
from cases import folded
from polygons import HOLE, OUTER, TRIANGLE, geojson, read_only

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
