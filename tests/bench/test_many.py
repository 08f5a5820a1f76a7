"""Many polygons beside other libraries: scenes, processes, records and reports."""

import gc
import io
import json
import re

import numpy as np
import pytest
from cases import says
from rich.console import Console

import polymask
from benchmarks import edge_distance
from benchmarks.answering_process import Failed
from benchmarks.harness import process, tasks
from benchmarks.harness.record import Run, SceneRecord, SceneRow
from benchmarks.many import contenders as many_contenders
from benchmarks.many import measure as many
from benchmarks.many import report, scenes
from benchmarks.many import worker as many_worker
from ladder.bench import machine, result_json
from ladder.registry import workload
from ladder.report import results
from polymask import cli
from polymask.forms.ragged import Ragged

SHAPE = (300, 400)


def many_row(key, seconds, **values):
    times = {"samples_s": [seconds] * 5, "median_s": seconds, "min_s": seconds}
    fields = {"kind": "ours", "title": key, "status": "ok"} | (times if seconds else {}) | values
    return SceneRow(task="labels", scene="octagons", key=key, **fields)


@pytest.fixture
def record():
    scene = SceneRecord(
        task="labels", wanted="an image of labels", scene="octagons", title="9 octagons",
        shape=(40, 50), polygons=9, vertices=72, sha256="0" * 64,
    )  # fmt: skip
    rows = [
        many_row("polymask", 0.5, result_bytes=8000, beyond_bytes=2_500_000, differ=0),
        many_row("slow", 2.0, kind="peer", package="slowlib", differ=12_345, differ_off_edges=3),
        many_row("quick", 1.0, kind="peer", package="quicklib", differ=0, differ_off_edges=0),
        many_row("gone", None, kind="peer", package="g", status="skipped", reason="not installed"),
    ]
    return Run(machine=machine.record(), scenes=[scene], rows=rows)


def test_octagons_are_reproducible_and_have_the_stated_size():
    scene = scenes.octagons(500)(SHAPE)
    assert scene.features == 500
    assert len(scene.vertices) == 4000
    assert workload.sha256(scene.vertices) == workload.sha256(scenes.octagons(500)(SHAPE).vertices)
    octagon = scene.vertices[:8]
    radii = np.hypot(*(octagon - octagon.mean(axis=0)).T)
    assert np.ptp(radii) < 1e-9
    assert 5 <= radii[0] <= 15
    centers = scene.vertices.reshape(500, 8, 2).mean(axis=1)
    assert (centers >= 0).all()
    assert (centers <= SHAPE[::-1]).all()


def test_samples_on_edges_are_those_of_each_polygon():
    """The last sample of a chunk of edges, an empty ring, and a level edge are among them."""
    rng = np.random.default_rng(7)
    for number in range(12):
        first, second = rng.uniform(-9, 70, (2, 7, 2))
        if number % 2:
            first, second = np.floor(first), np.floor(second)
        second[3, 1] = second[4, 1]
        both = Ragged(np.concatenate([first, second]), np.array([0, 7, 7, 14]))
        on = [edge_distance.within(edge_distance.ON, part, (40, 57)) for part in (first, second)]
        samples = edge_distance.samples_on(both, (40, 57), chunk=5)
        np.testing.assert_array_equal(samples, np.flatnonzero(on[0] | on[1]))


def test_a_worker_calls_and_compares(tmp_path):
    worker = many_worker.Worker("small", "300-20", "polymask", True)
    seconds, size, beyond = worker.first()
    assert seconds > 0
    assert size == 300 * 300
    assert beyond is None or beyond >= 0
    assert worker.differ(tmp_path) == (None, None)
    worker.keep(tmp_path)
    assert worker.differ(tmp_path) == (0, 0)
    worker.result = worker.result.copy()
    worker.result[0, :3] ^= 1
    assert worker.differ(tmp_path) == (3, 3)
    np.save(tmp_path / "edges.npy", np.array([1]))
    assert worker.differ(tmp_path) == (3, 2)
    assert worker.sample(2) > 0


def test_differing_looks_at_all_rows():
    rng = np.random.default_rng(3)
    first = rng.integers(0, 2, (70, 30))
    second = first.copy()
    second.flat[[0, 29, 1000, 2099]] += 1
    assert tasks.find_differences(first, second, 0).tolist() == [0, 29, 1000, 2099]
    assert tasks.find_differences(first, second, 1).tolist() == []
    mask = np.zeros((2, 1 << 24), np.uint8)  # rows this long are compared one by one
    mask[1, 5] = 1
    differing = tasks.find_differences(mask, np.broadcast_to(np.uint8(0), mask.shape))
    assert differing.tolist() == [(1 << 24) + 5]


