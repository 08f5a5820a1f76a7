"""`polymask stats`: other statistics, weights, several bands and images, and large rasters."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cases import folded, says
from features import HOLE, SHAPE, SMALL, SQUARE, feature, write, write_map

import polymask
from polymask.files import raster_statistics
from polymask.masks import zonal_windows

IMAGE = (np.arange(12 * 14).reshape(SHAPE) ** 2 % 5).astype(np.uint8)
POLYGONS = [[np.array(SQUARE), np.array(HOLE)], [np.array(SMALL)]]
NORTH_UP = (1, 0, 0, 0, -1, 12)
NAMES = ["count", "median", "quantile(q=0.9)", "stdev", "variety", "majority"]


@pytest.fixture
def run(polymask):
    """Run a command in an empty folder with two features and an image in it."""
    write("two.geojson", feature(SQUARE, HOLE, id=1), feature(SMALL, id=2))
    np.save("image.npy", IMAGE)
    return polymask


def rows(run, *arguments):
    code, out, err = run("stats", *arguments)
    assert code == 0, err
    return list(csv.DictReader(out.splitlines()))


def check(table, expected, prefix=""):
    """Compare columns of a CSV file with those of `polygon_statistics`."""
    for name, values in expected.items():
        assert [float(line[prefix + name]) for line in table] == values.tolist(), name


@folded("weights", [None, "coverage"])
def test_statistics_are_those_of_the_library(run, weights):
    expected = polymask.polygon_statistics(POLYGONS, IMAGE, statistics=NAMES, weights=weights)
    option = ["--weights", weights] if weights else []
    table = rows(run, "image.npy", "two.geojson", "--statistics", ",".join(NAMES), *option)
    assert list(table[0]) == ["id", *expected]
    check(table, expected)


def test_classes_have_a_column_each(run):
    names = ["unique", "unique_counts", "frac"]
    expected = polymask.polygon_statistics(POLYGONS, IMAGE, statistics=names)
    table = rows(run, "image.npy", "two.geojson", "--statistics", "unique_counts,frac,unique")
    classes = sorted({*np.concatenate(expected["unique"]).tolist()})
    columns = [f"{name}_{value}" for name in names[1:] for value in classes]
    assert list(table[0]) == ["id", *columns, "unique"]
    for line, unique, counts, frac in zip(table, *expected.values(), strict=True):
        assert json.loads(line["unique"]) == unique.tolist()
        for value in classes:
            place = np.flatnonzero(unique == value)
            assert int(line[f"unique_counts_{value}"]) == counts[place].sum()
            assert float(line[f"frac_{value}"]) == frac[place].sum()


def test_too_many_classes_are_refused(run, monkeypatch):
    monkeypatch.setattr(raster_statistics, "MOST_CLASSES", 2)
    code, _, err = run("stats", "image.npy", "two.geojson", "--statistics", "frac", "-o", "out.csv")
    assert code == 2
    assert says(err, "frac", "3 columns", "2")
    assert not Path("out.csv").exists()


def test_several_bands_and_images(run):
    bands = np.dstack([IMAGE, IMAGE + 1])
    np.save("a.npy", bands)
    np.save("b.npy", bands[::-1])
    both = ("--band", 1, "--band", 2)
    table = rows(run, "a.npy", "two.geojson", *both, "--also", "b.npy", "--statistics", "median")
    prefixes = {
        f"{name}_band_{band}_": image[..., band - 1]
        for name, image in (("a", bands), ("b", bands[::-1]))
        for band in (1, 2)
    }
    assert list(table[0]) == ["id", *(f"{prefix}median" for prefix in prefixes)]
    for prefix, image in prefixes.items():
        expected = polymask.polygon_statistics(POLYGONS, image, statistics=["median"])
        check(table, expected, prefix)
    table = rows(run, "image.npy", "two.geojson", "--also", "a.npy")
    assert list(table[0])[1:3] == ["image_count", "image_sum"]


@pytest.mark.parametrize("scaling", [(1, 0), (-0.5, 3)])
def test_windows_of_a_map_give_the_whole(run, monkeypatch, scaling):
    """Also with a mask, nodata, scale and offset; 16 x 16 is the smallest block of a TIFF."""
    rasterio = pytest.importorskip("rasterio")
    rows_, cols = 100, 90
    image = np.random.default_rng(1).integers(0, 40, (rows_, cols)).astype(np.int16)
    meta = {"driver": "GTiff", "height": rows_, "width": cols, "count": 1, "dtype": "int16"}
    meta |= {"tiled": True, "blockxsize": 16, "blockysize": 16, "nodata": 7}
    with rasterio.open("map.tif", "w", transform=rasterio.Affine(*NORTH_UP), **meta) as file:
        file.write(image, 1)
        file.scales, file.offsets = scaling[:1], scaling[1:]
    place = lambda ring: ring * (4, -5) + (9, -8)  # noqa: E731
    polygons = [[place(ring) for ring in rings] for rings in POLYGONS]
    write("placed.geojson", *(feature(*(r.tolist() for r in rings)) for rings in polygons))
    monkeypatch.setattr(zonal_windows, "MOST_BYTES", 1)
    names = [*NAMES, "min", "mean", "variance"]
    table = rows(run, "map.tif", "placed.geojson", "--statistics", ",".join(names))
    values = image * np.float64(scaling[0]) + scaling[1] if scaling != (1, 0) else image
    expected = polymask.polygon_statistics(
        [[ring * (1, -1) + (0, 12) for ring in rings] for rings in polygons],
        np.ma.masked_equal(image, 7) if scaling == (1, 0) else np.where(image == 7, np.nan, values),
        statistics=names,
        center=True,
    )
    assert expected["count"].min() > 9
    check(table, expected)


@folded("rows_", [1, -1])
@folded("cols", [1, -1])
def test_sides_through_centres_are_the_same_whatever_the_order_of_rows_and_columns(
    run, monkeypatch, rows_, cols
):
    """The east and the south side are inside."""
    rasterio = pytest.importorskip("rasterio")
    image = np.arange(12 * 14, dtype=np.int16).reshape(SHAPE)
    transform = (cols, 0, 100 if cols > 0 else 114, 0, -rows_, 12 if rows_ > 0 else 0)
    write_map("map.tif", image[::rows_, ::cols], transform)
    west, east = 102.5, 108.5
    ring = [[west, 2.5], [east, 2.5], [east, 8.5], [west, 8.5], [west, 2.5]]
    write("box.geojson", feature(ring))
    inside = image[4:10, 3:9]  # the rows of y = 7.5 to 2.5, and the columns of x = 103.5 to 108.5
    (row,) = rows(run, "map.tif", "box.geojson")
    assert (row["count"], row["sum"]) == ("36", str(inside.sum()))
    monkeypatch.setattr(zonal_windows, "MOST_BYTES", 1)
    with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True), rasterio.open("map.tif", "r+") as file:
        file.write_mask(image[::rows_, ::cols] % 3 > 0)
    names = "count,sum,median"
    (row,) = rows(run, "map.tif", "box.geojson", "--statistics", names)
    valid = inside[inside % 3 > 0]
    assert [float(value) for value in row.values()] == [valid.size, valid.sum(), np.median(valid)]


PEAK = """
import runpy
try:
    runpy.run_module("polymask", run_name="__main__")
