"""polymask.dask.polygon_statistics: equal to the CPU's result to the bit, for any chunks."""

import random

import numpy as np
import pytest

import polymask

dask = pytest.importorskip("dask")
lazy = pytest.importorskip("polymask.dask")
SHAPE = ROWS, COLS = 61, 83
DTYPES = "bool", "uint8", "int16", "uint32", "int64", "uint64", "float16", "float32", "float64"


@pytest.fixture(autouse=True)
def _in_this_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def image_of(r, dtype):
    numbers = np.random.default_rng(r.randrange(2**32))
    if dtype == "bool":
        return numbers.random(SHAPE) < 0.5
    if np.dtype(dtype).kind == "f":
        values = numbers.normal(0, 100, SHAPE).astype(dtype)
        values[numbers.random(SHAPE) < 0.1] = np.nan
        return values
    limits = np.iinfo(dtype)
    low, high = max(limits.min, -(2**44)), min(limits.max, 2**44)
    return numbers.integers(low, high, SHAPE, dtype)


def triangle(r):
    x, y, size = r.uniform(-9, COLS), r.uniform(-9, ROWS), r.choice([1, 9, 60])
    return [(x, y), (x + size, y + size / 3), (x + size / 2, y + size)]


def compute(polygons, image, chunks, **options):
    lazy_image = dask.array.from_array(image, chunks=chunks)
    return dask.compute(*lazy.polygon_statistics(polygons, lazy_image, **options))


def check(results, expected):
    for name, result, of_cpu in zip(expected._fields, results, expected, strict=True):
        assert (type(result), result.dtype) == (type(of_cpu), of_cpu.dtype), name
        np.testing.assert_array_equal(result, of_cpu, err_msg=name)
        np.testing.assert_array_equal(np.ma.getmask(result), np.ma.getmask(of_cpu))
        np.testing.assert_array_equal(np.ma.getdata(result), np.ma.getdata(of_cpu))


def test_random_chunks():
    for seed in range(20):
        r = random.Random(seed)
        polygons = [*(triangle(r) for _ in range(30)), None]
        image = image_of(r, dtype := r.choice(DTYPES))
        options = {"center": r.choice([True, False])}
        if dtype != "bool":
            options["nodata"] = r.choice([None, image[30, 40].item(), 0.5])
        if seed % 3 == 0:
            image = np.ma.masked_array(image, image_of(r, "bool"))
        chunks = r.choice([7, (20, 83), (61, 9), 40, 100])
        expected = polymask.polygon_statistics(polygons, image, **options)
        check(compute(polygons, image, chunks, **options), expected)


def test_window_of_a_larger_image():
    polygons = [[(105, 52), (180, 60), (140, 110)]]
    image = np.arange(ROWS * COLS).reshape(SHAPE)
    expected = polymask.polygon_statistics(polygons, image, offset=(50, 100))
    assert expected.count[0] > 1000
    check(compute(polygons, image, 16, offset=(50, 100)), expected)


def test_sums_of_64_bits_are_exact_or_refused():
    polygons = [[(-1, -1), (9, -1), (9, 9), (-1, 9)]]
    image = np.zeros((8, 8), np.int64)
    image[0, :2], image[7, 6:] = 2**62, -(2**62)  # only the sums of blocks do not fit
    image[3, 3] = 2**53 + 1
    expected = polymask.polygon_statistics(polygons, image)
    assert expected.sum.tolist() == [2**53 + 1]
    assert compute(polygons, image[3:4, 3:4], 1)[3].tolist() == [2**53 + 1]
    check(compute(polygons, image, 2), expected)
    image[7, 6:] = 0
    with pytest.raises(ValueError, match="polygon 0") as error:
        compute(polygons, image, 2)
    with pytest.raises(ValueError, match="polygon 0") as of_cpu:
        polymask.polygon_statistics(polygons, image)
    assert str(error.value) == str(of_cpu.value)


def test_only_blocks_near_polygons_are_read():
    read = []

    def block(block_id):
        read.append(block_id)
        return np.ones((10, 10), np.uint8)

    empty = np.empty((0, 0), np.uint8)
    image = dask.array.map_blocks(block, chunks=((10,) * 9, (10,) * 9), meta=empty)
    count, *_ = lazy.polygon_statistics([[(21.5, 22), (38, 22), (38, 28), (21.5, 28)]], image)
    assert count.compute() > 50
    assert sorted(read) == [(2, 2), (2, 3)]


