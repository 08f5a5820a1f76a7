"""`polymask coverage`: fractions of pixels from real files."""

from pathlib import Path

import numpy as np
import pytest
from features import HOLE, SHAPE, SMALL, SQUARE, feature, write
from PIL import Image

import polymask
from polymask import cli

INPUT = "two.geojson", "--shape", "12x14"
BOTH = [[SQUARE, HOLE], [SMALL]]


@pytest.fixture
def coverage(polymask):
    """Run `polymask coverage` in an empty folder with two features in it."""
    write("two.geojson", feature(SQUARE, HOLE), feature(SMALL))
    return lambda *arguments: polymask("coverage", *arguments)


def test_fractions_of_all_features_are_added(coverage):
    code, out, _ = coverage(*INPUT, "-o", "out.npy")
    assert code == 0
    assert out.startswith("2 features, 12 x 14 pixels, ")
    multipolygon = {"type": "MultiPolygon", "coordinates": BOTH}
    expected = polymask.coverage(multipolygon, SHAPE)
    np.testing.assert_array_equal(np.load("out.npy"), expected)
    assert np.count_nonzero((expected > 0) & (expected < 1)) > 0


def test_subpixels_on_a_map(coverage):
    assert coverage(*INPUT, "--bounds", "0,0,14,12", "--subpixels", "3", "-o", "out.npy")[0] == 0
    multipolygon = {"type": "MultiPolygon", "coordinates": BOTH}
    expected = polymask.coverage(flipped(multipolygon), SHAPE, 3, center=True)
    np.testing.assert_array_equal(np.load("out.npy"), expected)


def flipped(multipolygon):
    """Return a MultiPolygon whose y axis points upwards from row 12."""
    rings = [
        [np.array([0, 12]) + np.array(ring) * [1, -1] for ring in rings]
        for rings in multipolygon["coordinates"]
    ]
    return {"type": "MultiPolygon", "coordinates": rings}


@pytest.mark.filterwarnings("ignore:Dataset has no geotransform")
def test_blocks_equal_the_array_in_memory(coverage):
    pytest.importorskip("dask")
    rasterio = pytest.importorskip("rasterio")
    coverage(*INPUT, "-o", "out.npy")
    assert coverage(*INPUT, "-o", "out.tif", "--chunk", "512")[0] == 0
    expected = np.load("out.npy")
    with rasterio.open("out.tif") as image:
        np.testing.assert_array_equal(image.read(1), expected)


def test_a_picture_has_levels_of_grey(coverage):
    coverage(*INPUT, "-o", "out.npy")
    assert coverage(*INPUT, "-o", "out.png")[0] == 0
    grey = np.asarray(Image.open("out.png"))
    assert ((grey > 0) & (grey < 255)).any()
    np.testing.assert_array_equal(grey, np.rint(255 * np.load("out.npy")))


@pytest.mark.parametrize("name", ["out.tif", "out.npz"])
def test_files_of_integers_are_refused(coverage, capsys, name):
    assert cli.main(["coverage", *INPUT, "-o", name]) == 2
    assert capsys.readouterr().err.startswith("polymask: fractions are written to .npy")
    assert not Path(name).exists()
