"""Tables and plots are made from results, and the README agrees with its JSON."""

import copy
import json
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from polymask import rungs
from polymask.report import numbers, plot, readme, results, table

ROOT = Path(__file__).parent.parent
MARKS = readme.MARKS.search((ROOT / "README.md").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def committed():
    return results.load(ROOT / MARKS["json"])[0]


def test_readme_shows_what_its_json_says(committed):
    assert MARKS["text"] == readme.text(committed, MARKS["json"])


def test_committed_result_holds_every_rung_of_the_course(committed):
    keys = {row["key"] for row in committed["rows"] if row["kind"] == "rung"}
    assert {rung.key for rung in rungs.RUNGS if rung.course_seconds} <= keys
    assert all(row["status"] == "ok" for row in committed["rows"])
    assert committed["workload"]["shape"] == [1024, 1024]
    assert committed["machine"]["dirty"] is False


@pytest.mark.parametrize("suffix", [".md", ".svg", ".png", "-polygon.png"])
def test_committed_result_has_its_pictures(suffix):
    assert (ROOT / (MARKS["json"].removesuffix(".json") + suffix)).exists()


def test_readme_is_rewritten_between_its_marks_only(committed, tmp_path):
    (tmp_path / "bench.json").write_text(json.dumps(committed))
    page = tmp_path / "README.md"
    page.write_text(
        "before\n<!-- table of old.json -->\nold numbers\n<!-- end of table -->\nafter\n"
    )
    readme.rewrite(page, tmp_path / "bench.json")
    text = page.read_text()
    assert text.startswith("before\n<!-- table of bench.json -->\n")
    assert text.endswith("<!-- end of table -->\nafter\n")
    assert "old numbers" not in text
    assert "| python.tuples |" in text


def test_readme_without_marks_is_left_alone(tmp_path):
    page = tmp_path / "README.md"
    page.write_text("no marks\n")
    with pytest.raises(ValueError, match="no marks"):
        readme.rewrite(page, ROOT / MARKS["json"])
    assert page.read_text() == "no marks\n"


def test_wrong_and_skipped_rows_have_reasons_and_no_time(committed):
    changed = copy.deepcopy(committed)
    wrong, skipped = changed["rows"][2:4]
    wrong |= {"status": "wrong", "reason": "7 of 9 pixels differ", "median_s": None}
    skipped |= {"status": "skipped", "reason": "no luck", "median_s": None}
    text = table.markdown(changed)
    assert f"| {wrong['key']} | {wrong['changes']} | wrong |" in text
    assert f"- {wrong['key']} wrong: 7 of 9 pixels differ" in text
    assert f"- {skipped['key']} skipped: no luck" in text


def test_doubts_are_a_sentence_each_with_meaning_and_remedy(committed):
    changed = copy.deepcopy(committed)
    for row in changed["rows"]:
        row["flags"] = []
    assert not any("Noisy" in note for note in table.notes(changed))
    changed["rows"][2]["flags"] = ["noisy"]
    changed["rows"][5]["flags"] = ["few samples", "slowed probe"]
    changed["rows"][5]["samples"] = 3
    changed["rows"][7]["flags"] = ["noisy", "slowed probe"]
    noisy, few = (
        [note for note in table.notes(changed) if word in note]
        for word in ("Noisy", "Fewer than 5 samples")
    )
    assert len(noisy) == len(few) == 1
    assert "Noisy: python.vectorized, clib.points and cclass.cpp." in noisy[0]
    assert "measure again when nothing else runs" in noisy[0]
    assert "clib.points (3)." in few[0]
    for row in changed["rows"]:
        row["flags"] = ["noisy"]
    assert any(note.startswith("Noisy: every row. Their") for note in table.notes(changed))


@pytest.mark.parametrize(
    ("before", "sentence"),
    [
        ((True, 1.4, 0.0), "(other programs used 1.4 of 2 cores)"),
        ((True, 0.4, 0.3), "(other programs used 0.4 of 2 cores, and the virtual machine's host"),
        ((True, None, None), "(a load average of 0.8)"),
        ((False, 0.1, 0.0), None),
        (None, None),
    ],
)
def test_a_busy_machine_is_named_below_the_table(committed, before, sentence):
    changed = copy.deepcopy(committed)
    if before:
        names = ("busy", "cores_used", "cores_stolen")
        changed["machine"]["busy_before"] = dict(zip(names, before, strict=True))
    found = [note for note in table.notes(changed) if "busy when the run began" in note]
    assert len(found) == bool(sentence)
    assert not sentence or sentence in found[0]


def test_columns_that_no_row_fills_are_left_out(committed):
    changed = copy.deepcopy(committed)
    changed["rows"] = [row for row in changed["rows"] if row["key"].startswith("scanline")][:2]
    for row in changed["rows"]:
        row |= {"speedup": None, "speedup_before": None, "course_s": None, "course_speedup": None}
    shown = ["row", "changes", "time", "95 %", "least", "n", "× memset", "cores", "first call"]
    assert table.headings(changed) == shown
    text = table.markdown(changed)
    assert "| " + " | ".join(shown) + " |" in text
    assert "Course:" not in text
    assert "× memset:" in text
    assert "× before:" not in text  # the legend explains what is there
    for row in changed["rows"]:
        row |= {"status": "skipped", "reason": "no luck"}
    assert table.headings(changed)[:3] == ["row", "changes", "time"]


def test_another_algorithm_is_marked(committed):
    changed = copy.deepcopy(committed)
    for row in changed["rows"]:
        row["other_algorithm"] = row["key"] == "clib.points"
    text = table.markdown(changed)
    assert "| clib.points ¹ | library |" in text
    assert text.count("¹") == 2  # the row, and the note
    assert text.count("- ¹ another algorithm") == 1


def test_few_samples_show_two_digits(committed):
    changed = copy.deepcopy(committed)
    base, row = changed["rows"][0], changed["rows"][6]
    row |= {"speedup": 123.456, "samples": 30}
    base["samples"] = 3
    assert "120" in table.cells(row, table.sample_counts(changed))
    base["samples"] = 5
    assert "123" in table.cells(row, table.sample_counts(changed))


def test_a_ratio_has_the_digits_of_its_poorer_side(committed):
    changed = copy.deepcopy(committed)
    row = next(row for row in changed["rows"] if row["before"] == "cython.compiled")
    row |= {"speedup_before": 9.876, "samples": 30}
    counts = table.sample_counts(changed)
    assert "9.88" in table.cells(row, counts | {"cython.compiled": 5})
    assert "9.9" in table.cells(row, counts | {"cython.compiled": 3})


@pytest.mark.parametrize("with_base", [True, False])
def test_speed_ups_are_drawn_beside_memset(committed, tmp_path, with_base):
    changed = copy.deepcopy(committed)
    if not with_base:
        del changed["rows"][0]
    (file,) = plot.speedups(changed, tmp_path / "bench", ("svg",))
    assert ("<!-- memset -->" in file.read_text(encoding="utf-8")) is with_base


def test_drawing_keeps_the_backend_of_who_draws_already(committed, tmp_path):
    code = f"""
import json, matplotlib, matplotlib.pyplot
from polymask.report import plot
matplotlib.use("svg")
plot.speedups(json.load(open({MARKS["json"]!r})), {str(tmp_path / "bench")!r}, ("png",))
assert matplotlib.get_backend() == "svg"
"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


@pytest.mark.parametrize("width", [60, 80, 100, 120])
def test_table_fits_the_terminal(committed, width):
    console = Console(width=width)
    with console.capture() as capture:
        console.print(table.for_terminal(committed, width))
    lines = capture.get().splitlines()
    assert max(map(len, lines)) <= width
    assert "…" not in capture.get()
    assert any("python.vectorized" in line for line in lines)


@pytest.mark.parametrize(
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
    assert numbers.seconds(value) == text


@pytest.mark.parametrize(
    ("value", "count", "text"),
    [(0.0804, 3, "0.0804"), (13512, 3, "13500"), (999.7, 3, "1000"), (1, 2, "1.0"), (0, 3, "0")],
)
def test_digits(value, count, text):
    assert numbers.digits(value, count) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no json", "not JSON"),
        ("[]", "no result"),
        ('{"rows": []}', "no result"),
        ('{"schema": 1, "rows": [], "machine": {}}', "no interrupted, workload, yardstick"),
        ('{"benchmarks": []}', "no benchmark of polymask"),
        ('{"schema": 99, "rows": [], "machine": {}, "workload": {}}', "schema 99"),
    ],
)
def test_other_files_are_refused(tmp_path, text, message):
    file = tmp_path / "some.json"
    file.write_text(text)
    with pytest.raises(ValueError, match=message):
        results.load(file)


@pytest.mark.slow
def test_pytest_benchmark_gives_the_same_table(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", str(ROOT / "tests/benchmarks/benchmark_rungs.py")]
        + ["--sizes", "16,24", "--benchmark-max-time=0.02", "--benchmark-min-rounds=5"]
        + [f"--benchmark-json={tmp_path / 'bench.json'}", "-p", "no:cacheprovider"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    small, large = results.load(tmp_path / "bench.json")
    assert small["workload"]["shape"] == [16, 16]
    assert large["workload"]["shape"] == [24, 24]
    keys = [row["key"] for row in small["rows"] if row["kind"] == "rung"]
    assert keys == [rung.key for rung in rungs.RUNGS]
    assert small["rows"][0]["speedup"] == pytest.approx(1, rel=0.2)
    assert table.markdown(large).count("\n| ") == len(large["rows"]) + 1
