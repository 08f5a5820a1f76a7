"""The checks of `make` before it sets anything up: one line with the problem and its remedy."""

import ast
import os
import re
import shutil
import sys
import sysconfig
from pathlib import Path

import fresh_python
import pytest
from cases import says
from checkouts import Checkout
from commands import ran

from ladder.common import preflight
from ladder.workshop import exercises


@pytest.fixture(autouse=True)
def _working_compiler(monkeypatch):
    """Use a command that succeeds as compiler, so that each test removes one thing only."""
    monkeypatch.setenv("CC", "true")
    monkeypatch.setenv("CXX", "true")


@pytest.fixture
def headers(monkeypatch, tmp_path):
    """A folder with Python's header."""
    (tmp_path / "Python.h").touch()
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    return tmp_path


def test_an_old_python_is_too_old(monkeypatch, headers):
    assert preflight.problem() == ""
    monkeypatch.setattr(sys, "version_info", (3, 9, 18))
    assert says(preflight.problem(), "Python 3.9 is too old", "3.10 or later", "make PYTHON=")


def test_a_missing_venv_module(monkeypatch, headers):
    monkeypatch.setitem(sys.modules, "venv", None)
    assert says(preflight.problem(), "no venv module", "install python3-venv")


@pytest.mark.parametrize(
    ("compiler", "problem"),
    [
        ("no-such-compiler -pthread", "the compiler no-such-compiler was not found"),
        ("false", "false cannot compile"),
        ("'gcc", "was not found"),  # a quote that is not closed
    ],
)
@pytest.mark.parametrize("variable", ["CC", "CXX"])
def test_a_missing_compiler(monkeypatch, headers, variable, compiler, problem):
    monkeypatch.setenv(variable, compiler)
    assert problem in preflight.problem()


def test_missing_headers(headers):
    (headers / "Python.h").unlink()
    assert says(preflight.problem(), f"{headers / 'Python.h'} was not found", "python3-dev")


def test_as_a_script_it_prints_one_line_and_exits_1(monkeypatch, root):
    monkeypatch.setenv("CC", "no-such-compiler")
    completed = fresh_python.run("-I", root / "ladder/common/preflight.py")
    assert (completed.returncode, completed.stdout) == (1, "")
    (line,) = completed.stderr.splitlines()
    assert "the compiler no-such-compiler was not found" in line


def test_an_old_python_can_read_it(root):
    """A syntax error would otherwise hide the message that the Python is too old."""
    ast.parse((root / "ladder/common/preflight.py").read_text(), feature_version=(3, 6))


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
def test_make_stops_before_it_sets_anything_up(tmp_path, root):
    (tmp_path / "ladder/common").mkdir(parents=True)
    for file in "Makefile", "setup.py", "pyproject.toml", "ladder/common/preflight.py":
        shutil.copy(root / file, tmp_path / file)
    for arguments, line in (
        (["PYTHON=no-such-python"], "no-such-python not found: install Python 3.10 or later"),
        ([f"PYTHON={sys.executable}", "CC=no-such-compiler"], "the compiler no-such-compiler was"),
    ):
        completed = ran(["make", "build", *arguments], cwd=tmp_path)
        output = completed.stdout + completed.stderr
        assert completed.returncode != 0
        assert line in output
        assert "Traceback" not in output
        assert not (tmp_path / ".venv").exists()


@pytest.mark.slow
def test_the_course_runs_without_a_compiler(root, tmp_path):
    compiler = re.compile(r"gcc|[gc]\+\+|clang|^(cc|c[89]9.*|ld.*|as)$|-(as|ld)$")
    (tmp_path / "bin").mkdir()
    for file in (f for path in os.get_exec_path() for f in Path(path).glob("*")):
        if not compiler.search(file.name) and not (link := tmp_path / "bin" / file.name).exists():
            link.symlink_to(file)
    copy, polymask = Checkout(root, tmp_path / "clone"), tmp_path / "clone/.venv/bin/polymask"
    lacking = {"CC": "", "CXX": "", "PATH": str(tmp_path / "bin"), "HOME": str(tmp_path)}
    _, *lessons, _, _, _, _, last = copy.check(["make", "build"], **lacking).splitlines()
    assert last == "    polymask workshop"
    named = {n for line in lessons for n in line.partition(":")[0].replace(",", "").split()}
    in_python = {e.name for e in exercises.every() if e.rung in (0, 6, 9)} - {"linking"}
    in_python |= {"schedules", "cache_lines"}
    assert {n for n in named if exercises.get(n).rung not in (5, 8)} - {"linking"} == in_python
    for page in "README.md", "WORKSHOP.md":
        assert f"{len(in_python)} of the 66 exercises" in (root / page).read_text()
    course = ["setup", "vectorize", "rows", "parallel"]
    copy.check([polymask, "workshop", "start", "--exercises", ",".join(course)], **lacking)
    for exercise in map(exercises.get, course[1:]):
        answer = copy.root / "workshop" / exercise.directory / exercise.main
        answer.write_text(exercise.solution(exercise.main))
        copy.check([polymask, "workshop", "check"], **lacking)
    end = copy.check([polymask, "workshop"], **lacking).partition("open exercise: ")[2]
    assert end == "setup: closed: no C compiler: `make build` after installing gcc\n"
