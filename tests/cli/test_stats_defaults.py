"""`polymask stats`: options with the value zero or one, and notes on empty results."""

import json
from pathlib import Path

import numpy as np
import pytest
from cases import says

SQUARE = [[-0.5, -0.5], [1.5, -0.5], [1.5, 1.5], [-0.5, 1.5]]  # around four samples
NEEDLE = [[0.2, 0.4], [1.6, 0.5], [1.6, 0.6]]  # between all samples


@pytest.fixture
def statistics(polymask):
    """Run `polymask stats` on an image and a polygon; return its row as a dict, and its errors.

    The image is the name of a file, or an array to save.
    """

    def run(image, polygon, *options):
        if not isinstance(image, str):
            np.save("image.npy", image)
            image = "image.npy"
        geometry = {"type": "Polygon", "coordinates": [[*polygon, polygon[0]]]}
        Path("polygon.geojson").write_text(json.dumps(geometry))
        code, out, err = polymask("stats", image, "polygon.geojson", *options)
        assert code == 0, err
        names, values = (line.split(",") for line in out.splitlines())
        return dict(zip(names, values, strict=True)), err

    return run


def test_zero_can_be_the_value_of_no_data(statistics):
    row, _ = statistics(np.array([[0, 5], [0, 7]]), SQUARE, "--nodata", 0)
    assert (row["count"], row["sum"]) == ("2", "12")


def test_zero_is_added_to_the_value_of_no_data_of_a_map(statistics):
    rasterio = pytest.importorskip("rasterio")
    meta = {"width": 2, "height": 2, "count": 1, "dtype": "uint8", "nodata": 5}
    transform = rasterio.Affine(1, 0, 0, 0, -1, 2)
    with rasterio.open("map.tif", "w", transform=transform, **meta) as file:
        file.write(np.array([[0, 5], [0, 7]], np.uint8), 1)
    assert statistics("map.tif", SQUARE, "--pixels")[0]["count"] == "3"
    for names in "count,sum", "median,count,sum":
        row, _ = statistics("map.tif", SQUARE, "--pixels", "--nodata", 0, "--statistics", names)
        assert (row["count"], row["sum"]) == ("1", "7")


def test_pixels_that_are_touched_are_known_to_have_no_value(statistics):
    row, err = statistics(np.full((2, 2), np.nan), NEEDLE, "--all-touched")
    assert row["count"] == "0"
    assert err.endswith("no pixel in a polygon has a value: all are nodata, NaN or masked\n")
    assert says(statistics(np.full((2, 2), np.nan), NEEDLE)[1], "pixel", "polygon")


@pytest.mark.parametrize(("scale", "offset"), [(2.75e-05, -0.2), (-0.5, 10.0)])
def test_scale_and_offset_of_a_band_are_applied(statistics, scale, offset):
    """As in a Landsat scene: 7011 stands for a reflectance of -0.0071975."""
    rasterio = pytest.importorskip("rasterio")
    meta = {"width": 2, "height": 2, "count": 1, "dtype": "uint16", "nodata": 5}
    transform = rasterio.Affine(1, 0, 0, 0, -1, 2)
    numbers = np.array([[7011, 5], [7001, 7021]], np.uint16)
    with rasterio.open("map.tif", "w", driver="GTiff", transform=transform, **meta) as file:
        file.write(numbers, 1)
        file.scales, file.offsets = [scale], [offset]
    row, _ = statistics("map.tif", SQUARE, "--pixels")
    values = np.delete(numbers.ravel(), 1) * scale + offset
    assert row["count"] == "3"
    for name, value in ("sum", values.sum()), ("min", values.min()), ("max", values.max()):
        assert float(row[name]) == pytest.approx(value, rel=1e-12)
    assert float(row["mean"]) == pytest.approx(7011 * scale + offset, rel=1e-12)
    for name, value in ("min", values.min()), ("max", values.max()):
        row, _ = statistics("map.tif", SQUARE, "--pixels", "--statistics", name)
        assert float(row[name]) == pytest.approx(value, rel=1e-12)
    row, _ = statistics("map.tif", SQUARE, "--pixels", "--nodata", 7011)
    assert (row["count"], float(row["mean"])) == ("2", pytest.approx(7011 * scale + offset))
    row, _ = statistics("map.tif", SQUARE, "--pixels", "--raw")
    assert [row[name] for name in ("sum", "mean", "min", "max")] == [
        "21033",
        "7011",
        "7001",
        "7021",
    ]
