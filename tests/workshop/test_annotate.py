"""The yellow score, a measure of Python calls in a function, and `polymask annotate`."""

import pytest
from cases import says
from commands import ran

from ladder.workshop import exercises
from ladder.workshop.sandbox import build, yellow
from polymask import cli

SOURCE = """\
def one(x):
    for i in range(3):
        x += i
        return x
    return x


cdef double two(
    double x,
):
    return x
"""


def test_functions_and_loops_are_found():
    blocks = [(b.name, b.first, b.last) for b in yellow.functions(SOURCE)]
    assert blocks == [("one", 1, 5), ("two", 8, 11)]
    scores = {1: 5, 2: 0, 3: 4, 4: 2, 11: 1}
    assert yellow.in_loops(scores, SOURCE, "one") == {3: 4}
    assert yellow.in_loops(scores, SOURCE, "three") is None
    assert [(n, s) for _, n, s in yellow.by_function(scores, SOURCE)] == [(3, 11), (1, 1)]


@pytest.mark.slow
def test_the_edge_loop_of_typed_is_white(tmp_path, capsys):
    assert cli.main(["annotate", "cython.typed", "--out", str(tmp_path)]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    (row,) = [row for row in rows if row and row[0] == "inside_polygon"]
    assert row[-1] == "0"
    assert (tmp_path / "typed.html").exists()


@pytest.mark.slow
def test_a_check_reads_no_page_of_an_earlier_version(tmp_path):
    """`polymask annotate` writes its page into the student's folder."""
    exercise, folder, place = exercises.get("type"), tmp_path / "folder", tmp_path / "place"
    folder.mkdir()
    (folder / exercise.main).write_text(exercise.solution(exercise.main))
    (folder / "typed.html").write_text("old")
    build.build(exercise, folder, place)
    (page,) = place.rglob("typed.html")
    assert yellow.read(page)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("bad.pyx", b"def f(:\n    pass\n", "does not translate: line 1, column 6: "),
        ("bad.pyx", b"cdef int f():\n    return a\n", "line 2, column 11: undeclared name"),
        ("bad.py", b"x = '\xe9'\n", "bad.py cannot be read (invalid or missing encoding"),
        ("my-file.pyx", b"x = 1\n", "is not a module name"),
        ("class.pyx", b"x = 1\n", "is not a module name"),
    ],
)
def test_annotate_reports_a_wrong_source_in_one_line(polymask, tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    code, out, err = polymask("annotate", name)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert name in err


@pytest.mark.slow
def test_annotate_reads_the_encoding_that_a_source_names(polymask, tmp_path):
    (tmp_path / "old.py").write_bytes(b"# -*- coding: latin-1 -*-\nx = '\xe9'\n")
    code, _, err = polymask("annotate", "old.py")
    assert (code, err) == (0, "")


def test_annotate_refuses_what_cython_does_not_compile(capsys):
    assert cli.main(["annotate", "python.vectorized"]) == 2
    assert cli.main(["annotate", "cython.type"]) == 2
    assert says(capsys.readouterr().err, "mean", "'cython.typed'")


def test_git_shows_no_file_that_annotate_or_profile_writes(root):
    if not (root / ".git").exists():
        pytest.skip("not in a git checkout")
    files = "typed.html", "1_cython/typed.html", "python.tuples.prof"
    ignored = ran(["git", "check-ignore", *files], cwd=root).stdout.splitlines()
    assert ignored == list(files)
    assert ran(["git", "check-ignore", "docs/play/index.html"], cwd=root).stdout == ""