except SystemExit as end:
    assert not end.code
# Of this program only; `ru_maxrss` begins with the process that started it.
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux reports the peak")
def test_a_large_file_is_read_only_where_polygons_are(run):
    """Its pixels are 3.4 GiB."""
    rasterio = pytest.importorskip("rasterio")
    size = 60_000
    meta = {"driver": "GTiff", "height": size, "width": size, "count": 1, "dtype": "uint8"}
    meta |= {"tiled": True, "blockxsize": 512, "blockysize": 512, "SPARSE_OK": True}
    block = np.random.default_rng(2).integers(0, 99, (512, 512)).astype(np.uint8)
    top, left = 512 * 80, 512 * 90
    meta["transform"] = rasterio.Affine(1, 0, 0, 0, -1, size)
    with rasterio.open("sparse.tif", "w", **meta) as file:
        file.write(block, 1, window=((top, top + 512), (left, left + 512)))
    rings = [np.array(SQUARE) + (left, top), np.array(SMALL) * 30]
    write("two.geojson", *(feature((ring * (1, -1) + (0, size)).tolist()) for ring in rings))
    arguments = "stats", "sparse.tif", "two.geojson", "--statistics", "median,mean", "-o", "out.csv"
    program = [sys.executable, "-c", PEAK, *arguments]
    result = subprocess.run(program, check=False, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert int(result.stdout.split()[-1]) < 500 * 1024  # KiB
    with open("out.csv", newline="") as lines:
        table = list(csv.DictReader(lines))
    options = {"statistics": ["median", "mean"], "center": True}
    expected = polymask.polygon_statistics([np.array(SQUARE)], block, **options)
    check(table[:1], expected)
    assert (table[1]["median"], table[1]["mean"]) == ("0", "0")


@folded(
    ("arguments", "message"),
    [
        (["--statistics", "medium"], "no 'medium'"),
        (["--weights", "area"], "'area' is not 'coverage'"),
        (["--weights", "coverage", "--all-touched"], "exclude each other"),
        (["--also", "wide.npy"], "wide.npy: its shape is (3, 4)"),
        (["--also", "image.npy"], "the same name"),
        (["--band", 1, "--band", 2], "has no band 2"),
    ],
)
def test_bad_choices(run, error_of, arguments, message):
    np.save("wide.npy", np.zeros((3, 4)))
    assert message in error_of("stats", "image.npy", "two.geojson", "-o", "out.csv", *arguments)
    assert not Path("out.csv").exists()


def test_only_one_band_of_standard_input(run, error_of):
    err = error_of("stats", "-", "two.geojson", "--band", 1, "--band", 2)
    assert says(err, "--band", "standard input")


def test_images_on_different_grids_are_refused(run, error_of):
    pytest.importorskip("rasterio")
    write_map("a.tif", IMAGE, NORTH_UP)
    write_map("b.tif", IMAGE, (1, 0, 5, 0, -1, 12))
    err = error_of("stats", "a.tif", "two.geojson", "--also", "b.tif")
    assert says(err, "b.tif", "transform", "a.tif")
    pytest.importorskip("pyproj")
    write_map("a.tif", IMAGE, NORTH_UP, crs="EPSG:3857")
    write_map("b.tif", IMAGE, NORTH_UP, crs="EPSG:32631")
    err = error_of("stats", "a.tif", "two.geojson", "--also", "b.tif")
    assert says(err, "b.tif", "32631", "gdalwarp")
    write_map("b.tif", IMAGE, NORTH_UP, crs="EPSG:3857")
    assert rows(run, "a.tif", "two.geojson", "--also", "b.tif")
