"""No result file stops the class view, hangs it, hides another, or is shown unescaped."""

import html.parser
import json
import os
import re
import shutil
import stat
import subprocess
import time
import xml.etree.ElementTree as ET

import hostile_results
import pytest
from cases import folded, says
from markdown_it import MarkdownIt
from rich.console import Console

from polymask import cli
from polymask.cli import workshop as commands
from polymask.workshop.author import collect
from polymask.workshop.author.untrusted import MOST, clean, in_markdown, shown

SECONDS = 2.0
LINK = "it is a link: put the file itself there"
RANGE = "from 0.001 to 1,000,000"
WRITTEN = {f"class{end}" for end in (".md", ".svg", ".png", "-predictions.svg", "-predictions.png")}


@pytest.fixture
def good(root):
    return sorted((root / "tests/workshop/results").glob("*.json"))


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory, root):
    """A folder of hostile files, and of three good ones, that a test leaves as it is."""
    folder = tmp_path_factory.mktemp("hostile") / "handed in"
    folder.mkdir()
    hostile_results.write(folder)
    for file in (root / "tests/workshop/results").glob("*.json"):
        shutil.copy(file, folder)
    return folder


@pytest.fixture
def hostile(unchanged, tmp_path):
    """The same, to change."""
    folder = tmp_path / "handed in"
    subprocess.run(["cp", "-a", "--sparse=always", unchanged, folder], check=True)
    return folder


def collected(capsys, *arguments):
    code = cli.main(["workshop", "collect", *map(str, arguments)])
    return code, *capsys.readouterr()


def test_all_together_the_good_ones_are_kept_and_each_other_is_named(unchanged, good):
    begun = time.perf_counter()
    students, remarks = collect.load(unchanged)
    assert time.perf_counter() - begun < SECONDS
    assert {file.stem for file in good} <= students.keys()
    refused = [line for line in remarks if line.startswith("passed over: ")]
    files = [file for file in os.listdir(unchanged) if file.lower().endswith(".json")]
    assert len(files) == len(students) + len(refused) > 100
    for line in remarks:
        assert line.isprintable()
        assert len(line) < 400


@pytest.mark.slow
@folded(
    ("name", "reason"),
    [
        ("folder", "it is a folder"),
        ("pipe", "it is a pipe"),
        ("socket", "it is a socket"),
        *((name, LINK) for name in ("link", "dangling", "loop", "zero", "to_pipe", "to_folder")),
        ("sparse", "it has 1,000,000 bytes or more"),
        ("large", "it has 1,000,000 bytes or more"),
        ("empty", "it is no JSON (Expecting value: line 1, column 1)"),
        ("utf16", "it is not UTF-8"),
        ("surrogate_bytes", "it is not UTF-8"),
        ("deep", "it has more than 5,000 parts"),
        ("deep_closed", "it is nested too deeply"),
        ("many_exercises", "it has more than 5,000 parts"),
        ("twice_inside", "it says hints twice"),
        ("format_other", "it does not say that its format is 'polymask workshop 1'"),
        ("exercises_list", "its exercises is no object"),
        ("number_nan", f"vectorize.times_before has to be a number {RANGE}, or null, got nan"),
        ("case", "Vectorize is no exercise of this checkout"),
    ],
)  # fmt: skip
def test_a_refused_file_is_named_with_its_reason(unchanged, name, reason):
    _, remarks = collect.load(unchanged)
    assert f"passed over: {name}.json is no results.json of a workshop: {reason}" in remarks


def test_what_is_wrong_with_a_part_leaves_out_that_part(unchanged):
    students, remarks = collect.load(unchanged)
    assert students["some_exercises"].exercises.keys() == {"vectorize"}
    said = "n0 is no exercise of this checkout; n1 is no exercise of this checkout; and 298 more"
    assert f"left out of some_exercises.json: {said}" in remarks
    assert (students["cores"].cores, students["cores"].cpu) == (None, "AMD EPYC")
    assert students["cpu_terminal"].cpu is None
    assert "mark.json" not in " ".join(remarks)  # a byte-order mark is no fault


@pytest.mark.slow
def test_each_on_its_own_is_read_at_once(hostile, tmp_path, good):
    for file in [one for one in hostile.iterdir() if one.name not in {g.name for g in good}]:
        alone = tmp_path / "alone"
        alone.mkdir()
        os.rename(file, alone / file.name)
        shutil.copy(good[0], alone)
        begun = time.perf_counter()
        students, remarks = collect.load(alone)
        assert time.perf_counter() - begun < SECONDS, file.name
        assert good[0].stem in students
        assert len(students) == 2 or len(remarks) == 1, file.name
        shutil.rmtree(alone)


