"""Results side by side: differences, comparable values, and changes beyond the noise."""

import copy

import numpy as np
import pytest
from cases import says
from checkouts import ROOT
from mended import change, without_time
from rich.console import Console

from ladder.bench import result_json
from ladder.bench.machine import Busy
from ladder.common import busy, confidence
from ladder.report import compare, results, side_by_side
from polymask import cli
from polymask.common import figures

COMMITTED = ROOT / "results" / "2026-11-21-amd-epyc.json"
PEERS = ROOT / "results" / "2026-11-21-amd-epyc-peers-1024-24.json"


@pytest.fixture
def first():
    return results.load(COMMITTED)[0]


@pytest.fixture
def second(first):
    """The same result as if from another run: its samples are permuted."""
    result, rng = copy.deepcopy(first), np.random.default_rng(3)
    for row in result.rows:
        row.samples_s = rng.permutation(row.samples_s).tolist()
    return result


def slow_down(result, key, factor):
    row = result.row(key)
    row.samples_s = [factor * sample for sample in row.samples_s]
    row.median_s *= factor
    return row


def verdicts(changes):
    return {change.key: change.verdict for change in changes}


@pytest.mark.proof("ladder/report/**/*", "results/*")
def test_the_same_samples_are_within_the_noise(first, second):
    times = verdicts(compare.times(first, second))
    assert set(times.values()) == {compare.SAME, compare.FEW}
    assert times["python.scalars"] == compare.FEW
    gains = {change.verdict for change in compare.gains(first, second)}
    assert gains == {compare.SAME, compare.FEW}


def test_a_slower_and_a_faster_row_are_found_and_no_other(first, second):
    slow_down(second, "openmp.prange", 1.3)
    slow_down(second, "clib.points", 0.7)
    changes = {change.key: change for change in compare.times(first, second)}
    assert changes["openmp.prange"].verdict == compare.LESS
    assert changes["openmp.prange"].ratio == pytest.approx(1 / 1.3)
    assert changes["clib.points"].verdict == compare.MORE
    low, high = changes["clib.points"].ci95
    assert low < 1 / 0.7 < high
    others = {c.verdict for k, c in changes.items() if k not in ("openmp.prange", "clib.points")}
    assert others == {compare.SAME, compare.FEW}


@pytest.mark.proof("ladder/report/**/*", "results/*")
def test_between_machines_only_ratios_within_a_run_are_compared(first, second):
    second.machine.cores = 16
    for row in second.rows:
        slow_down(second, row.key, 3.0)
    slow_down(second, "openmp.prange", 0.2)
    assert all(change.ratio is None for change in compare.times(first, second))
    gains = {(c.key, c.against): c for c in compare.gains(first, second)}
    step = gains["openmp.prange", "cclass.polygon"]
    assert step.verdict == compare.MORE
    assert step.ratio == pytest.approx(5)
    assert gains["cclass.polygon", "clib.points"].verdict == compare.SAME
    assert gains["openmp.prange", "python.tuples"].verdict == compare.FEW  # three base samples
    pair = side_by_side.pair(first, second, ("a.json", "b.json"))
    assert any("Two machines" in sentence for sentence in pair.sentences)
    times = next(table for table in pair.tables if table.title == "Times")
    assert times.headings == ("row", "A", "B")
    assert {len(row) for row in times.rows} == {3}


@pytest.mark.proof("ladder/report/**/*", "results/*")
def test_what_the_probe_explains_is_the_machines_drift(first, second):
    second.yardstick.probe_s = 1.2 * first.yardstick.probe_s
    slow_down(second, "clib.points", 1.15)
    slow_down(second, "openmp.prange", 1.5)
    slow_down(second, "cclass.cpp", 0.8)
    times = verdicts(compare.times(first, second))
    assert times["clib.points"] == compare.DRIFT
    assert times["openmp.prange"] == compare.LESS
    assert times["cclass.cpp"] == compare.MORE
    second.yardstick.probe_s = None
    assert verdicts(compare.times(first, second))["clib.points"] == compare.LESS


def test_differences_name_the_field_and_both_values(first, second):
    change(second.machine, flags="-O2", commit="f" * 40, date="2027-01-01T00:00:00+00:00")
    second.machine.packages = {"numba": "1.0"}
    fields = compare.differences(first, second)
    assert ("compiler's flags", first.machine.flags, "-O2") in fields
    assert ("numba", first.machine.packages["numba"], "1.0") in fields
    pyopencl = first.machine.packages["pyopencl"]
    assert ("pyopencl", pyopencl, "not recorded") in fields
    assert {name for name, *_ in fields} - {name for name, *_ in compare.causes(fields)} == {"date"}
    assert compare.differences(first, first) == []


def test_other_programs_before_a_run_are_named_and_are_no_cause(first, second):
    second.machine.busy_before = Busy.of(busy.Look(2, 1.5, 0.0, ("yes",)))
    differences = compare.differences(first, second)
    assert ("other work before: cores used", "not recorded", "1.50") in differences
    assert compare.causes(differences) == []
    first.machine.busy_before = None
    assert compare.causes(compare.differences(first, second)) == []


