"""The benchmark of a label image in a Zarr array, beside other libraries."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import polymask
from benchmarks.harness.record import Run, SceneRecord, SceneRow
from benchmarks.many.scenes import octagons
from ladder.bench import machine
from polymask.contract import Unavailable

zarr = pytest.importorskip("zarr", minversion="3")
pytest.importorskip("polymask.dask")
from benchmarks.large import __main__ as large  # noqa: E402, needs zarr
from benchmarks.large import contenders, measure, report  # noqa: E402

OWN = [contenders.LOOP, contenders.LAZY]


def row(key, seconds, megabytes, **values):
    times = {"median_s": seconds, "min_s": seconds, "samples_s": [seconds] * 3, "status": "ok"}
    fields = {"kind": "peer", "title": key, "peak_bytes": megabytes * 10**6, **times, **values}
    return SceneRow(task="large", scene="octagons", key=key, **fields)


@pytest.fixture
def run():
    scene = SceneRecord(
        task="large", wanted="labels", scene="octagons", title="9 octagons", shape=(40, 50),
        polygons=9, vertices=72, sha256="0" * 64,
    )  # fmt: skip
    rows = [
        row(contenders.LOOP, 4, 300, kind="ours", differ=0),
        row(contenders.LAZY, 5, 200, kind="ours", differ=0),
        row("xarray-spatial", 10, 1000, differ=12_345, differ_off_edges=3),
        row("rasterix: rusterize", 40, 500),
        row("rasterix: rasterio", 31, 500),
    ]
    return Run(machine=machine.record(), scenes=[scene], rows=rows)


def test_bars_compare_with_the_best_of_the_other_rows(run):
    values = [bar.value(run)[0] for bar in report.BARS]
    assert values == pytest.approx([1.25, 2, 0.2, 6.2])
    met = [bar.is_met_by(value) for bar, value in zip(report.BARS, values, strict=True)]
    assert met == [False, False, True, True]
    run.rows = run.rows[:1]
    assert [bar.value(run) for bar in report.BARS] == [None] * 4


def test_the_tables_have_times_peaks_and_pixels(run):
    text = report.markdown(run)
    assert "| xarray-spatial | 10.0 s | 2.00 | 1.00 GB | 5.00 | 12,345 | 3 |" in text
    assert "| times as fast as xarray-spatial | ≥ 2.50 | 2.00 |  | **missed** |" in text


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # rasterix multiplies transforms
@pytest.mark.filterwarnings("ignore:Dataset has no geotransform")  # of rasterix with rasterio
def test_contenders_write_the_image(tmp_path):
    polygons = octagons(60)((90, 90))
    expected = polymask.label_mask(polygons, (90, 90))
    written = 0
    for number, contender in enumerate(contenders.CONTENDERS):
        store = zarr.create_array(
            tmp_path / str(number), shape=(90, 90), chunks=(40, 40), dtype="int32"
        )
        try:
            contender.ready(polygons, store)()
        except Unavailable:
            assert contender.key not in OWN
            continue
        written += 1
        if not contender.key.endswith("exactextract"):  # it draws all touched pixels
            image = measure.labels(store, slice(None), slice(None))
            np.testing.assert_array_equal(image, expected, contender.key)
    assert written >= 2


def test_differing_pixels_are_counted_on_and_off_the_edges(tmp_path):
    _right, other = (
        zarr.create_array(tmp_path / name, shape=(7, 9), chunks=(4, 4), dtype="int32")
        for name in ("right", "other")
    )
    other[6, 8], other[0, 5], other[5, 0] = 1, 2, 3
    edges = np.array([5 * 9, 6 * 9 + 8])
    assert measure.differing(tmp_path / "other", tmp_path / "right", edges) == (3, 1)
    other.attrs[contenders.MISSING] = 2
    other[:] = 2
    assert measure.differing(tmp_path / "other", tmp_path / "right", edges) == (0, 0)


@pytest.mark.slow
def test_the_program_measures_and_writes_a_record(tmp_path):
    options = ["--size", "300", "--polygons", "100", "--chunk", "100", "--runs", "1"]
    only = [word for key in OWN for word in ("--only", key)]
    done = CliRunner().invoke(large.main, [str(tmp_path / "large"), *options, *only])
    assert done.exit_code == 0, done.output
    rows = json.loads((tmp_path / "large.json").read_text())["rows"]
    assert [(row["status"], row["differ"]) for row in rows] == [("ok", 0)] * 2
    assert all(row["peak_bytes"] is None or row["peak_bytes"] > 10**7 for row in rows)
