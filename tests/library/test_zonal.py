"""`polygon_statistics`: equal to NumPy's for the pixels of `polygon_mask`, for each polygon."""

import numpy as np
import pytest
from cases import folded
from polygons import HOLE, OUTER, SHAPE, TRIANGLE, geojson, unaligned

import polymask
from polymask.masks import zonal_images

POLYGONS = [[OUTER, HOLE], TRIANGLE, TRIANGLE + 100, geojson("MultiPolygon", []), OUTER / 2]
INTEGERS = ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", ">i2", bool]


def image_of(shape, dtype, seed=0):
    """Return small and large numbers of a dtype."""
    r = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return r.normal(0, 1000, shape).astype(dtype)
    if dtype.kind == "b":
        return r.random(shape) < 0.5
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    if dtype.itemsize == 8:  # so that sums fit 64 bits
        low, high = low // 2**14, high // 2**14
    return r.integers(low, high, shape, dtype.newbyteorder("="), True).astype(dtype)


def has_no_value(number):
    return number is np.ma.masked or np.isnan(number)


def check(polygons, image, values=None, nodata=None, **options):
    """Compare statistics with those of each mask; `values` marks the pixels that count."""
    image = np.asanyarray(image)
    values = np.ones(image.shape, bool) if values is None else values
    stats = polymask.polygon_statistics(polygons, image, nodata=nodata, **options)
    plain = np.ma.getdata(image)
    for number, polygon in enumerate(polygons):
        mask = polymask.polygon_mask(polygon, image.shape, **options)
        inside = plain[mask & values]
        assert stats.count[number] == inside.size
        if not inside.size:
            assert stats.sum[number] == 0
            assert np.isnan(stats.mean[number])
            assert all(has_no_value(column[number]) for column in (stats.min, stats.max))
            continue
        assert stats.min[number] == inside.min()
        assert stats.max[number] == inside.max()
        if plain.dtype.kind == "f":
            near = {"rtol": 1e-13, "atol": np.abs(inside.astype(float)).sum() * 1e-15}
            total = inside.sum(dtype=np.float64)
            np.testing.assert_allclose(stats.sum[number], total, **near)
            np.testing.assert_allclose(stats.mean[number], total / inside.size, **near)
        else:
            assert stats.sum[number] == inside.sum()
            assert stats.mean[number] == stats.sum[number] / inside.size
    return stats


@folded("dtype", [*INTEGERS, "f2", "f4", "f8", ">f4"])
@folded("options", [{}, {"center": True, "offset": (2, -1), "threads": 2}])
def test_each_polygon_has_the_statistics_of_its_pixels(dtype, options):
    stats = check(POLYGONS, image_of(SHAPE, dtype), **options)
    kind = np.dtype(dtype).kind
    assert stats.sum.dtype == {"f": np.float64, "u": np.uint64, "b": np.uint64}.get(kind, np.int64)
    assert stats.count.dtype == np.int64
    assert stats.mean.dtype == np.float64
    own = {"f": np.dtype(float), "b": np.dtype("u1")}.get(kind, np.dtype(dtype).newbyteorder("="))
    assert stats.min.dtype == stats.max.dtype == own


def test_pixels_without_a_value():
    image = image_of(SHAPE, "f8")
    image[3, 4:9] = np.nan
    image[5] = -9999
    check(POLYGONS, image, ~np.isnan(image))
    check(POLYGONS, image, ~np.isnan(image) & (image != -9999), nodata=-9999)
    masked = np.ma.masked_less(image, 0)
    check(POLYGONS, masked, ~np.isnan(image) & (image >= 0))
    check(POLYGONS, np.ma.array(image), ~np.isnan(image))
    short = image.astype("f4")
    short[5] = -3.4028235e38
    check(POLYGONS, short, ~np.isnan(image) & (image != -9999), nodata=-3.4028235e38)
    tenths = np.where(image == -9999, 0.1, np.round(image)).astype(np.float16)
    check(POLYGONS, tenths, ~np.isnan(image) & (image != -9999), nodata=0.1)
    check(POLYGONS, np.full(SHAPE, np.nan), np.zeros(SHAPE, bool))


def test_integers_without_a_value():
    image = image_of(SHAPE, "u1")
    check(POLYGONS, image, image != 7, nodata=7)
    check(POLYGONS, image, image != 7, nodata=7.0)
    for nodata in (-9999, 256, 7.5, np.nan, np.inf):
        check(POLYGONS, image, nodata=nodata)


def test_masked_values_do_not_count_in_large_sums():
    """Large integers are added twice, the second time to check whether the sum fits 64 bits."""
    image = np.full(SHAPE, 7, np.int64)
    image[4:8, 5:9] = 2**40
    image[5, 6] = 2**61
    image[6, 7] = 2**60 + 1
    masked = np.ma.masked_equal(image, 2**60 + 1)
    check([OUTER], masked, ~masked.mask)
    check([OUTER], masked, ~masked.mask & (image != 7), nodata=7)


def test_a_mean_of_large_integers_lies_between_the_least_and_the_largest():
    """Their sum is rounded to a double, and then the quotient."""
    three = [(-0.5, -0.5), (2.5, -0.5), (2.5, 0.5), (-0.5, 0.5)]
    for value in (2**53 + 1, -(2**53) - 1, 2**59 + 2**6 + 1):
        stats = polymask.polygon_statistics([three], np.full((3, 3), value))
        assert stats.count == 3  # a power of two would round nothing
        assert stats.min == stats.mean == stats.max