def test_without_polygons():
    check(compute([], np.ones(SHAPE), 20), polymask.polygon_statistics([], np.ones(SHAPE)))


@pytest.mark.parametrize(
    ("polygons", "image", "options"),
    [
        ([[(0, 0), (1, 1), (2, np.inf)]], np.ones(SHAPE), {}),
        ([[(0, 0), (1, 1), (2, 2)]], np.ones(SHAPE, complex), {}),
        ([[(0, 0), (1, 1), (2, 2)]], np.ones(5), {}),
        ([[(0, 0), (1, 1), (2, 2)]], np.ones(SHAPE), {"nodata": "none"}),
        ([[(0, 0), (1, 1), (2, 2)]], np.ones(SHAPE), {"center": 2j}),
    ],
)
def test_errors_are_those_of_the_cpu_during_the_call(polygons, image, options):
    with pytest.raises((TypeError, ValueError)) as expected:
        polymask.polygon_statistics(polygons, image, **options)
    with pytest.raises(expected.type) as error:
        lazy.polygon_statistics(polygons, dask.array.from_array(image, chunks=20), **options)
    if image.ndim == 2:  # the other message has a shape
        assert str(error.value) == str(expected.value)


def test_unknown_chunks_are_refused():
    image = dask.array.ones((20, 20), chunks=5)
    with pytest.raises(ValueError, match="compute_chunk_sizes"):
        lazy.polygon_statistics([[(0, 0), (1, 1), (2, 2)]], image[image[:, 0] > 0])


NAMES = "count", "sum", "mean", "median", "quantile(q=0.1)", "variance", "majority", "variety"
LISTS = "unique", "unique_counts", "frac"


def check_columns(columns, expected):
    assert list(columns) == list(expected)
    for name, values in expected.items():
        pairs = zip(columns[name], values, strict=True) if isinstance(values, list) else ()
        for result, of_cpu in pairs or ((columns[name], values),):
            assert (type(result), result.dtype) == (type(of_cpu), of_cpu.dtype), name
            np.testing.assert_array_equal(result, of_cpu, err_msg=name)


def test_names_of_statistics():
    for seed in range(20):
        r = random.Random(seed)
        polygons = [*(triangle(r) for _ in range(20)), None]
        image = image_of(r, r.choice(DTYPES))
        image = np.ma.masked_array(image, image_of(r, "bool")) if seed % 3 == 0 else image
        options = {"statistics": [*NAMES, *LISTS], "weights": r.choice([None, "coverage"])}
        lazy_image = dask.array.from_array(image, chunks=r.choice([7, (20, 83), 40, 100]))
        columns = lazy.polygon_statistics(polygons, lazy_image, **options)
        expected = polymask.polygon_statistics(polygons, image, **options)
        for name in NAMES[:3]:
            assert (columns[name].shape, columns[name].dtype) == ((21,), expected[name].dtype)
        check_columns(dask.compute(columns)[0], expected)


def test_several_images():
    bands = {name: image_of(random.Random(name), "int16") for name in ("red", "green")}
    arguments = [triangle(random.Random(1))], bands
    lazy_bands = {name: dask.array.from_array(band, chunks=20) for name, band in bands.items()}
    columns = lazy.polygon_statistics(arguments[0], lazy_bands, statistics=["median"])
    expected = polymask.polygon_statistics(*arguments, statistics=["median"])
    check_columns(dask.compute(columns)[0], expected)
    lazy_bands["blue"] = lazy_bands["red"][:40]
    with pytest.raises(ValueError, match="same shape"):
        lazy.polygon_statistics(arguments[0], lazy_bands, statistics=["median"])


def test_a_sum_that_does_not_fit_names_its_polygon():
    polygons = [[(90, 90), (91, 90), (91, 91)], [(0, 0), (9, 0), (9, 9), (0, 9)]]
    image = dask.array.full((8, 8), 2**62, chunks=4, dtype=np.int64)
    columns = lazy.polygon_statistics(polygons, image, statistics=["sum"])
    with pytest.raises(ValueError, match="polygon 1: "):
        columns["sum"].compute()
