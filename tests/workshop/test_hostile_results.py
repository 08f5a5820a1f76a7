"""No result file stops or hangs the class view, hides another file, or is shown unescaped."""

import html.parser
import os
import re
import shutil
import stat
import time
import xml.etree.ElementTree as ET

import hostile_results
import pytest
from cases import folded, says
from markdown_it import MarkdownIt

from ladder.workshop.author.student_results import MOST_LETTERS, clean, in_markdown, load
from polymask import cli

SECONDS = 2.0
OUTPUTS = {f"class{end}" for end in (".md", ".svg", ".png", "-predictions.svg", "-predictions.png")}


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


def collect(capsys, *arguments):
    code = cli.main(["workshop", "collect", *map(str, arguments)])
    return code, *capsys.readouterr()


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
        "loop": "it is a link: copy the file itself there",
        "sparse": "it has 1,000,000 bytes or more",
        "large": "it has 1,000,000 bytes or more",
        "empty": "not JSON: line 1, column 1: Expecting value",
        "utf16": "not JSON: byte 0 is not UTF-8",
        "format_other": "its format is not 'polymask workshop 1'",
        "exercises_list": "its exercises is not an object",
        "number_nan": "vectorize.times_before must be a number from 0.001 to 1,000,000, or null, "
        "got nan",
        "case": "Vectorize is not an exercise of this checkout",
    }.items():
        assert f"skipped: {name}.json is not a results.json of a workshop: {reason}" in remarks


def test_an_invalid_part_is_left_out(hostile):
    students, remarks = load(hostile)
    assert students["some_exercises"].exercises.keys() == {"vectorize"}
    reasons = "; ".join(f"n{n} is not an exercise of this checkout" for n in (0, 1))
    assert f"left out of some_exercises.json: {reasons}; and 298 more" in remarks
    assert (students["cores"].cores, students["cores"].cpu) == (None, "AMD EPYC")
    assert students["cpu_long"].cpu is None
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


@pytest.mark.slow
def test_no_text_of_a_file_is_markup_in_the_output(hostile, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    code, out, err = collect(capsys, hostile, "--out", tmp_path / "out")
    assert code == 1
    assert {file.name for file in (tmp_path / "out").iterdir()} == OUTPUTS
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
    for form in ("class.svg", "class-predictions.svg"):
        figure = ET.parse(tmp_path / "out" / form)
        kinds = {element.tag.partition("}")[2] for element in figure.iter()}
        assert not kinds & {"script", "a", "image", "foreignObject", "iframe"}


@pytest.mark.slow
@pytest.mark.parametrize("place", ["link", "pipe"])
def test_an_obstacle_in_the_place_of_an_output_is_replaced(good, tmp_path, capsys, place):
    pytest.importorskip("matplotlib")
    victim, folder = tmp_path / "victim", tmp_path / "handed in"
    victim.write_text("mine\n")
    folder.mkdir()
    for file in good:
        shutil.copy(file, folder)
    for name in OUTPUTS:
        {"link": lambda f: f.symlink_to(victim), "pipe": os.mkfifo}[place](folder / name)
    code, out, err = collect(capsys, folder)
    assert (code, "vectorize  3 of 3" in out, err) == (0, True, "")
    assert victim.read_text() == "mine\n"
    for name in OUTPUTS:
        assert stat.S_ISREG((folder / name).lstat().st_mode)
        assert (folder / name).stat().st_nlink == 1


def test_an_output_that_cannot_be_written_is_one_line(good, tmp_path, capsys):
    folder = good[0].parent
    (tmp_path / "class.md").mkdir()
    code, out, err = collect(capsys, folder, "--out", tmp_path)
    assert (code, "vectorize  3 of 3" in out) == (2, True)
    assert err == f"polymask: cannot write {tmp_path / 'class.md'}: {os.strerror(21)}\n"


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
    code, out, err = collect(capsys, tmp_path)
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


def test_letters_of_markup_are_written_by_their_numbers(snapshot):
    assert in_markdown("vector_add @ 2 GHz: a (R)") == snapshot
    assert in_markdown("<b>|_a_|www.b") == "&#60;b&#62;&#124;&#95;a&#95;&#124;www&#46;b"
