"""`polygon_statistics(statistics=...)`: equal to NumPy's for each polygon's own pixels."""

import numpy as np
import pytest
from cases import folded
from polygons import HOLE, OUTER, SHAPE, TRIANGLE, geojson

import polymask
from polymask.masks import zonal_columns, zonal_summaries, zonal_windows
from polymask.masks.sampling import Sampling

POLYGONS = [[OUTER, HOLE], TRIANGLE, TRIANGLE + 100, geojson("MultiPolygon", []), OUTER / 2]
QUANTILES = {"quantile_0": 0, "quantile_12.5": 0.125, "quantile_90": 0.9, "quantile_100": 1}
NAMES = [*zonal_columns.NAMES, *(f"quantile(q={q})" for q in QUANTILES.values())]


def image_of(dtype, classes=False, shape=SHAPE):
    """Return random numbers of a dtype, few of them distinct if they are classes."""
    r = np.random.default_rng(3)
    if classes:
        return r.integers(0, 5, shape).astype(dtype)
    if np.dtype(dtype).kind == "f":
        return r.normal(0, 1000, shape).astype(dtype)
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    if np.dtype(dtype).itemsize == 8:
        low, high = low // 2**14, high // 2**14
    return r.integers(low, high, shape, dtype, True)


def check(columns, number, values, image_dtype):
    """Compare the columns of a polygon with NumPy's statistics of its values."""
    inside = values.astype(float)
    wide = {"rtol": 1e-12, "atol": 1e-12 * np.abs(inside).max(initial=0) ** 2}
    assert columns["count"][number] == inside.size
    if not inside.size:
        lists = ("unique", "unique_counts", "frac")
        assert all(len(columns[name][number]) == 0 for name in lists)
        assert (columns["sum"][number], columns["variety"][number]) == (0, 0)
        others = set(columns) - {"count", "sum", "variety", *lists}
        values = (columns[name][number] for name in others)
        assert all(value is np.ma.masked or np.isnan(value) for value in values)
        return
    assert columns["median"][number] == np.median(inside)
    for name, q in QUANTILES.items():
        assert columns[name][number] == np.percentile(inside, 100 * q)
    np.testing.assert_allclose(columns["variance"][number], inside.var(), **wide)
    np.testing.assert_allclose(columns["stdev"][number], inside.std(), rtol=1e-9)
    np.testing.assert_allclose(
        columns["coefficient_of_variation"][number], inside.std() / inside.mean(), rtol=1e-9
    )
    unique, counts = np.unique(values, return_counts=True)
    assert columns["unique"][number].dtype == image_dtype
    np.testing.assert_array_equal(columns["unique"][number], unique)
    np.testing.assert_array_equal(columns["unique_counts"][number], counts)
    np.testing.assert_array_equal(columns["frac"][number], counts / counts.sum())
    assert columns["variety"][number] == len(unique)
    assert columns["majority"][number] == unique[counts == counts.max()].max()
    assert columns["minority"][number] == unique[counts == counts.min()].min()


