"""Many polygons beside other libraries: scenes, processes, the record and what is shown of it."""

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
from benchmarks.many import contenders as many_contenders
from benchmarks.many import measure as many
from benchmarks.many import report as shown
from benchmarks.many import scenes
from benchmarks.many import worker as many_worker
from benchmarks.many.result import Many, ManyRow, ManyScene
from polymask import cli
from polymask.bench import machine, result_json
from polymask.bench.worker_process import Failed
from polymask.geodata.ragged import Ragged
from polymask.ladder import workload
from polymask.report import results

SHAPE = (300, 400)


def made_row(key, seconds, **others):
    times = {"samples_s": [seconds] * 5, "median_s": seconds, "min_s": seconds}
    known = {"kind": "ours", "title": key, "status": "ok"} | (times if seconds else {}) | others
    return ManyRow(task="labels", scene="octagons", key=key, **known)


@pytest.fixture
def made():
    scene = ManyScene(
        task="labels", wanted="an image of labels", scene="octagons", title="9 octagons",
        shape=(40, 50), polygons=9, vertices=72, sha256="0" * 64,
    )  # fmt: skip
    rows = [
        made_row("polymask", 0.5, result_bytes=8000, beyond_bytes=2_500_000, differ=0),
        made_row("slow", 2.0, kind="peer", package="slowlib", differ=12_345, differ_off_edges=3),
        made_row("quick", 1.0, kind="peer", package="quicklib", differ=0, differ_off_edges=0),
        made_row("gone", None, kind="peer", package="g", status="skipped", reason="not installed"),
    ]
    return Many(machine=machine.record(), scenes=[scene], rows=rows)


# Scenes.


def test_octagons_are_the_same_everywhere_and_as_large_as_said():
    found = scenes.octagons(500)(SHAPE)
    assert found.features == 500
    assert len(found.vertices) == 4000
    assert workload.sha256(found.vertices) == workload.sha256(scenes.octagons(500)(SHAPE).vertices)
    octagon = found.vertices[:8]
    radii = np.hypot(*(octagon - octagon.mean(axis=0)).T)
    assert np.ptp(radii) < 1e-9
    assert 5 <= radii[0] <= 15
    middles = found.vertices.reshape(500, 8, 2).mean(axis=1)
    assert (middles >= 0).all()
    assert (middles <= SHAPE[::-1]).all()


def test_buildings_are_rectangles_and_every_third_an_l():
    shapely = pytest.importorskip("shapely")
    found = many_contenders.geometries(scenes.buildings(300)(SHAPE))
    assert shapely.is_valid(found).all()
    boxes = shapely.area(shapely.minimum_rotated_rectangle(found))
    full = shapely.area(found) / boxes > 1 - 1e-9
    np.testing.assert_array_equal(full, np.arange(300) % 3 != 0)
    assert 8**2 <= boxes.min() <= boxes.max() <= 60**2 + 1e-6


def test_countries_fill_the_globe():
    found = scenes.countries((180, 360))
    assert found.features > 100
    assert found.vertices.min() >= 0
    assert (found.vertices.max(axis=0) <= (360, 180)).all()


@pytest.mark.parametrize("vertices", [24, 1000])
def test_stars_do_not_cross_themselves(vertices):
    shapely = pytest.importorskip("shapely")
    (found,) = many_contenders.geometries(scenes.star(vertices)((100, 120)))
    assert shapely.is_valid(found)
    assert len(found.exterior.coords) == vertices + 1


@pytest.mark.parametrize("distance", [edge_distance.ON, edge_distance.NEAR])
def test_samples_on_edges_are_those_of_a_polygon_by_itself(distance):
    rng = np.random.default_rng(7)
    for number in range(12):
        first, second = rng.uniform(-9, 70, (2, 7, 2))
        if number % 2:
            first, second = np.floor(first), np.floor(second)
        second[3, 1] = second[4, 1]
        both = Ragged(np.concatenate([first, second]), np.array([0, 7, 7, 14]))
        right = edge_distance.within(distance, first, (40, 57)) | edge_distance.within(
            distance, second, (40, 57)
        )
        found = edge_distance.samples_on(both, (40, 57), distance, chunk=5)
        np.testing.assert_array_equal(found, np.flatnonzero(right))


# The process of a contender.


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
    one = rng.integers(0, 2, (70, 30))
    other = one.copy()
    other.flat[[0, 29, 1000, 2099]] += 1
    assert many_worker.differing(one, other, 0).tolist() == [0, 29, 1000, 2099]
    assert many_worker.differing(one, other, 1).tolist() == []


def test_differing_counts_on_where_it_has_looked_at_some_rows():
    one = np.zeros((2, 1 << 24), np.uint8)  # rows so long that it looks at them one by one
    one[1, 5] = 1
    found = many_worker.differing(one, np.broadcast_to(np.uint8(0), one.shape), 0)
    assert found.tolist() == [(1 << 24) + 5]


@pytest.mark.slow
@pytest.mark.skipif(many_worker.held("VmHWM") is None, reason="Linux tells the peak")
def test_the_peak_is_of_one_call():
    gc.collect()
    np.ones(60_000_000)  # 480 MB, and gone: no part of what follows
    before = many_worker.peak_from_now()
    held = np.ones(25_000_000)  # 200 MB; what tests before left may be let go meanwhile
    assert 150e6 < many_worker.peak() - before < 300e6
    del held