class Elements(html.parser.HTMLParser):
    """The elements of a page, their attributes, and the words in its cells."""

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
def test_nothing_of_a_file_is_markup_in_what_is_written(unchanged, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    code, out, err = collected(capsys, unchanged, "--out", tmp_path / "out")
    assert code == 1
    assert {file.name for file in (tmp_path / "out").iterdir()} == WRITTEN
    students, remarks = collect.load(unchanged)
    assert err.splitlines() == remarks
    text = (tmp_path / "out" / "class.md").read_text(encoding="utf-8")
    for said in (out, err, text):
        assert all(line.isprintable() for line in said.splitlines())
    page = Elements(MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(text))
    assert page.elements == {"table", "thead", "tbody", "tr", "th", "td", "p"}
    assert {name for name, _ in page.attributes} <= {"style"}
    last = page.rows[-len(students) :]
    assert [row[0] for row in last] == list(students)  # as they are called, to the letter
    assert {len(row) for row in last} == {6}
    assert not re.search(r"(?m)^[=+\-@]|\| *[=+@]", text)
    for form in ("class.svg", "class-predictions.svg"):
        drawn = ET.parse(tmp_path / "out" / form)
        kinds = {element.tag.partition("}")[2] for element in drawn.iter()}
        assert not kinds & {"script", "a", "image", "foreignObject", "iframe"}


def test_a_terminal_shows_texts_as_they_are(hostile, tmp_path, capsys, monkeypatch):
    for name in hostile_results.NAMES.values():  # all open: so they are in the table
        text = (hostile / name).read_text().replace('"passed": true', '"passed": false')
        (hostile / name).write_text(text)
    monkeypatch.setattr(
        commands,
        "console",
        lambda: Console(markup=False, emoji=False, force_terminal=True, width=900),
    )
    _, out, _ = collected(capsys, hostile, "--out", tmp_path / "out")
    assert "[red]x[red] [link=evil]y[] :pile_of_poo:" in out
    assert set(re.findall(r"\x1b.[^m]*m?", out)) <= {"\x1b[1m", "\x1b[0m"}


@pytest.mark.slow
@pytest.mark.parametrize("place", ["link", "loop", "pipe", "hard link", "not to be read"])
def test_what_stands_in_the_place_of_an_output_is_replaced(good, tmp_path, capsys, place):
    pytest.importorskip("matplotlib")
    victim = tmp_path / "victim"
    victim.write_text("mine\n")
    folder = tmp_path / "handed in"
    folder.mkdir()
    for file in good:
        shutil.copy(file, folder)
    for name in WRITTEN:
        file = folder / name
        if place == "link":
            file.symlink_to(victim)
        elif place == "loop":
            file.symlink_to(name)
        elif place == "pipe":
            os.mkfifo(file)
        elif place == "hard link":
            file.hardlink_to(victim)
        else:
            file.write_text("theirs")
            file.chmod(0o4001)
    assert collected(capsys, folder)[0] == 0
    assert victim.read_text() == "mine\n"
    for name in WRITTEN:
        kind = (folder / name).lstat().st_mode
        assert stat.S_ISREG(kind)
        assert stat.S_IMODE(kind) == stat.S_IMODE(victim.lstat().st_mode)  # as any new file
        assert (folder / name).stat().st_nlink == 1


def test_a_folder_in_the_place_of_an_output_keeps_out_that_one_only(good, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    (tmp_path / "class.md").mkdir()
    (tmp_path / "class.svg").mkdir()
    for file in good:
        shutil.copy(file, tmp_path)
    code, out, err = collected(capsys, tmp_path)
    assert code == 1
    assert err.splitlines() == [
        f"cannot write {tmp_path / name}: {os.strerror(21)}" for name in ("class.md", "class.svg")
    ]
    assert "vectorize  3 of 3" in out
    assert (tmp_path / "class.png").is_file()


def test_names_that_are_nearly_the_same_are_kept_apart(tmp_path, good):
    names = ["Anna", "anna", "ann\u00e1", "anna\u0301"]
    for name in names:
        shutil.copy(good[0], tmp_path / f"{name}.json")
    shutil.copy(good[0], tmp_path / "anna.JSON")
    students, remarks = collect.load(tmp_path)
    assert len(students) == 5
    assert {"Anna", "anna", "anna (2)", "ann\u00e1", "ann\u00e1 (2)"} == students.keys()
    assert any(says(remark, "anna.json", "anna (2)") for remark in remarks)


def test_without_any_result_each_file_is_named(tmp_path, capsys):
    (tmp_path / "a.json").write_text("{}")
    os.mkfifo(tmp_path / "b.json")
    code, out, err = collected(capsys, tmp_path)
    assert (code, out) == (2, "")
    assert says(err, "results.json", "student's", "renamed")
    assert re.search(r"; passed over: a\.json .*; passed over: b\.json .* it is a pipe\n$", err)


@pytest.mark.parametrize("machines", [7, 300])
def test_a_class_of_many_machines_is_drawn(tmp_path, capsys, machines):
    pytest.importorskip("matplotlib")
    for n in range(machines):
        said = hostile_results.result(cpu=f"_$ W{n} & <b> " + "W" * 60)
        (tmp_path / f"s{n}.json").write_text(json.dumps(said))
    assert collected(capsys, tmp_path)[0] == 0
    text = (tmp_path / "class.svg").read_text(encoding="utf-8")
    assert text.count("1 of the class: _$ W") == 6
    assert ">others<" in text


def test_texts(snapshot):
    assert clean("  Anna  Maria ") == "Anna Maria"
    assert clean("=1+1") == "'=1+1"
    assert clean("שם 名前 é") == "שם 名前 é"
    for text in ("", "  ", "a\tb", "\x7f", "a\u00a0b", "\ud800", "x" * (MOST + 1), "\u3164"):
        with pytest.raises(ValueError, match=r"letters|empty"):
            clean(text)
    assert shown("a\nb") == r"a\nb"
    assert shown("x" * 300) == "x" * MOST + "..."
    assert shown("\x1b" * 300) == (r"\x1b" * 20) + "..."
    assert in_markdown("vector_add @ 2 GHz: a (R)") == snapshot
    assert in_markdown("<b>|_a_|www.b") == "&#60;b&#62;&#124;&#95;a&#95;&#124;www&#46;b"