@folded("dtype", ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8"])
@folded("options", [{}, {"center": True, "offset": (2, -1), "threads": 2}, {"all_touched": True}])
def test_each_polygon_has_the_statistics_of_its_pixels(dtype, options):
    for classes in (False, True):
        image = image_of(dtype, classes)
        columns = polymask.polygon_statistics(POLYGONS, image, statistics=NAMES, **options)
        five = polymask.polygon_statistics(POLYGONS, image, **options)
        for name, expected in five._asdict().items():
            np.testing.assert_array_equal(columns[name], expected)
            assert columns[name].dtype == expected.dtype
        for number, polygon in enumerate(POLYGONS):
            mask = polymask.label_mask([polygon], SHAPE, **options).astype(bool)
            check(columns, number, image[mask], image.dtype)


def test_missing_values_are_in_no_statistic():
    image = image_of("f8", classes=True)
    image[3, 4:9] = np.nan
    masked = np.ma.masked_equal(image, 2)
    is_value = ~np.isnan(image) & (image != 2) & (image != 1)
    columns = polymask.polygon_statistics(POLYGONS, masked, statistics=NAMES, nodata=1)
    for number, polygon in enumerate(POLYGONS):
        mask = polymask.polygon_mask(polygon, SHAPE) & is_value
        check(columns, number, image[mask], image.dtype)


def test_a_variance_beside_a_large_mean_keeps_its_digits():
    image = 1e9 + image_of("f8", classes=True)
    columns = polymask.polygon_statistics([OUTER], image, statistics=["variance"])
    inside = image[polymask.polygon_mask(OUTER, SHAPE).astype(bool)]
    np.testing.assert_allclose(columns["variance"], (inside - 1e9).var(), rtol=1e-14)


def by_coverage(polygon, image):
    """Return count, sum, mean, variance and the weights of classes, in NumPy."""
    weights = polymask.coverage(polygon, SHAPE).astype(float).ravel()
    values = image.ravel().astype(float)
    total = weights.sum()
    mean = (weights * values).sum() / total
    classes = np.unique(values[weights > 0])
    shares = [weights[values == value].sum() for value in classes]
    variance = (weights * (values - mean) ** 2).sum() / total
    return (total, mean * total, mean, variance), classes, np.array(shares)


@folded("dtype", ["u1", "i8", "f4"])
@folded("threads", [1, 2])
def test_weights_are_the_covered_fractions(dtype, threads):
    image = image_of(dtype, classes=True)
    several = geojson("MultiPolygon", [[OUTER.tolist()], [TRIANGLE.tolist()]])
    polygons = [OUTER, TRIANGLE, OUTER / 2, several]
    columns = polymask.polygon_statistics(
        polygons, image, statistics=NAMES, weights="coverage", threads=threads
    )
    for number, polygon in enumerate(polygons):
        moments, classes, shares = by_coverage(polygon, image)
        for name, expected in zip(("count", "sum", "mean", "variance"), moments, strict=True):
            np.testing.assert_allclose(columns[name][number], expected, rtol=1e-12)
        np.testing.assert_array_equal(columns["unique"][number], classes)
        np.testing.assert_allclose(columns["unique_counts"][number], shares, rtol=1e-12)
        np.testing.assert_allclose(columns["frac"][number], shares / shares.sum(), rtol=1e-12)
        assert columns["majority"][number] == classes[shares.argmax()]
        assert columns["minority"][number] == classes[shares.argmin()]


def test_weighted_statistics_are_those_of_exactextract():
    exactextract = pytest.importorskip("exactextract")
    names = [name for name in NAMES if name not in ("unique", "unique_counts", "frac")]
    for image in (image_of("f8", classes=True), image_of("f4")):
        rows, cols = SHAPE
        source = exactextract.raster.NumPyRasterSource(image[::-1].copy(), 0, 0, cols, rows)
        ring = [*TRIANGLE.tolist(), TRIANGLE[0].tolist()]
        feature = {"type": "Feature", "properties": {}}
        feature["geometry"] = {"type": "Polygon", "coordinates": [ring]}
        (result,) = exactextract.exact_extract(source, [feature], names)
        expected = dict(sorted(result["properties"].items()))
        columns = polymask.polygon_statistics(
            [TRIANGLE], image, statistics=names, weights="coverage", center=True
        )
        columns["quantile_12"] = columns.pop("quantile_12.5")  # exactextract cuts percents off
        found = {name: float(column[0]) for name, column in sorted(columns.items())}
        assert list(found) == list(expected)
        np.testing.assert_allclose(list(found.values()), list(expected.values()), rtol=1e-6)


def test_several_images_in_one_call():
    red, near = image_of("u1"), image_of("f4")
    names = ["mean", "quantile(q=0.25)", "unique"]
    images = {"red": red, "near": near}
    columns = polymask.polygon_statistics(POLYGONS, images, statistics=names)
    assert list(columns)[:3] == ["red_mean", "red_quantile_25", "red_unique"]
    for prefix, image in images.items():
        alone = polymask.polygon_statistics(POLYGONS, image, statistics=names)
        np.testing.assert_equal(
            [columns[f"{prefix}_{name}"] for name in alone], list(alone.values())
        )


def in_windows(arrays, image, wanted, block, sampling, monkeypatch):
    """Return the statistics from windows of an image, and the number of pixels read."""
    monkeypatch.setattr(zonal_windows, "MOST_BYTES", image.shape[1] * image.itemsize * block[0])
    seen = np.zeros(image.shape, int)

    def read(window):
        top, bottom, left, right = window
        seen[top:bottom, left:right] += 1
        return np.ascontiguousarray(image[top:bottom, left:right]), None

    boxes = zonal_windows.boxes_of(arrays, image.shape, sampling.offset)
    row_bytes = image.shape[1] * image.itemsize
    band = zonal_summaries.Band(read, image.dtype)
    (columns,) = zonal_summaries.compute(
        arrays,
        sampling,
        [band],
        lambda: zonal_windows.plan(boxes, image.shape, block, row_bytes),
        wanted,
    )
    return columns, seen


@folded("block", [(16, 16), (8, 64), (1, 200)])
@folded("weights", [None, "coverage"])
def test_windows_give_the_bits_of_the_whole_image(block, weights, monkeypatch):
    shape = (150, 200)
    image = image_of("f4", shape=shape)
    r = np.random.default_rng(5)
    polygons = [OUTER + r.uniform(-20, 220, 2) for _ in range(30)]
    polygons += [np.array([(-10.0, 5.5), (190.25, 60), (3, 140)]), TRIANGLE * 1e12]
    if weights:
        polygons = polygons[:-1]
    arrays = polymask.forms.ragged.ragged(polygons)
    wanted = zonal_columns.request(NAMES, weights)
    sampling = Sampling(offset=(3, -4))
    columns, seen = in_windows(arrays, image, wanted, block, sampling, monkeypatch)
    expected = polymask.polygon_statistics(
        polygons, image, statistics=NAMES, weights=weights, offset=(3, -4)
    )
    np.testing.assert_equal(columns, expected)
    assert seen.max() == 1  # no pixel is read twice


def test_only_windows_that_polygons_reach_are_read(monkeypatch):
    image = image_of("u1", shape=(300, 400))
    polygons = [TRIANGLE + 100, TRIANGLE + (320, 100), TRIANGLE + 500]
    arrays = polymask.forms.ragged.ragged(polygons)
    wanted = zonal_columns.request(["median"])
    columns, seen = in_windows(arrays, image, wanted, (32, 32), Sampling(), monkeypatch)
    assert 0 < seen.sum() < 10 * 32 * 32
    expected = polymask.polygon_statistics(polygons, image, statistics=["median"])
    np.testing.assert_equal(columns, expected)


def test_a_sum_that_does_not_fit_is_an_error_and_no_number():
    image = np.full(SHAPE, 2**61)
    with pytest.raises(ValueError, match=r"polygon 1: its sum"):
        polymask.polygon_statistics([TRIANGLE + 100, OUTER], image, statistics=["mean"])
    columns = polymask.polygon_statistics([OUTER], image, statistics=["median", "variance"])
    assert (columns["median"][0], columns["variance"][0]) == (2**61, 0)


@folded(
    ("image", "options", "error", "message"),
    [
        (np.zeros(SHAPE), {"statistics": ["medium"]}, ValueError, "no 'medium', only count, sum"),
        (np.zeros(SHAPE), {"statistics": [3]}, ValueError, "no 3"),
        (np.zeros(SHAPE), {"statistics": []}, ValueError, "empty"),
        (np.zeros(SHAPE), {"statistics": "mean"}, TypeError, r"\['mean'\]"),
        (np.zeros(SHAPE), {"statistics": ["mean", "mean"]}, ValueError, "'mean' occurs twice"),
        (np.zeros(SHAPE), {"statistics": ["quantile(q=2)"]}, ValueError, "0 to 1"),
        (np.zeros(SHAPE), {"statistics": ["quantile(q=x)"]}, ValueError, "0 to 1"),
        (np.zeros(SHAPE), {"statistics": ["mean"], "weights": "area"}, ValueError, "'area'"),
        (np.zeros(SHAPE), {"weights": "coverage"}, ValueError, "statistics="),
        ({"a": np.zeros(SHAPE)}, {}, ValueError, "statistics="),
        ({}, {"statistics": ["mean"]}, ValueError, "same shape"),
        (
            {"a": np.zeros(SHAPE), "b": np.zeros((2, 3))},
            {"statistics": ["mean"]},
            ValueError,
            "same shape",
        ),
        (
            np.zeros(SHAPE),
            {"statistics": ["mean"], "weights": "coverage", "all_touched": True},
            ValueError,
            "all_touched",
        ),
    ],
)
def test_bad_input(image, options, error, message):
    with pytest.raises(error, match=message):
        polymask.polygon_statistics([TRIANGLE], image, **options)
