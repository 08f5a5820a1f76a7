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

from ladder.workshop.author import class_page
from ladder.workshop.author.student_results import MOST_LETTERS, clean, load
from ladder.workshop.student import progress
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
    assert (code, out, err) == (0, f"wrote {tmp_path / 'class.html'}: 3 students\n", "")
    page = Elements((tmp_path / "class.html").read_text())
    students, _ = load(good[0].parent)
    first, second = (students[name].exercises["type"] for name in ("anemone", "clover"))
    median = (first.speed_up + second.speed_up) / 2
    rows = {row[0]: row for row in page.rows}
    assert (rows["type"][1], rows["type"][-1]) == ("2 of 3", f"{median:.1f}")
    assert not students.keys() & rows.keys()  # no names unless they are asked for


def test_each_state_has_its_share_and_each_speed_its_place(tmp_path):
    results = [
        *(hostile_results.result(speed_up=8.0, predicted=p) for p in (4.0, 8.0, 0.01, None)),
        hostile_results.result(state="broken", speed_up=8.0, predicted=None),
        hostile_results.result(state="right", speed_up=9.0, predicted=None),
    ]
    for number, result in enumerate(results):
        (tmp_path / f"s{number}.json").write_text(json.dumps(result))
    page = Elements(class_page.draw(load(tmp_path)[0], True, None, ["vectorize", "type"]))
    rows = [(row[0], row[1], *row[-2:]) for row in page.rows[1:3]]
    assert rows == [("type", "0 of 6", "", ""), ("vectorize", "5 of 6", "4.0", "8.0")]
    kinds = [dict(attributes).get("class") for tag, attributes in page.elements if tag == "i"]
    assert kinds == ["guess"] * 3 + ["judged"] * 4 + ["unjudged"]
    styles = [dict(attributes).get("style", "") for _, attributes in page.elements]
    shares = [re.search(r"--(\w+)\); width: ([0-9.]+)", style) for style in styles]
    assert [(share[1], round(float(share[2]))) for share in shares if share] == [
        ("passed", 67),
        ("right", 17),
        ("broken", 17),
    ]
    assert [row[1] for row in page.rows[-2:]] == ["broken", "right"]


def test_the_newest_file_of_a_student_counts(tmp_path):
    """A folder without results has no number, so it can be handed out."""
    progress.save(tmp_path, {})
    assert progress.contents(tmp_path).student == ""
    for checks, name in enumerate(("Ada (1)", "Ada", "results"), start=1):
        progress.note(tmp_path, "vectorize", checks=checks)
        shutil.copy(tmp_path / "results.json", tmp_path / f"{name}.JSON")
    progress.save(tmp_path, {})  # another student
    progress.note(tmp_path, "vectorize", checks=1)
    os.rename(tmp_path / "results.json", tmp_path / "Bob.json")
    students, remarks = load(tmp_path)
    assert students.keys() == {"results", "Bob"}
    assert students["results"].exercises["vectorize"].checks == 3
    newer = "is left out: results is newer, and of the same student"
    assert remarks == [f"Ada (1) {newer}", f"Ada {newer}"]


def test_a_watched_page_follows_the_folder(good, tmp_path, capsys, monkeypatch):
    seen, _ = [], (tmp_path / "course.txt").write_text("rows\n")

    def sleep(seconds):
        seen.append((tmp_path / "class.html").read_text())
        if len(seen) == 3:
            raise KeyboardInterrupt
        if len(seen) == 1:
            shutil.copy(good[0], tmp_path)

    monkeypatch.setattr(time, "sleep", sleep)
    code, out, _ = collected(capsys, tmp_path, "--watch")
    assert (code, out.count("waiting")) == (0, 2)  # nothing is written without a change
    last = (tmp_path / "class.html").read_text()
    numbers = [re.search(r"<h1>(\d+) student", page)[1] for page in [*seen, last]]
    assert numbers == ["0", "1", "1", "1"]
    assert ['http-equiv="refresh"' in page for page in [*seen, last]] == [True] * 3 + [False]
    assert ">rows<" in seen[0]  # as the course has it


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
    """The elements of a page with their attributes, and the texts of its cells."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.rows, self.in_cell = [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, attributes))
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self.in_cell = True

    def handle_endtag(self, tag):
        self.in_cell = self.in_cell and tag not in ("td", "th")

    def handle_data(self, data):
        if self.in_cell:
            self.rows[-1][-1] += data.strip()


def test_no_text_of_a_file_is_markup_in_the_output(hostile, tmp_path, capsys):
    code, out, err = collected(capsys, hostile, "--names", "--out", tmp_path)
    assert code == 1
    students, remarks = load(hostile)
    assert err.splitlines() == remarks
    text = (tmp_path / "names.html").read_text(encoding="utf-8")
    for output in (out, err, text):
        assert all(line.isprintable() for line in output.splitlines())
    page, empty = Elements(text), Elements(class_page.draw({}, names=True))
    allowed = {tag for tag, _ in empty.elements} | {"b", "i", "td"}
    assert {tag for tag, _ in page.elements} <= allowed
    last = page.rows[-len(students) :]
    assert [row[0] for row in last] == list(students)  # exactly as they are called
    assert not any(cell.startswith(tuple("=+-@")) for row in last for cell in row)


@pytest.mark.parametrize("place", ["link", "pipe", "folder"])
def test_an_obstacle_in_the_place_of_the_output_is_replaced_or_named(good, tmp_path, capsys, place):
    victim, file = tmp_path / "victim", tmp_path / "out" / "class.html"
    victim.write_text("mine\n")
    file.parent.mkdir()
    make = {"link": lambda f: f.symlink_to(victim), "pipe": os.mkfifo, "folder": os.mkdir}
    make[place](file)
    code, _, err = collected(capsys, good[0].parent, "--out", file.parent)
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
