"""A machine without a C compiler: `make build` sets up what needs none, and names the exercises."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from cases import says
from checkouts import Checkout
from fresh_python import ANSWERS

from ladder.workshop import exercises

pytestmark = pytest.mark.slow

COMPILER = re.compile(
    r"gcc|[gc]\+\+|clang|ccache|^(cc|c[89]9.*|as|ld.*|lld.*|icp?x|nvcc)$|-(as|ld)$"
)
REASON = "no C compiler: `make build` after installing gcc"
EVERY = exercises.every()


@pytest.fixture(scope="module")
def without(root, tmp_path_factory):
    """A copy that was never built; returns a function that runs a command there, or elsewhere."""
    if not (shutil.which("make") and (root / "Makefile").exists()):
        pytest.skip("needs make, and a checkout")
    pytest.importorskip("numba")
    folder = tmp_path_factory.mktemp("without a compiler")
    for name in "bin", "home":
        (folder / name).mkdir()
    for file in (f for path in os.environ["PATH"].split(":") for f in Path(path).glob("*")):
        if not COMPILER.search(file.name) and not (folder / "bin" / file.name).exists():
            (folder / "bin" / file.name).symlink_to(file)
    copy = Checkout(root, folder / "polymask")
    (copy.root / ".venv/built").unlink()
    names = "HOME", "XDG_CACHE_HOME", "POCL_CACHE_DIR"  # where PoCL finds no linked kernels
    environment = dict.fromkeys(names, str(folder / "home")) | dict.fromkeys(ANSWERS, "{}")
    environment |= {"PATH": str(folder / "bin"), "CC": "", "CXX": ""}

    def run(*command, cwd=copy.root):
        if command[0] == "polymask":
            command = copy.root / ".venv/bin/polymask", *command[1:]
        return copy.call(command, cwd, **environment)

    return run


def test_make_build_names_the_open_exercises_and_the_next_lines(without, root):
    code, output = without("make", "build")
    assert code == 0, output
    first, *lessons, _, _, _, activate, workshop = output.splitlines()
    assert [activate, workshop] == ["    source .venv/bin/activate", "    polymask workshop"]
    assert says(first, f"of {len(EVERY)} exercises are open", REASON)
    named = {n for line in lessons for n in line.partition(":")[0].replace(",", "").split()}
    in_python = {e.name for e in EVERY if e.rung in (0, 6, 9)} | {"schedules", "cache_lines"}
    in_python.remove("linking")
    assert named - {e.name for e in EVERY if e.rung in (5, 8)} - {"linking"} == in_python
    for page in "README.md", "WORKSHOP.md":
        assert f"{len(in_python)} of the {len(EVERY)} exercises" in (root / page).read_text()
    timetable = (root / "docs/timetables.md").read_text().partition("## 90 minutes")[2]
    course = re.search(r"start --exercises ([\w,]+)`", timetable)[1]
    assert set(course.split(",")) <= in_python
    code, output = without("polymask", "doctor", "--class", course)
    assert (code, output[:7]) == (0, "ready: ")
    code, output = without("polymask", "doctor", "--class", "start,setup,type")
    assert (code, output) == (1, f"not ready: setup, type: {REASON}\n")
    assert without("polymask", "list")[1].count(f": {REASON}\n") == 1  # for all compiled rungs
    code, output = without("make", "test")
    assert (code != 0, "was not found" in output, len(output.splitlines())) == (True, True, 2)


def test_a_student_passes_three_exercises_and_the_others_are_skipped(without, tmp_path):
    names, closed = ["start", "rows", "parallel"], ["setup", "fork", "argtypes", "double_it"]
    course = ",".join([*closed, *names])
    assert without("polymask", "workshop", "start", "--exercises", course, cwd=tmp_path)[0] == 0
    folder = tmp_path / "workshop"
    for name in names:
        exercise = exercises.get(name)
        assert without("polymask", "workshop", cwd=tmp_path)[1].startswith(exercise.directory)
        answer = folder / exercise.directory / exercise.main
        answer.write_text(exercise.solution(exercise.main), encoding="utf-8")
        code, output = without("polymask", "workshop", "check", name, cwd=folder)
        assert code == 0, output
    code, output = without("polymask", "workshop", "check", "setup", cwd=folder)
    assert (code, output.splitlines()[-1].endswith(f": {REASON}")) == (1, True)
    assert json.loads((folder / "results.json").read_text())["exercises"].keys() == {*names}
    line = f"{', '.join(closed)}: closed: {REASON}"
    assert line in without("polymask", "workshop", "list", cwd=folder)[1].splitlines()
    end = f"{folder} has no other open exercise: {line}\n"
    assert without("polymask", "workshop", cwd=folder) == (0, end)
