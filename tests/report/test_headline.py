"""The last lines of bench: the result, surprises, and commands that work as printed."""

import shlex
from pathlib import Path

import pytest
from cases import says
from checkouts import ROOT
from mended import change

from ladder.cli import result_output
from ladder.report import headline, results

RESULTS = ROOT / "results"


@pytest.fixture
def committed():
    """A result whose rows take a millisecond each, with equal samples."""
    result = results.load(next(RESULTS.glob("*-epyc.json")))[0]
    for row in result.rows:
        set_time(result, row.key, 1e-3)
    return result


def set_time(result, key, seconds, samples=30):
    """Set the time of a row, and its ratio to the row before."""
    change(result.row(key), median_s=seconds, min_s=seconds, samples_s=[seconds] * samples)
    rows = result.timed
    for row in rows.values():
        if row.before in rows:
            row.speedup_before = rows[row.before].median_s / row.median_s


def test_headline_names_the_fastest_row_and_the_base(committed):
    set_time(committed, "python.tuples", 9.3, samples=3)
    set_time(committed, "scanline.engine", 30e-6)
    engine = committed.row("scanline.engine")
    engine.times_yardstick = 1.934
    words = "scanline.engine", "30.0 µs", "310,000 times", "python.tuples", "1.93 times"
    assert says(headline.headline(committed), *words)


def test_the_headline_of_a_comparison_of_libraries():
    result = results.load(next(RESULTS.glob("*-peers-1024-24.json")))[0]
    assert headline.headline(result).startswith("polygon_mask, a new array: 2.21 times as fast")


def test_rows_slower_than_the_one_before_surprise(committed):
    assert headline.slower(committed) == []
    set_time(committed, "openmp.prange", 2e-3)
    set_time(committed, "openmp.simd", 2e-3)
    assert headline.surprises(committed)[:1] == [
        "Slower than the rung that the lesson starts from: openmp.prange (0.500 times as "
        "fast as cclass.polygon)."
    ]
    assert headline.to_explain(committed) == "openmp.prange"


def test_rows_that_are_slower_within_the_noise_do_not(committed):
    row = committed.row("cclass.cpp")
    row.samples_s = [0.9e-3, 1.2e-3] * 15  # the interval of the ratio includes 1
    row.speedup_before = 0.95
    assert headline.slower(committed) == []
    change(row, samples_s=[1.1e-3] * 3, speedup_before=1 / 1.1)
    assert headline.slower(committed) == []  # too few samples, and a small difference
    change(row, samples_s=[2e-3] * 3, speedup_before=0.5)
    assert [r.key for r, _ in headline.slower(committed)] == ["cclass.cpp"]


def test_commands_at_the_end_work_as_printed(polymask, monkeypatch, capsys):
    monkeypatch.setattr(result_output, "program", lambda: "polymask")
    bench = ("bench", "--size", 40, "--seconds", 0, "--rungs", "cclass.polygon,scanline.engine")
    code, out, _ = polymask(*bench, "--out", "a folder")
    assert code == 0
    assert says(out, "scanline.engine", "mask")
    lines = out.splitlines()
    assert lines[-1] == "wrote a folder/"
    commands = [shlex.split(line) for line in lines if line.startswith("    polymask ")]
    assert [command[1] for command in commands] == ["explain", "report"]
    for command in commands:
        assert polymask(*command[1:])[0] == 0
    assert Path("page.html").exists()
    out = polymask(*bench, "--html", "other.html")[1]
    assert says(out, "other.html", "browser")
    assert "report" not in out.split("makes this mask in")[1]