def test_integers_beyond_2_53_are_exact():
    image = np.full((3, 3), 2**53 + 1)
    image[0, 0] = -(2**53) - 1
    square = np.array([(-1, -1), (9, -1), (9, 9), (-1, 9)])
    names = ["min", "max", "majority", "minority"]
    for weights in None, "coverage":
        columns = polymask.polygon_statistics(
            [square, square + 100], image, statistics=names, weights=weights
        )
        expected = [-(2**53) - 1, 2**53 + 1, 2**53 + 1, -(2**53) - 1]
        for column, value in zip(columns.values(), expected, strict=True):
            assert (column.dtype, column.tolist()) == (np.int64, [value, None])
            assert column.data.tolist() == [value, 0]
    _, _, _, *ends = polymask.polygon_statistics([square], image)
    assert not any(isinstance(end, np.ma.MaskedArray) for end in ends)
    assert [end.tolist() for end in ends] == [[-(2**53) - 1], [2**53 + 1]]


def test_any_layout_of_an_image():
    image = image_of((2 * SHAPE[0], 2 * SHAPE[1]), "f4")[::-2, ::2]
    check(POLYGONS, image)
    check(POLYGONS, np.asfortranarray(image))
    check(POLYGONS, np.ma.masked_greater(np.asfortranarray(image), 500), image <= 500)
    check(POLYGONS, unaligned(image))
    assert zonal_images.read_image(unaligned(image))[0].flags.aligned  # compiled code requires it
    lists = polymask.polygon_statistics([TRIANGLE], image.tolist())
    assert lists.count == polymask.polygon_statistics([TRIANGLE], image).count


def test_any_byte_but_0_is_true():
    """As in a buffer of 0 and 255 that is viewed as bool."""
    values = np.random.default_rng(2).choice(np.uint8([0, 0, 1, 2, 128, 255]), SHAPE)
    for image in (values.view(bool), values.view(bool)[:, ::-1]):
        stats = polymask.polygon_statistics(POLYGONS, image)
        expected = polymask.polygon_statistics(POLYGONS, image.view(np.uint8) != 0)
        np.testing.assert_equal(stats, expected)


def test_no_polygons_and_no_pixels():
    assert all(len(column) == 0 for column in polymask.polygon_statistics([], np.zeros((3, 4))))
    for shape in ((0, 4), (3, 0)):
        assert polymask.polygon_statistics([TRIANGLE], np.zeros(shape)).count.tolist() == [0]


@folded(
    ("polygons", "image", "options", "error", "message"),
    [
        ([TRIANGLE], np.zeros((3, 4, 2)), {}, ValueError, r"rows, cols\), got \(3, 4, 2\)"),
        ([TRIANGLE], np.zeros(SHAPE, complex), {}, TypeError, "real numbers of at most 64"),
        ([TRIANGLE], np.zeros(SHAPE, np.longdouble), {}, TypeError, "numbers of at most 64 bits"),
        ([TRIANGLE], "image", {}, TypeError, "real numbers"),
        ([TRIANGLE], np.zeros(SHAPE), {"nodata": "none"}, TypeError, "nodata must be a real"),
        ([TRIANGLE], np.zeros(SHAPE), {"threads": 0}, ValueError, "threads"),
    ],
)
def test_bad_input(polygons, image, options, error, message):
    with pytest.raises(error, match=message):
        polymask.polygon_statistics(polygons, image, **options)


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_a_sum_that_does_not_fit_is_an_error_and_no_number(dtype):
    limits = np.iinfo(dtype)
    image = np.full((2, 3), limits.max // 2, dtype)
    image[0, 0] += 1
    single = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
    pair = [(-0.5, -0.5), (1.5, -0.5), (1.5, 0.5), (-0.5, 0.5)]
    three = [(-0.5, -0.5), (2.5, -0.5), (2.5, 0.5), (-0.5, 0.5)]
    stats = polymask.polygon_statistics([single, pair], image)
    assert stats.sum.tolist() == [limits.max // 2 + 1, limits.max]
    assert stats.mean[1] == limits.max / 2
    for value in (limits.min, limits.max):
        stats = polymask.polygon_statistics([single], np.full((2, 3), value, dtype))
        assert stats.sum[0] == value
    with pytest.raises(ValueError, match="polygon 2: its sum does not fit 64 bits"):
        polymask.polygon_statistics([single, pair, three], image)
    assert polymask.polygon_statistics([three], image, nodata=image[0, 0]).sum[0] == (
        2 * (limits.max // 2)
    )
    if dtype == np.int64:
        with pytest.raises(ValueError, match="polygon 0: its sum does not fit"):
            polymask.polygon_statistics([three], -image)


def test_infinite_values_of_both_signs_have_no_sum():
    image = np.ones((6, 6))
    image[1, 1], image[2, 1] = np.inf, -np.inf
    stats = polymask.polygon_statistics([[(0, 0), (5, 0), (0, 5)]], image)
    assert np.isnan([stats.sum[0], stats.mean[0]]).all()
    assert (stats.min[0], stats.max[0]) == (-np.inf, np.inf)
