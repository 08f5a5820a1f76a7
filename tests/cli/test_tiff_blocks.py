"""`polymask mask` and `polymask labels` with --chunk and a .tif file: GeoTIFF by blocks."""

import errno
from pathlib import Path

import numpy as np
import pytest
from features import SMALL, feature, write

from polymask import cli
from polymask.common import saving

pytest.importorskip("dask")
rasterio = pytest.importorskip("rasterio")
BIG = "two.geojson", "--shape", "1100x1600"


@pytest.fixture
def run(polymask):
    """Run a command in an empty folder with two features in it."""
    large = [[10, 10], [1500, 40], [900, 1090]]
    write("two.geojson", feature(large, kind="lake", id=70000), feature(SMALL, kind="field", id=7))
    return polymask


@pytest.mark.filterwarnings("ignore:Dataset has no geotransform")
@pytest.mark.parametrize(
    "arguments", [["mask"], ["labels", "--label", "id"], ["labels", "--bounds", "0,0,1600,1100"]]
)
def test_file_equals_the_array_in_memory(run, arguments):
    code, out, _ = run(*arguments, *BIG, "-o", "out.tif", "--chunk", "512")
    assert code == 0
    assert run(*arguments, *BIG, "-o", "out.npy")[1].split(":")[0] == out.split(":")[0]
    with rasterio.open("out.tif") as image:
        np.testing.assert_array_equal(image.read(1), np.load("out.npy"))
        assert image.block_shapes == [(512, 512)]
        assert image.overviews(1) == [2, 4, 8]
        if "--bounds" in arguments:
            assert image.bounds == (0, 0, 1600, 1100)


def test_chunks_of_partial_tiles_are_refused(run, capsys):
    assert cli.main(["mask", *BIG, "-o", "out.tif", "--chunk", "500"]) == 2
    assert "a multiple of 512, got 500" in capsys.readouterr().err
    assert not Path("out.tif").exists()


def test_a_full_disk_that_gdal_does_not_report_keeps_the_old_file(run, capsys, monkeypatch):
    Path("out.tif").write_text("old")

    def full(folder, target):
        raise saving.NotWritten(target, errno.ENOSPC, "no space")

    monkeypatch.setattr(saving, "check_room", full)
    assert cli.main(["mask", *BIG, "-o", "out.tif", "--chunk", "512"]) == 2
    assert "no space" in capsys.readouterr().err
    assert Path("out.tif").read_text() == "old"
