"""The benchmark of a label image in a Zarr array, beside other libraries."""

import numpy as np
import pytest
from click.testing import CliRunner

import polymask
from benchmarks.many.scenes import octagons
from polymask.contract import Unavailable

zarr = pytest.importorskip("zarr", minversion="3")
pytest.importorskip("polymask.dask")
from benchmarks import large  # noqa: E402, needs zarr


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # rasterix multiplies transforms
def test_contenders_write_the_image(tmp_path):
    polygons = octagons(60)((90, 90))
    expected = polymask.label_mask(polygons, (90, 90))
    for number, contender in enumerate(large.CONTENDERS):
        store = zarr.create_array(
            tmp_path / str(number), shape=(90, 90), chunks=(40, 40), dtype="int32"
        )
        try:
            contender.ready(polygons, store)()
        except Unavailable:
            assert contender.key not in (large.LOOP, large.LAZY)
            continue
        image = large.labels(store, slice(None), slice(None))
        np.testing.assert_array_equal(image, expected, contender.key)


def test_differing_pixels_are_counted(tmp_path):
    _right, other = (
        zarr.create_array(tmp_path / name, shape=(7, 9), chunks=(4, 4), dtype="int32")
        for name in ("right", "other")
    )
    other[6, 8], other[0, 5], other[5, 0] = 1, 2, 3
    assert large.count_differing(tmp_path / "other", tmp_path / "right") == 3
    other.attrs[large.MISSING] = 2
    other[:] = 2
    assert large.count_differing(tmp_path / "other", tmp_path / "right") == 0


@pytest.mark.slow
def test_the_program_measures_and_prints_a_table(monkeypatch):
    own = [entry for entry in large.CONTENDERS if entry.key in (large.LOOP, large.LAZY)]
    monkeypatch.setattr(large, "CONTENDERS", own)
    options = ["--size", "300", "--polygons", "100", "--chunk", "100"]
    done = CliRunner().invoke(large.main, options)
    assert done.exit_code == 0, done.output
    assert done.stdout.count(" | 0 |\n") == 2
