"""`polymask stats`: options of value zero or one, and what is said where nothing was found."""

import json
from pathlib import Path

import numpy as np
import pytest
from cases import says

SQUARE = [[-0.5, -0.5], [1.5, -0.5], [1.5, 1.5], [-0.5, 1.5]]  # around four samples
NEEDLE = [[0.2, 0.4], [1.6, 0.5], [1.6, 0.6]]  # between all samples


@pytest.fixture
def statistics(polymask):
    """Run `polymask stats` on an image and a polygon; return its only line by column, and errors.

    The image is that of a file, or an array to save.
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
    found, _ = statistics(np.array([[0, 5], [0, 7]]), SQUARE, "--nodata", 0)
    assert (found["count"], found["sum"]) == ("2", "12")


def test_zero_comes_before_the_value_of_no_data_of_a_map(statistics):
    rasterio = pytest.importorskip("rasterio")
    about = {"width": 2, "height": 2, "count": 1, "dtype": "uint8", "nodata": 5}
    transform = rasterio.Affine(1, 0, 0, 0, -1, 2)
    with rasterio.open("map.tif", "w", transform=transform, **about) as file:
        file.write(np.array([[0, 5], [0, 7]], np.uint8), 1)
    assert statistics("map.tif", SQUARE, "--pixels")[0]["count"] == "3"
    found, _ = statistics("map.tif", SQUARE, "--pixels", "--nodata", 0)
    assert (found["count"], found["sum"]) == ("2", "12")


@pytest.mark.parametrize("band", [1, 2])
def test_bands_count_from_one(statistics, band):
    image = np.stack([np.full((2, 2), 1), np.full((2, 2), 2)], axis=2)
    assert statistics(image, SQUARE, "--band", band)[0]["max"] == str(band)


def test_whole_numbers_below_zero_have_no_point(statistics):
    found, _ = statistics(np.array([[-7, 1], [2, 3]]), SQUARE)
    assert (found["min"], found["sum"]) == ("-7", "-1")


def test_pixels_that_are_touched_are_known_to_have_no_value(statistics):
    found, err = statistics(np.full((2, 2), np.nan), NEEDLE, "--all-touched")
    assert found["count"] == "0"
    assert err.endswith("no pixel in a polygon has a value: all are nodata, NaN or masked\n")
    assert says(statistics(np.full((2, 2), np.nan), NEEDLE)[1], "pixel", "polygon")


@pytest.mark.parametrize(("scale", "offset"), [(2.75e-05, -0.2), (-0.5, 10.0)])
def test_scale_and_offset_of_a_band_are_applied(statistics, scale, offset):
    """As a Landsat scene has them: 7011 stands for a reflectance of -0.0071975."""
    rasterio = pytest.importorskip("rasterio")
    about = {"width": 2, "height": 2, "count": 1, "dtype": "uint16", "nodata": 5}
    transform = rasterio.Affine(1, 0, 0, 0, -1, 2)
    numbers = np.array([[7011, 5], [7001, 7021]], np.uint16)
    with rasterio.open("map.tif", "w", driver="GTiff", transform=transform, **about) as file:
        file.write(numbers, 1)
        file.scales, file.offsets = [scale], [offset]
    found, _ = statistics("map.tif", SQUARE, "--pixels")
    meant = np.delete(numbers.ravel(), 1) * scale + offset
    assert found["count"] == "3"
    for name, value in ("sum", meant.sum()), ("min", meant.min()), ("max", meant.max()):
        assert float(found[name]) == pytest.approx(value, rel=1e-12)
    assert float(found["mean"]) == pytest.approx(7011 * scale + offset, rel=1e-12)
    found, _ = statistics("map.tif", SQUARE, "--pixels", "--raw")
    assert [found[name] for name in ("sum", "mean", "min", "max")] == [
        "21033",
        "7011",
        "7001",
        "7021",
    ]