@pytest.mark.slow
def test_counts_are_measured_beside_libraries():
    found = many.measure(["counts"], quick=True, seconds=0)
    (scene,) = found.scenes
    rows = {row.key: row for row in found.of(scene)}
    ours = rows["polymask"]
    assert ours.ok
    assert (ours.differ, ours.threads) == (0, 1)
    assert ours.result_bytes == 300 * 8
    assert len(ours.samples_s) == many.FEWEST_ROUNDS
    assert rows["polymask: 2 threads"].differ == 0
    coco = rows["pycocotools"]
    assert coco.ok or "pip install" in coco.reason
    assert found.machine.packages["pycocotools"] or not coco.ok


@pytest.mark.parametrize("task", ["labels", "coverage"])
def test_libraries_are_called_so_that_they_agree(task):
    """Off the edges there is one right answer; OpenCV rounds, and draws outlines."""
    results = {}
    scene = next(one for one in many_contenders.TASKS if one.key == task).quick[0]
    polygons, shape = scene.polygons(), scene.shape
    for contender in many_contenders.CONTENDERS:
        if contender.task == task and contender.key != "opencv":
            try:
                results[contender.key] = contender.ready(polygons, shape)()
            except polymask.contract.Unavailable:
                continue
    for key, found in results.items():
        assert found.shape == shape
        np.testing.assert_allclose(found, results["polymask"], atol=1e-5, err_msg=key)


def test_a_call_that_outlasts_patience_is_left_out():
    with many.ManyProcess(0.01) as process, pytest.raises(Failed, match=r"more than the 0.01 s"):
        process.ask("begin", "small", "300-20", "polymask", True)


def test_a_library_that_is_not_there_is_left_out_with_its_pip_line(monkeypatch):
    def missing(polygons, shape):
        import no_such_module  # noqa: F401

    contender = many_contenders.Contender(
        key="none", kind="peer", task="small", title="none", package="none", prepare=missing
    )
    with pytest.raises(polymask.contract.Unavailable, match=r"no_such_module.*installed"):
        contender.ready(None, None)


# What is kept and shown.


def test_a_record_is_read_as_it_was_written(made, tmp_path):
    file = tmp_path / "many.json"
    result_json.save(made, file)
    (found,) = results.load(file)
    assert found == made
    damaged = json.loads(file.read_text())
    damaged["rows"][0]["median_s"] = -1
    file.write_text(json.dumps(damaged))
    with pytest.raises(
        ValueError, match=r"rows\[0\] \(polymask\).median_s has to be .* above zero"
    ):
        results.load(file)


def test_tables_say_what_was_measured(made):
    text = shown.markdown(made)
    assert "| polymask | 500 ms | 1.00 | 500 ms | 2.50 MB | 0 |  |" in text
    assert text.index("| quick |") < text.index("| slow | 2.00 s | 4.00 |")
    assert "12,345 | 3 |" in text
    assert says(text, "gone", "installed")
    assert says(shown.headline(made), "2.00", "quick")
    for width, memory in ((100, True), (50, False)):
        console = Console(width=width, file=io.StringIO())
        console.print(shown.for_terminal(made, width))
        text = console.file.getvalue()
        assert "500 ms" in text
        assert ("2.50 MB" in text) == memory
        assert max(map(len, text.splitlines())) <= width


def test_a_chart_has_a_bar_for_each_time(made):
    pytest.importorskip("matplotlib")
    for narrow in (False, True):
        (axes,) = shown.draw(made, narrow).axes
        assert len(axes.patches) == 3
    made.rows = []
    assert shown.draw(made) is None


def test_a_readme_has_marks_of_its_own_for_many_polygons(made, tmp_path):
    file, page = tmp_path / "many.json", tmp_path / "README.md"
    result_json.save(made, file)
    kept = "<!-- table of one.json -->\nstays\n<!-- end of table -->\n"
    page.write_text(kept + "<!-- table of many polygons: old -->\ngoes\n<!-- end of table -->\n")
    shown.rewrite(page, file)
    text = page.read_text()
    assert text.startswith(kept)
    assert "goes" not in text
    assert "<!-- table of many polygons: many.json -->" in text
    assert re.search(r"\| 500 ms[^|]* \| ", text)


# The command.


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--quick"], "--quick"),
        (["--peers", "--many", "--size", "9"], "--size"),
        (["--peers", "--many", "--rungs", "python.tuples"], "--rungs"),
        (["many", "--html", "x.html"], "--html"),
    ],
)
def test_options_that_make_no_sense_are_refused(arguments, said, capsys):
    assert cli.main(["bench", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_the_command_writes_what_it_measured(made, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(many, "measure", lambda **how: made)
    arguments = ["--peers", "--many", "--quick", "--force", "--out", str(tmp_path / "out")]
    assert cli.main(["bench", *arguments]) == 0
    assert "9 octagons" in capsys.readouterr().out
    assert results.load(tmp_path / "out" / "bench.json") == [made]
    assert "| quick |" in (tmp_path / "out" / "bench.md").read_text()


def test_no_page_is_made_of_many_polygons(made, tmp_path, capsys):
    result_json.save(made, tmp_path / "many.json")
    arguments = ["report", str(tmp_path / "many.json"), "--html", str(tmp_path / "page.html")]
    assert cli.main(arguments) == 2
    assert "many polygons" in capsys.readouterr().err
