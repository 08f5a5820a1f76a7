"""Tables and plots are made from results, and the README agrees with its JSON."""

import dataclasses
import json
import os
import subprocess
import sys

import pytest
from cases import folded, says
from checkouts import ROOT
from mended import change, without_time
from rich.console import Console

from benchmarks.many import report as many_polygons
from ladder import registry
from ladder.bench import result_json
from ladder.bench.machine import Busy
from ladder.report import columns, kinds, marks, readme, results, table
from polymask.common import figures

MARKS = marks.MARKS.search((ROOT / "README.md").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def committed():
    return results.load(ROOT / MARKS["of"])[0]


def test_the_readme_agrees_with_its_json(committed):
    assert MARKS["text"] == readme.text(committed, MARKS["of"])


def test_the_comparison_agrees_with_its_json():
    page = ROOT / "docs/comparison.md"
    (match,) = marks.MARKS.finditer(page.read_text(encoding="utf-8"))
    name = match["of"].removeprefix(readme.MANY)
    (result,) = results.load(page.parent / name)
    assert match["text"] == many_polygons.readme_text(result, name)


def test_all_columns_and_the_origin_of_numbers_need_an_option(polymask, root, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    _, brief, _ = polymask("report", root / MARKS["of"])
    _, full, _ = polymask("report", root / MARKS["of"], "--all")
    for text in ("× memset", "first call", "GiB"):
        assert text not in brief
        assert text in full


def test_committed_result_holds_every_rung_of_the_course(committed):
    keys = {row.key for row in committed.rows if row.kind == "rung"}
    assert {rung.key for rung in registry.RUNGS if rung.course_seconds} <= keys
    default = {rung.key for rung in registry.RUNGS if not rung.extra or rung.extra == "numba"}
    assert all(row.status == "ok" for row in committed.rows if row.key in default)
    assert committed.workload.shape == (1024, 1024)
    assert committed.machine.dirty is False


@folded("file", sorted((ROOT / "results").glob("*.md")))
def test_committed_markdown_agrees_with_report(file):
    (result,) = results.load(file.with_suffix(".json"))
    assert file.read_text(encoding="utf-8") == kinds.of(result).markdown(result)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_readme_is_rewritten_between_its_marks_only(end, committed, tmp_path):
    """New lines end as the page's own; everything outside the marks keeps every byte."""
    result_json.save(committed, tmp_path / "bench.json")
    page = tmp_path / "README.md"
    lines = ["<!-- table of old.json -->", "old numbers", "<!-- end of table -->", "after", ""]
    page.write_bytes(("one\n" + end.join(lines)).encode())
    readme.rewrite(page, tmp_path / "bench.json")
    text = page.read_bytes().decode()
    assert text.startswith(f"one\n<!-- table of bench.json -->{end}")
    assert text.endswith(f"<!-- end of table -->{end}after{end}")
    assert "old numbers" not in text
    assert "| python.tuples |" in text
    assert text.count("\n") == text.count(end) + (end != "\n") > 9


def test_readme_without_marks_is_left_alone(tmp_path):
    page = tmp_path / "README.md"
    page.write_text("no marks\n")
    with pytest.raises(ValueError, match="no marks"):
        readme.rewrite(page, ROOT / MARKS["of"])
    assert page.read_text() == "no marks\n"


def test_wrong_and_skipped_rows_have_reasons_and_no_time(draft):
    wrong, skipped = draft.rows[2:4]
    without_time(wrong, "wrong", "7 of 9 pixels differ")
    without_time(skipped, "skipped", "no luck")
    text = table.markdown(draft)
    assert f"| {wrong.key} | {wrong.changes} | wrong |" in text
    assert f"- {wrong.key} wrong: 7 of 9 pixels differ" in text
    assert f"- {skipped.key} skipped: no luck" in text


def test_doubts_are_a_sentence_each_with_meaning_and_remedy(draft):
    for row in draft.rows:
        row.flags = []
    assert not any("Noisy" in note for note in table.notes(draft))
    draft.rows[2].flags = ["noisy"]
    draft.rows[5].flags = ["few samples", "slowed probe"]
    draft.rows[5].samples_s = [1e-3] * 3
    draft.rows[7].flags = ["noisy", "slowed probe"]
    noisy, few = (
        [note for note in table.notes(draft) if word in note]
        for word in ("Noisy", "Fewer than 5 samples")
    )
    assert len(noisy) == len(few) == 1
    assert says(noisy[0], "Noisy", "python.vectorized", "clib.points")
    assert says(noisy[0], "measure", "quiet")
    assert "clib.points (3)." in few[0]
    for row in draft.rows:
        row.flags = ["noisy"] if row.ok else []
    every = sum(row.ok for row in draft.rows)
    assert any(note.startswith(f"Noisy: {every} of {every} rows.") for note in table.notes(draft))


@pytest.mark.parametrize(
    ("before", "sentence"),
    [
        ((True, 1.4, 0.0), "(other programs used 1.4 of 2 cores)"),
        ((True, 0.4, 0.3), "(other programs used 0.4 of 2 cores, and the virtual machine's host"),
        ((False, 0.1, 0.0), None),
        (None, None),
    ],
)
def test_a_busy_machine_is_named_below_the_table(draft, before, sentence):
    draft.machine.load_before, draft.machine.affinity = 0.8, 2
    if before:
        names = ("busy", "cores_used", "cores_stolen")
        draft.machine.busy_before = Busy(**dict(zip(names, before, strict=True)))
    notes = [note for note in table.notes(draft) if "busy when the run began" in note]
    assert len(notes) == bool(sentence)
    assert not sentence or sentence in notes[0]


def headings(result):
    return [column.heading for column in columns.select(result)]


def cell(heading, row, result):
    (column,) = (candidate for candidate in columns.COLUMNS if candidate.heading == heading)
    return column.cell(row, result)


def test_columns_that_no_row_fills_are_left_out(draft):
    draft.rows = [row for row in draft.rows if row.key.startswith("scanline")][:2]
    for row in draft.rows:
        change(row, speedup=None, speedup_before=None, course_s=None)
    expected = ["row", "changes", "time", "95 %", "least", "n", "× memset", "cores"]
    expected.append("first call")
    assert headings(draft) == expected
    text = table.markdown(draft)
    assert "| " + " | ".join(expected) + " |" in text
    assert "Course:" not in text
    assert "× memset:" in text
    assert "× before:" not in text  # the legend explains only the columns of the table
    for row in draft.rows:
        without_time(row, "skipped", "no luck")
    assert headings(draft)[:3] == ["row", "changes", "time"]


def test_another_algorithm_is_marked(draft):
    for row in draft.rows:
        row.other_algorithm = row.key == "clib.points"
    text = table.markdown(draft)
    assert "| clib.points ¹ | library |" in text
    assert text.count("¹") == 2  # the row, and the note
    assert text.count("- ¹ A different algorithm") == 1


@pytest.mark.parametrize(("samples", "digits"), [(3, ("120", "9.9")), (5, ("123", "9.88"))])
def test_a_ratio_has_the_digits_of_its_poorer_side(draft, samples, digits):
    row = next(row for row in draft.rows if row.before == "cython.compiled")
    change(row, speedup=123.456, speedup_before=9.876, samples_s=[1e-3] * 30)
    for key in (registry.BASE, row.before):
        draft.row(key).samples_s = [1.0] * samples
    assert (cell("speed-up", row, draft), cell("× before", row, draft)) == digits


@pytest.mark.parametrize("width", [60, 120])
def test_table_fits_the_terminal(committed, width):
    console = Console(width=width)
    with console.capture() as capture:
        console.print(table.for_terminal(committed, width))
    lines = capture.get().splitlines()
    assert max(map(len, lines)) <= width
    assert "…" not in capture.get()
    assert any("python.vectorized" in line for line in lines)


@folded(
    ("value", "text"),
    [
        (36.04, "36.0 s"),
        (0.9996, "1000 ms"),
        (0.0123456, "12.3 ms"),
        (4.567e-6, "4.57 µs"),
        (7.9e-7, "790 ns"),
        (None, ""),
    ],
)
def test_seconds(value, text):
    assert figures.seconds(value) == text


@pytest.mark.parametrize(
    ("value", "count", "text"),
    [(0.0804, 3, "0.0804"), (13512, 3, "13500"), (999.7, 3, "1000"), (1, 2, "1.0"), (0, 3, "0")],
)
def test_digits(value, count, text):
    assert figures.digits(value, count) == text


@folded(
    ("text", "message"),
    [
        ("no json", "not JSON"),
        ("[]", "not a result"),
        ('{"rows": []}', "not a result"),
        ('{"schema": 2, "rows": [], "machine": {}}', "it has no workload, yardstick"),
        ('{"benchmarks": []}', "no benchmark from polymask"),
        ('{"benchmarks": [{"extra_info": null}]}', "no benchmark from polymask"),
        ('{"schema": 2, "rows": ' + "[" * 100_000, r"some\.json: JSON .* too deeply: write"),
        ('{"schema": ' + "9" * 5000 + "}", "some.json: JSON with a number of thousands of digits"),
        ('{"schema": null}', "not hold a result: its schema is None. `polymask bench --json"),
        ('{"schema": 1, "rows": []}', "schema 1 of an older polymask; .* Measure again, or use"),
        ('{"schema": 99, "rows": [], "machine": {}, "workload": {}}', "schema 99 of another"),
    ],
)
def test_other_files_are_refused(tmp_path, text, message):
    file = tmp_path / "some.json"
    file.write_text(text)
    with pytest.raises(ValueError, match=message):
        results.load(file)


def test_a_benchmark_of_no_rung_is_named(tmp_path, committed):
    extra = {"key": "python.tuple", "kind": "rung", "samples_s": [1.0], "threads": 1}
    extra["machine"] = dataclasses.asdict(committed.machine)
    extra["workload"] = dataclasses.asdict(committed.workload)
    file = tmp_path / "bench.json"
    file.write_text(json.dumps({"benchmarks": [{"extra_info": extra}]}))
    with pytest.raises(ValueError, match=r"bench.json.*called.*'python.tuple'"):
        results.load(file)


@pytest.mark.weekly
def test_make_benchmark_prints_speedups_of_a_pytest_benchmark(tmp_path):
    completed = subprocess.run(
        ["make", "-s", "-o", "build", "benchmark", f"PY={sys.executable}"]
        + ["SIZES=16,24", "ROW_SECONDS=0.02", f"JSON={tmp_path / 'bench.json'}"],
        cwd=ROOT,
        # pytest-benchmark measures nothing in a worker of pytest-xdist, which may run this test
        env={k: v for k, v in os.environ.items() if not k.startswith("PYTEST_XDIST")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert completed.returncode == 0, completed.stdout + completed.stderr
    assert "speed-up" in completed.stdout
    small, large = results.load(tmp_path / "bench.json")
    assert small.workload.shape == (16, 16)
    assert large.workload.shape == (24, 24)
    keys = [row.key for row in small.rows if row.kind == "rung"]
    missing = registry.unavailable()
    assert keys == [rung.key for rung in registry.RUNGS if rung.key not in missing]
    assert small.rows[0].speedup == pytest.approx(1, rel=0.2)
    assert table.markdown(large).count("\n| ") == len(large.rows) + 1
