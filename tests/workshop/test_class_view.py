"""The class view: no result file stops or hangs it, hides another file, or is shown unescaped."""

import html.parser
import json
import os
import re
import shutil
import stat
import time

import hostile_results
import pytest
from cases import folded, says
from markdown_it import MarkdownIt

from ladder.workshop.author import collect
from ladder.workshop.author.student_results import MOST_LETTERS, clean, load
from polymask import cli

SECONDS = 2.0


@pytest.fixture
def good(root):
    return sorted((root / "tests/workshop/results").glob("*.json"))


@pytest.fixture
def hostile(tmp_path, good):
    """A folder with the hostile files and three good ones."""
    folder = tmp_path / "handed in"
    folder.mkdir()
    hostile_results.write(folder)
    for file in good:
        shutil.copy(file, folder)
    return folder


def collected(capsys, *arguments):
    code = cli.main(["workshop", "collect", *map(str, arguments)])
    return code, *capsys.readouterr()


def test_the_results_of_a_class_are_merged(good, tmp_path, capsys):
    code, out, err = collected(capsys, good[0].parent, "--out", tmp_path)
    assert (code, err) == (0, "")
    text = (tmp_path / "class.md").read_text()
    students, _ = load(good[0].parent)
    assert len(students) >= 3
    for name in students:
        assert f"| {name} |" in text
    first, second = (students[name].exercises["type"] for name in ("anemone", "clover"))
    median = (first.speed_up + second.speed_up) / 2
    assert f"| type | 2 of 3 | {median:.1f} (" in text
    assert re.search(r"(?m)^type .* bramble", out)


def test_broken_and_unjudged_answers_and_near_predictions_are_counted(tmp_path):
    results = [
        *(hostile_results.result(speed_up=8.0, predicted=p) for p in (4.0, 8.0, 0.01, None)),
        hostile_results.result(state="broken", speed_up=8.0, predicted=None),
        hostile_results.result(state="right", speed_up=9.0, predicted=None),
    ]
    for number, result in enumerate(results):
        (tmp_path / f"s{number}.json").write_text(json.dumps(result))
    text = collect.markdown(load(tmp_path)[0])
    assert "| broken for | speed not judged for |" in text
    assert "| vectorize | 5 of 6 | 8.0 (8.0–8.0) | 4.0 (0.010–8.0) | 2 of 3 | s4 | s5 |" in text
    assert "| s4 | broken |\n| s5 | right |" in text


def test_the_good_ones_are_kept_and_each_other_is_named(hostile, good):
    start = time.perf_counter()
    students, remarks = load(hostile)
    assert time.perf_counter() - start < SECONDS
    assert {file.stem for file in good} <= students.keys()
    refused = [line for line in remarks if line.startswith("skipped: ")]
    files = [file for file in os.listdir(hostile) if file.lower().endswith(".json")]
    assert len(files) == len(students) + len(refused) > 50
    for line in remarks:
        assert line.isprintable()
        assert len(line) < 400
    for name, reason in {
        "folder": "it is not a regular file",
        "pipe": "it is not a regular file",
        "link": "it is a link: copy the file itself there",
        "sparse": "it has 1,000,000 bytes or more",
        "empty": "not JSON: line 1, column 1: Expecting value",
        "utf16": "not JSON: byte 0 is not UTF-8",
        "format_other": "format must be one of polymask workshop 2, got 'polymask workshop 1'",
        "exercises_list": "exercises must be an object, got [1, 2]",
        "number_nan": "exercises.vectorize.speed_up must be a number from 0.001 to 1,000,000, or "
        "null, got nan",
        "cpu_long": "its cpu has 200,000 characters; at most 80 are shown",
    }.items():
        assert f"skipped: {name}.json is not a results.json of a workshop: {reason}" in remarks
    assert "mark.json" not in " ".join(remarks)  # a byte-order mark is allowed


class Elements(html.parser.HTMLParser):
    """The elements of a page, their attributes, and the texts of its cells."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.attributes, self.rows, self.in_cell = set(), set(), [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.add(tag)
        self.attributes |= set(attributes)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        self.in_cell = tag in ("td", "th")

    def handle_endtag(self, tag):
        self.in_cell = False

    def handle_data(self, data):
        if self.in_cell:
            self.rows[-1][-1] += data


def test_no_text_of_a_file_is_markup_in_the_output(hostile, tmp_path, capsys):
    code, out, err = collected(capsys, hostile, "--out", tmp_path / "out")
    assert code == 1
    students, remarks = load(hostile)
    assert err.splitlines() == remarks
    text = (tmp_path / "out" / "class.md").read_text(encoding="utf-8")
    for output in (out, err, text):
        assert all(line.isprintable() for line in output.splitlines())
    page = Elements(MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(text))
    assert page.elements == {"table", "thead", "tbody", "tr", "th", "td", "p"}
    assert {name for name, _ in page.attributes} <= {"style"}
    last = page.rows[-len(students) :]
    assert [row[0] for row in last] == list(students)  # exactly as they are called
    assert {len(row) for row in last} == {6}
    assert not re.search(r"(?m)^[=+\-@]|\| *[=+@]", text)


@pytest.mark.parametrize("place", ["link", "pipe", "folder"])
def test_an_obstacle_in_the_place_of_the_output_is_replaced_or_named(good, tmp_path, capsys, place):
    victim, file = tmp_path / "victim", tmp_path / "out" / "class.md"
    victim.write_text("mine\n")
    file.parent.mkdir()
    make = {"link": lambda f: f.symlink_to(victim), "pipe": os.mkfifo, "folder": os.mkdir}
    make[place](file)
    code, out, err = collected(capsys, good[0].parent, "--out", file.parent)
    assert "vectorize  3 of 3" in out
    assert victim.read_text() == "mine\n"
    if place == "folder":
        assert (code, err) == (2, f"polymask: cannot write {file}: {os.strerror(21)}\n")
    else:
        assert (code, err, stat.S_ISREG(file.lstat().st_mode)) == (0, "", True)


def test_names_that_are_nearly_the_same_are_kept_apart(tmp_path, good):
    for name in ("Anna", "anna", "ann\u00e1", "anna\u0301"):
        shutil.copy(good[0], tmp_path / f"{name}.json")
    shutil.copy(good[0], tmp_path / "anna.JSON")
    students, remarks = load(tmp_path)
    assert {"Anna", "anna", "anna (2)", "ann\u00e1", "ann\u00e1 (2)"} == students.keys()
    assert any(says(remark, "anna.json", "anna (2)") for remark in remarks)


def test_without_any_result_each_file_is_named(tmp_path, capsys):
    (tmp_path / "a.json").write_text("{}")
    os.mkfifo(tmp_path / "b.json")
    code, out, err = collected(capsys, tmp_path)
    assert (code, out) == (2, "")
    assert says(err, "results.json", "student's", "renamed")
    assert re.search(r"; skipped: a\.json .*; skipped: b\.json .* not a regular file\n$", err)


@folded(
    ("text", "cleaned"),
    [
        ("  Anna  Maria ", "Anna Maria"),
        ("=1+1", "'=1+1"),
        ("שם 名前 é", "שם 名前 é"),
        *((text, None) for text in ("", "  ", "a\tb", "\x7f", "\ud800", "x" * (MOST_LETTERS + 1))),
    ],
)
def test_a_text_is_cleaned_or_refused(text, cleaned):
    if cleaned is None:
        with pytest.raises(ValueError, match=r"its name (has .*characters|is empty)"):
            clean(text, "its name ")
    else:
        assert clean(text, "") == cleaned
