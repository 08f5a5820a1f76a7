"""Results side by side: differences, comparable values, and changes beyond the noise."""

import copy

import numpy as np
import pytest
from cases import says
from checkouts import ROOT
from mended import change, without_time

from ladder.bench import result_json
from ladder.common import confidence
from ladder.report import results, side_by_side
from polymask import cli
from polymask.common import figures

COMMITTED = ROOT / "results" / "2026-11-21-amd-epyc.json"
PEERS = ROOT / "results" / "2026-11-21-amd-epyc-peers-1024-24.json"
UNCHANGED = {side_by_side.SAME, side_by_side.FEW}


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


@pytest.mark.slow
def test_a_slower_and_a_faster_row_are_found_and_no_other(first, second):
    assert {change.verdict for change in side_by_side.gains(first, second)} == UNCHANGED
    slow_down(second, "openmp.prange", 1.3)
    slow_down(second, "clib.points", 0.7)
    changes = {change.key: change for change in side_by_side.times(first, second)}
    slower, faster = changes.pop("openmp.prange"), changes.pop("clib.points")
    assert slower.verdict == "slower"
    assert slower.ratio == pytest.approx(1 / 1.3)
    assert faster.verdict == "faster"
    assert faster.ci95[0] < 1 / 0.7 < faster.ci95[1]
    assert set(verdicts(changes.values()).values()) == UNCHANGED
    assert changes["python.scalars"].verdict == side_by_side.FEW


@pytest.mark.slow
def test_between_machines_only_ratios_within_a_run_are_compared(first, second):
    second.machine.cores = 16
    for row in second.rows:
        slow_down(second, row.key, 3.0)
    slow_down(second, "openmp.prange", 0.2)
    assert all(change.ratio is None for change in side_by_side.times(first, second))
    gains = {(c.key, c.against): c for c in side_by_side.gains(first, second)}
    step = gains["openmp.prange", "cclass.polygon"]
    assert step.verdict == "larger"
    assert step.ratio == pytest.approx(5)
    assert gains["cclass.polygon", "clib.points"].verdict == side_by_side.SAME
    base = gains["openmp.prange", "python.tuples"]
    assert base.verdict == side_by_side.FEW  # three samples
    pair = side_by_side.pair(first, second, ("a.json", "b.json"))
    assert side_by_side.TWO_MACHINES in pair.sentences
    times = next(table for table in pair.tables if table.title == "Times")
    assert times.headings == ("row", "A", "B")
    assert {len(row) for row in times.rows} == {3}


def test_a_change_that_the_probe_explains_is_the_machines_drift(first, second):
    second.yardstick.probe_s = 1.2 * first.yardstick.probe_s
    slow_down(second, "clib.points", 1.15)
    slow_down(second, "openmp.prange", 1.5)
    slow_down(second, "cclass.cpp", 0.8)
    times = verdicts(side_by_side.times(first, second))
    assert times["clib.points"] == side_by_side.DRIFT
    assert times["openmp.prange"] == "slower"
    assert times["cclass.cpp"] == "faster"
    second.yardstick.probe_s = None
    assert verdicts(side_by_side.times(first, second))["clib.points"] == "slower"


def test_differences_name_the_field_and_both_values(first, second):
    change(second.machine, flags="-O2", commit="f" * 40)
    second.machine.packages = {"numba": "1.0"}
    fields = side_by_side.differences(first, second)
    assert ("compiler's flags", first.machine.flags, "-O2") in fields
    assert ("numba", first.machine.packages["numba"], "1.0") in fields
    assert ("pyopencl", first.machine.packages["pyopencl"], "not recorded") in fields
    assert side_by_side.differences(first, first) == []


def test_rows_that_were_measured_otherwise_are_named(first, second):
    change(second.row("openmp.prange"), options={"threads": 1}, threads=1)
    without_time(second.row("openmp.simd"), "wrong", "7 pixels")
    second.rows = [row for row in second.rows if row.key != "clib.points"]
    text = "\n".join(side_by_side.row_differences(first, second))
    assert "openmp.prange: threads 2 in A, 1 in B" in text
    assert "openmp.simd: wrong in B: 7 pixels" in text
    assert "Only in A: clib.points." in text
    assert "openmp.simd" not in verdicts(side_by_side.times(first, second))


def test_pairs_are_of_one_polygon_on_one_image_and_one_kind(first, second):
    other, larger = copy.deepcopy(first), copy.deepcopy(first)
    other.workload.polygon_sha256 = "0" * 64
    larger.workload.shape = (2048, 2048)
    peers = results.load(PEERS)[0]
    partners = side_by_side.partners([first, other, larger, peers, second, peers])
    assert partners == [(0, 4), (3, 5)]
    bases = {c.against for c in side_by_side.gains(peers, peers) if c.key.startswith("peer.")}
    assert bases == {"api.fresh"}


def test_a_ratio_of_ratios_has_an_interval_that_holds_the_truth():
    rng = np.random.default_rng(1)
    top, bottom = (5 + 0.1 * rng.standard_normal(40) for _ in range(2))
    value, (low, high) = confidence.ratio_of_ratios((top, bottom), (2 * top[::-1], bottom[::-1]))
    assert value == pytest.approx(2)
    assert low < 2 < high
    assert confidence.ratio_of_ratios((top, bottom), (top, bottom[:3]))[1] is None


@pytest.mark.slow
def test_command_shows_and_writes_what_changed(tmp_path, capsys, first, second):
    row = slow_down(second, "openmp.prange", 1.4)
    second.machine.flags = "-O1 [bold] | <i>"
    result_json.save(second, tmp_path / "later.json")
    files = [str(COMMITTED), str(tmp_path / "later.json")]
    page = tmp_path / "both.md"
    code = cli.main(["report", *files, "--out", str(tmp_path), "--side-by-side", str(page)])
    assert code == 0
    assert "-O1 [bold] | <i>" in capsys.readouterr().out
    text = page.read_text()
    times = figures.seconds(row.median_s / 1.4), figures.seconds(row.median_s)
    assert f"| openmp.prange | slower | {times[0]} | {times[1]} |" in text
    assert "-O1 [bold] \\| &lt;i&gt;" in text
    first.workload.polygon_sha256 = "0" * 64
    result_json.save(first, tmp_path / "other.json")
    files = [str(COMMITTED), str(tmp_path / "other.json")]
    assert cli.main(["report", *files, "--side-by-side", str(tmp_path / "a.md")]) == 2
    assert says(capsys.readouterr().err, "results", "polygon")
    assert not (tmp_path / "a.md").exists()