@pytest.mark.slow
@pytest.mark.skipif(process.status_bytes("VmHWM") is None, reason="only Linux reports the peak")
def test_the_peak_is_of_one_call():
    gc.collect()
    np.ones(60_000_000)  # 480 MB, freed at once: the next peak excludes them
    before = process.reset_peak()
    array = np.ones(25_000_000)  # 200 MB; memory of earlier tests may be freed meanwhile
    assert 150e6 < process.peak() - before < 300e6
    del array


@pytest.mark.slow
def test_counts_are_measured_beside_libraries():
    record = many.measure(["counts"], quick=True, seconds=0)
    (scene,) = record.scenes
    rows = {row.key: row for row in record.of(scene)}
    ours = rows["polymask"]
    assert ours.ok
    assert (ours.differ, ours.threads) == (0, 1)
    assert ours.result_bytes == 300 * 8
    assert len(ours.samples_s) == tasks.FEWEST_ROUNDS
    assert rows["polymask: 2 threads"].differ == 0
    coco = rows["pycocotools"]
    assert coco.ok or "pip install" in coco.reason
    assert record.machine.packages["pycocotools"] or not coco.ok


@pytest.mark.parametrize("task", ["labels", "coverage"])
def test_libraries_are_called_so_that_they_agree(task):
    """Off the edges only one answer is right. OpenCV, which rounds, is left out."""
    results = {}
    scene = next(entry for entry in many_contenders.TASKS if entry.key == task).quick[0]
    polygons, shape = scene.polygons(), scene.shape
    for contender in many_contenders.CONTENDERS:
        if contender.task == task and contender.key != "opencv":
            try:
                results[contender.key] = contender.ready(polygons, shape)()
            except polymask.contract.Unavailable:
                continue
    for key, array in results.items():
        assert array.shape == shape
        np.testing.assert_allclose(array, results["polymask"], atol=1e-5, err_msg=key)


def test_a_call_that_outlasts_patience_is_left_out():
    worker = "benchmarks.many.worker", "small", "300-20", "polymask", True
    with process.Process(0.01, *worker) as own, pytest.raises(Failed, match=r"than the 0.01 s"):
        own.ask("first")


def test_a_record_is_read_as_it_was_written(record, tmp_path):
    file = tmp_path / "many.json"
    result_json.save(record, file)
    (result,) = results.load(file)
    assert result == record
    damaged = json.loads(file.read_text())
    damaged["rows"][0]["median_s"] = -1
    file.write_text(json.dumps(damaged))
    with pytest.raises(ValueError, match=r"rows\[0\] \(polymask\).median_s must be .* above zero"):
        results.load(file)


def test_tables_have_the_measurements(record):
    text = report.markdown(record)
    assert "| polymask | 500 ms | 1.00 | 500 ms | 2.50 MB | 0 |  |" in text
    assert text.index("| quick |") < text.index("| slow | 2.00 s | 4.00 |")
    assert "12,345 | 3 |" in text
    assert says(text, "gone", "installed")
    for width, memory in ((100, True), (50, False)):
        console = Console(width=width, file=io.StringIO())
        console.print(report.for_terminal(record, width))
        text = console.file.getvalue()
        assert "500 ms" in text
        assert ("2.50 MB" in text) == memory
        assert max(map(len, text.splitlines())) <= width


def test_a_readme_has_marks_of_its_own_for_many_polygons(record, tmp_path):
    file, page = tmp_path / "many.json", tmp_path / "README.md"
    result_json.save(record, file)
    table = "<!-- table of one.json -->\nstays\n<!-- end of table -->\n"
    page.write_text(table + "<!-- table of many polygons: old -->\ngoes\n<!-- end of table -->\n")
    report.rewrite(page, file)
    text = page.read_text()
    assert text.startswith(table)
    assert "goes" not in text
    assert "<!-- table of many polygons: many.json -->" in text
    assert re.search(r"\| 500 ms[^|]* \| ", text)


def test_the_command_writes_its_results(record, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(many, "measure", lambda **options: record)
    arguments = ["many", "--quick", "--force", "--out", str(tmp_path / "out")]
    assert cli.main(["bench", *arguments]) == 0
    assert "9 octagons" in capsys.readouterr().out
    assert results.load(tmp_path / "out" / "bench.json") == [record]
    assert "| quick |" in (tmp_path / "out" / "bench.md").read_text()
