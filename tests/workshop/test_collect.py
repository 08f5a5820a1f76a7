"""The class view: students' results, merged into tables and plots."""

import itertools
import json
import math
import re
import sys

import hostile_results
import pytest
from rich.console import Console

from polymask import cli
from polymask.cli import workshop as commands
from polymask.workshop.author import collect, student_results


@pytest.mark.slow
def test_collect_merges_recorded_results(root, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    recorded = root / "tests" / "workshop" / "results"
    assert cli.main(["workshop", "collect", str(recorded), "--out", str(tmp_path)]) == 0
    text = (tmp_path / "class.md").read_text()
    students, _ = student_results.load(recorded)
    assert len(students) >= 3
    for who in students:
        assert f"| {who} |" in text
    assert "| vectorize | 3 of 3 |" in text
    first, second = (students[who].exercises["type"] for who in ("anemone", "clover"))
    median = (first.times_before + second.times_before) / 2
    assert f"| type | 2 of 3 | {median:.1f} (" in text
    assert "1 of the class: AMD EPYC, 1 core" in (tmp_path / "class.svg").read_text()
    assert "bramble" in next(
        line for line in capsys.readouterr().out.splitlines() if line.startswith("type")
    )
    names = [f"{stem}.{form}" for stem in ("class", "class-predictions") for form in ("svg", "png")]
    again = {name: (tmp_path / name).read_bytes() for name in names}
    assert cli.main(["workshop", "collect", str(recorded), "--out", str(tmp_path)]) == 0
    assert {name: (tmp_path / name).read_bytes() for name in names} == again


def test_without_matplotlib_the_tables_are_whole(root, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    recorded = root / "tests" / "workshop" / "results"
    assert cli.main(["workshop", "collect", str(recorded), "--out", str(tmp_path)]) == 0
    assert "matplotlib" in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["class.md"]


@pytest.fixture
def handed_in(tmp_path):
    """What a class hands in: a result each."""

    def hand_in(*results):
        for number, said in enumerate(results):
            (tmp_path / f"s{number:02}.json").write_text(json.dumps(said))
        return student_results.load(tmp_path)[0]

    return hand_in


def dots(axes):
    """The (x, y) of all marks, in pixels."""
    marked = [line for line in axes.get_lines() if line.get_marker() != "None"]
    return [tuple(xy) for line in marked for xy in axes.transData.transform(line.get_xydata())]


def test_every_student_is_a_dot_that_lies_on_no_other(handed_in):
    pytest.importorskip("matplotlib")
    speeds = [2.0] * 3 + [2.05] * 2 + [5.0, 100.0]
    made = [
        hostile_results.result(times_before=speed, cpu=f"cpu {n % 2}")
        for n, speed in enumerate(speeds)
    ]
    students = handed_in(*made)
    (axes,) = collect.draw_speedups(students).axes
    drawn = dots(axes)
    assert len(drawn) == len(speeds)
    assert all(math.dist(one, other) > 5 for one, other in itertools.combinations(drawn, 2))
    x = sorted(x for x, _ in drawn)
    assert (x[5] - x[0]) / (x[6] - x[0]) == pytest.approx(math.log(2.5) / math.log(50))


def test_predictions_are_drawn_by_how_far_they_were_off(handed_in):
    pytest.importorskip("matplotlib")
    guesses = [4.0, 8.0, 0.01, None, 1e6]
    made = [hostile_results.result(times_before=8.0, predicted=guess) for guess in guesses]
    students = handed_in(*made, hostile_results.result(times_before=None, predicted=3.0))
    (axes,) = collect.draw_predictions(students).axes
    shown = [line for line in axes.get_lines() if line.get_marker() != "None"]
    values = {line.get_marker(): sorted(line.get_xdata()) for line in shown}
    assert values == {"o": [1.0, 2.0], ">": [100.0], "<": [0.01]}
    assert "| vectorize | 6 of 6 | 8.0 (8.0–8.0) | 4.0 (0.010–1000000) | 2 of 4 |" in (
        collect.markdown(students)
    )
    assert (
        collect.draw_predictions(handed_in(*[hostile_results.result(predicted=None)] * 6)) is None
    )


def test_who_broke_an_answer_is_named(handed_in):
    students = handed_in(
        hostile_results.result(), hostile_results.result(passed=False, broken=True)
    )
    text = collect.markdown(students)
    assert "| broken for |" in text
    assert re.search(r"\| vectorize \| 1 of 2 \|.* s01 \|", text)
    assert "| broken (4) |" in text


@pytest.mark.parametrize("width", [80, 200])
def test_the_table_is_whole_in_narrow_terminals(tmp_path, capsys, monkeypatch, width):
    made = [
        hostile_results.result("rows_cython", passed=False),
        hostile_results.result("rows_cython", passed=False, broken=True, times_before=1234.5),
        hostile_results.result("rows_cython", judged=False, times_before=None, predicted=7.5),
    ]
    for who, said in zip(("Anna Maria", "Tobias", "Zoë"), made, strict=True):
        (tmp_path / f"{who}.json").write_text(json.dumps(said))
    monkeypatch.setattr(
        commands, "console", lambda: Console(width=width, force_terminal=True, color_system=None)
    )
    cli.main(["workshop", "collect", str(tmp_path)])
    out = capsys.readouterr().out
    table = out[: out.index("Speed-up: over")]
    assert "…" not in table
    assert re.search(r"rows_cython +1 of 3 +620 +(\(2\.5–1200\) +)?4\.0 ", table)
    assert {"Anna", "Maria", "Tobias", "Zoë"} <= set(re.findall(r"\w+", table))