def test_rows_that_were_measured_otherwise_are_named(first, second):
    by_key = {row.key: row for row in second.rows}
    by_key["openmp.prange"].options = {"threads": 1}
    by_key["openmp.prange"].threads = 1
    without_time(by_key["openmp.simd"], "wrong", "7 pixels")
    second.rows = [row for row in second.rows if row.key != "clib.points"]
    text = "\n".join(compare.row_differences(first, second))
    assert "openmp.prange: threads 2 in A, 1 in B" in text
    assert "openmp.simd: wrong in B: 7 pixels" in text
    assert "clib.points: only in A" in text
    assert "openmp.simd" not in verdicts(compare.times(first, second))


@pytest.mark.proof("ladder/report/**/*", "results/*")
def test_sets_of_rows_that_differ_are_named(first, second):
    text = " ".join(side_by_side.pair(first, second, ("a", "b")).sentences)
    assert says(text, "date", "differs")
    assert "different rows" not in text
    second.rows = [row for row in second.rows if "opencl" not in row.key]
    skipped = first.row("clib.points")
    without_time(skipped, "skipped", "left out")
    text = " ".join(side_by_side.pair(first, second, ("a", "b")).sentences)
    assert says(text, "opencl.pixels", "scanline.opencl", "measured")
    assert "differ only in the date and the load." not in text
    assert says(text, "rows", "differ")


def test_pairs_are_of_one_polygon_on_one_image_and_one_kind(first, second):
    other, larger = copy.deepcopy(first), copy.deepcopy(first)
    other.workload.polygon_sha256 = "0" * 64
    larger.workload.shape = (2048, 2048)
    peers = results.load(PEERS)[0]
    assert compare.pairs([first, other, larger, peers, second, peers]) == [(0, 4), (3, 5)]


def test_libraries_are_compared_with_polygon_mask():
    peers = results.load(PEERS)[0]
    bases = {c.against for c in compare.gains(peers, peers) if c.key.startswith("peer.")}
    assert bases == {"api.fresh"}


def test_a_ratio_of_ratios_has_an_interval_that_holds_the_truth():
    rng = np.random.default_rng(1)
    top, bottom = (5 + 0.1 * rng.standard_normal(40) for _ in range(2))
    value, (low, high) = confidence.ratio_of_ratios((top, bottom), (2 * top[::-1], bottom[::-1]))
    assert value == pytest.approx(2)
    assert low < 2 < high
    assert confidence.ratio_of_ratios((top, bottom), (top, bottom[:3]))[1] is None


@pytest.mark.proof("ladder/report/**/*", "results/*")
def test_command_shows_and_writes_what_changed(tmp_path, capsys, first, second):
    row = slow_down(second, "openmp.prange", 1.4)
    second.machine.flags = "-O1 [bold] | <i>"
    result_json.save(second, tmp_path / "later.json")
    files = [str(COMMITTED), str(tmp_path / "later.json")]
    page = tmp_path / "both.md"
    code = cli.main(["report", *files, "--out", str(tmp_path), "--side-by-side", str(page)])
    assert code == 0
    out = capsys.readouterr().out
    assert "-O1 [bold] | <i>" in out
    assert "slower" in out
    text = page.read_text()
    times = figures.seconds(row.median_s / 1.4), figures.seconds(row.median_s)
    assert f"| openmp.prange | slower | {times[0]} | {times[1]} |" in text
    assert says(text, "median", "samples")
    assert "-O1 [bold] \\| &lt;i&gt;" in text


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path, first):
    files = [tmp_path / folder / "bench.json" for folder in ("old", "new")]
    for file in files:
        file.parent.mkdir()
        result_json.save(first, file)
    names = [named.name for named in results.load_named([*files, COMMITTED])]
    assert names == ["old/bench.json", "new/bench.json", COMMITTED.name]


@pytest.mark.proof("ladder/report/**/*", "results/*")
def test_command_refuses_to_compare_two_polygons(tmp_path, capsys, first):
    first.workload.polygon_sha256 = "0" * 64
    result_json.save(first, tmp_path / "other.json")
    files = [str(COMMITTED), str(tmp_path / "other.json"), "--out", str(tmp_path)]
    assert cli.main(["report", *files, "--side-by-side", str(tmp_path / "a.md")]) == 2
    assert says(capsys.readouterr().err, "results", "polygon")
    assert not (tmp_path / "a.md").exists()


@pytest.mark.proof("ladder/report/**/*", "results/*")
@pytest.mark.parametrize("width", [80, 120])
def test_tables_fit_the_terminal(first, second, width):
    console = Console(width=width)
    with console.capture() as capture:
        for part in side_by_side.for_terminal(side_by_side.pair(first, second, ("a", "b"))):
            console.print(part)
    lines = capture.get().splitlines()
    assert max(map(len, lines)) <= width
    assert "…" not in capture.get()
