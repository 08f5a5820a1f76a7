"""The class view: tables and plots of all students' results."""

import itertools
import json
import math
import re
import sys

import hostile_results
import pytest
from rich.console import Console

from ladder.cli import workshop as commands
from ladder.workshop.author import collect, student_results
from polymask import cli


@pytest.mark.slow
def test_collect_merges_recorded_results(root, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    folder = root / "tests" / "workshop" / "results"
    assert cli.main(["workshop", "collect", str(folder), "--out", str(tmp_path)]) == 0
    text = (tmp_path / "class.md").read_text()
    students, _ = student_results.load(folder)
    assert len(students) >= 3
    for name in students:
        assert f"| {name} |" in text
    assert "| vectorize | 3 of 3 |" in text
    first, second = (students[name].exercises["type"] for name in ("anemone", "clover"))
    median = (first.times_before + second.times_before) / 2
    assert f"| type | 2 of 3 | {median:.1f} (" in text
    assert "1 of the class: AMD EPYC, 1 core" in (tmp_path / "class.svg").read_text()
    assert "bramble" in next(
        line for line in capsys.readouterr().out.splitlines() if line.startswith("type")
    )
    names = [f"{stem}.{form}" for stem in ("class", "class-predictions") for form in ("svg", "png")]
    again = {name: (tmp_path / name).read_bytes() for name in names}
    assert cli.main(["workshop", "collect", str(folder), "--out", str(tmp_path)]) == 0
    assert {name: (tmp_path / name).read_bytes() for name in names} == again


def test_results_with_another_ending_are_named(tmp_path):
    text = json.dumps(hostile_results.result())
    for name in ("anna.json", "ben.json.txt"):
        (tmp_path / name).write_text(text)
    (tmp_path / "notes.txt").write_text("thirty students")
    (tmp_path / "cleo").mkdir()
    (tmp_path / "cleo" / "results.json").write_text(text)
    students, remarks = student_results.load(tmp_path)
    assert list(students) == ["anna"]
    assert [remark.split(" ")[1] for remark in remarks] == ["ben.json.txt", "cleo"]


def test_without_matplotlib_the_tables_are_whole(root, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    folder = root / "tests" / "workshop" / "results"
    assert cli.main(["workshop", "collect", str(folder), "--out", str(tmp_path)]) == 0
    assert "matplotlib" in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["class.md"]


@pytest.fixture
def load_class(tmp_path):
    """Write the results of a class; return its students."""

    def load(*results):
        for number, result in enumerate(results):
            (tmp_path / f"s{number:02}.json").write_text(json.dumps(result))
        return student_results.load(tmp_path)[0]

    return load


def dots(axes):
    """Return the (x, y) of all marks in pixels."""
    lines = [line for line in axes.get_lines() if line.get_marker() != "None"]
    return [tuple(xy) for line in lines for xy in axes.transData.transform(line.get_xydata())]


def test_dots_of_students_do_not_overlap(load_class):
    pytest.importorskip("matplotlib")
    speeds = [2.0] * 30 + [2.05] * 2 + [5.0, 100.0]
    class_results = [
        hostile_results.result(times_before=speed, cpu=f"cpu {n % 2}")
        for n, speed in enumerate(speeds)
    ]
    students = load_class(*class_results)
    (axes,) = collect.draw_speedups(students).axes
    points = dots(axes)
    assert len(points) == len(speeds)
    assert all(math.dist(p, q) > 5 for p, q in itertools.combinations(points, 2))
    x = sorted(x for x, _ in points)
    assert (x[-2] - x[0]) / (x[-1] - x[0]) == pytest.approx(math.log(2.5) / math.log(50))
    assert all(axes.bbox.y0 < y < axes.bbox.y1 for _, y in points)


def test_predictions_are_drawn_by_how_far_they_were_off(load_class):
    pytest.importorskip("matplotlib")
    guesses = [4.0, 8.0, 0.01, None, 1e6]
    class_results = [hostile_results.result(times_before=8.0, predicted=guess) for guess in guesses]
    students = load_class(*class_results, hostile_results.result(times_before=None, predicted=3.0))
    (axes,) = collect.draw_predictions(students).axes
    lines = [line for line in axes.get_lines() if line.get_marker() != "None"]
    values = {line.get_marker(): sorted(line.get_xdata()) for line in lines}
    assert values == {"o": [1.0, 2.0], ">": [100.0], "<": [0.01]}
    assert "| vectorize | 6 of 6 | 8.0 (8.0–8.0) | 4.0 (0.010–1000000) | 2 of 4 |" in (
        collect.markdown(students)
    )
    assert (
        collect.draw_predictions(load_class(*[hostile_results.result(predicted=None)] * 6)) is None
    )


def test_students_with_broken_answers_are_named(load_class):
    students = load_class(
        hostile_results.result(), hostile_results.result(passed=False, broken=True)
    )
    text = collect.markdown(students)
    assert "| broken for |" in text
    assert re.search(r"\| vectorize \| 1 of 2 \|.* s01 \|", text)
    assert "| broken (4) |" in text


@pytest.mark.parametrize("width", [80, 200])
def test_the_table_is_whole_in_narrow_terminals(tmp_path, capsys, monkeypatch, width):
    class_results = [
        hostile_results.result("cache_lines", passed=False),
        hostile_results.result("cache_lines", passed=False, broken=True, times_before=1234.5),
        hostile_results.result("cache_lines", judged=False, times_before=None, predicted=7.5),
    ]
    for name, result in zip(("Anna Maria", "Tobias", "Zoë"), class_results, strict=True):
        (tmp_path / f"{name}.json").write_text(json.dumps(result))
    monkeypatch.setattr(
        commands, "console", lambda: Console(width=width, force_terminal=True, color_system=None)
    )
    cli.main(["workshop", "collect", str(tmp_path)])
    out = capsys.readouterr().out
    table = out[: out.index("Speed-up: over")]
    assert "…" not in table
    assert re.search(r"cache_lines +1 of 3 +620 +(\(2\.5–1200\) +)?4\.0 ", table)
    assert {"Anna", "Maria", "Tobias", "Zoë"} <= set(re.findall(r"\w+", table))
