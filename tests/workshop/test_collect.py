"""The class view: students' results, merged into one table and one plot."""

import re

import pytest

from polymask import cli
from polymask.workshop.author import collect


def test_collect_merges_recorded_results(root, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    recorded = root / "tests" / "workshop" / "results"
    assert cli.main(["workshop", "collect", str(recorded), "--out", str(tmp_path)]) == 0
    text = (tmp_path / "class.md").read_text()
    students, _ = collect.load(recorded)
    assert len(students) >= 3
    for who in students:
        assert f"| {who} |" in text
    assert "| vectorize | 3 of 3 |" in text
    first, second = (students[who]["exercises"]["type"] for who in ("anemone", "clover"))
    median = (first["times_before"] + second["times_before"]) / 2
    assert f"| type | 2 of 3 | {median:.1f} (" in text
    assert "AMD EPYC, 1 core: 1 of the class" in (tmp_path / "class.svg").read_text()
    assert "bramble" in next(
        line for line in capsys.readouterr().out.splitlines() if line.startswith("type")
    )
    again = (tmp_path / "class.svg").read_bytes()
    assert cli.main(["workshop", "collect", str(recorded), "--out", str(tmp_path)]) == 0
    assert (tmp_path / "class.svg").read_bytes() == again


def test_collect_passes_over_what_is_no_result(root, tmp_path, capsys):
    (tmp_path / "empty.json").write_text("{}")
    assert cli.main(["workshop", "collect", str(tmp_path)]) == 2
    assert "no results.json of a workshop, but empty.json" in capsys.readouterr().err
    good = (root / "tests" / "workshop" / "results" / "anemone.json").read_text()
    (tmp_path / "good.JSON").write_text(good)
    (tmp_path / "text.json").write_text(re.sub(r'("times_before": )[\d.]+', r'\1"fast"', good))
    (tmp_path / "nan.json").write_text(re.sub(r'("times_before": )[\d.]+', r"\1NaN", good))
    (tmp_path / "list.json").write_text("[1, 2]")
    assert cli.main(["workshop", "collect", str(tmp_path)]) == 1
    said = capsys.readouterr()
    for name in ("empty", "text", "nan", "list"):
        assert f"{name}.json is no results.json" in said.err
    assert "1 of 1" in said.out
