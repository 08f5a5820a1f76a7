"""A check on the command line: it handles whatever students write, and explains errors.

Most tests use the exercise `vectorize`, which needs no compiler.
"""

import dataclasses
import fcntl
import os
import re

import pytest
from cases import says

from ladder import registry
from ladder.workshop import exercises
from ladder.workshop.sandbox import child_handle
from ladder.workshop.student import check as checking
from ladder.workshop.student import folder, progress

BODY = "make_mask(vertices, shape, border_value=True):\n"


@pytest.mark.slow
def test_a_right_answer_passes_and_is_noted(workshop):
    """The speed is measured; test_speed.py tests the messages about it."""
    workshop.solve()
    text = workshop.answer.read_text()
    workshop.answer.write_text(text.replace('"""The mask', '"""prediction: 40\n\nThe mask', 1))
    code, output = workshop("check")  # the first open exercise
    assert code == 0
    assert re.search("^(PASSED|RIGHT) vectorize", output, re.M)  # a busy machine cannot judge
    assert os.path.relpath(workshop.answer) in output
    assert re.search("predicted +40 █", output)
    assert progress.load(workshop.folder)["vectorize"].passed
    assert progress.load(workshop.folder)["vectorize"].predicted == 40
    assert re.search("^✓ +0_2_vectorize", workshop("list", "--all")[1], re.M)
    assert "inside ^= crosses" in workshop.answer.read_text()


FAULTS = {
    "syntax error": ("def make_mask(:\n", r"vectorized\.py, line 1: invalid syntax"),
    "comma in a number": ("x = 98,004\n", "line 1: write numbers without commas"),
    "missing function": ("x = 1\n", "has no make_mask"),
    "wrong signature": ("def make_mask(shape):\n    pass\n", r"takes \[.shape.\], but must take"),
    "no return": ("def " + BODY + "    pass\n", "it returned None"),
    "exception": ("def " + BODY + "    return 1 / 0\n", "line 2: ZeroDivisionError"),
    "crash": ("import ctypes\ndef " + BODY + "    ctypes.string_at(0)\n", "crashed.*signal 11"),
    "exit": ("import os\ndef " + BODY + "    os._exit(0)\n", "ended the process"),
    "sys.exit": ("import sys\ndef " + BODY + "    sys.exit(0)\n", "ends the program"),
    "20 GB": (
        "import numpy as np\ndef " + BODY + "    return np.ones(20_000_000_000, np.uint8)\n",
        "more memory than a check allows",
    ),
    "zeros": (
        "import numpy as np\ndef " + BODY + "    return np.zeros(shape, np.uint8)\n",
        "yours is all zeros",
    ),
    "a memoryview without const": (  # Cython's message for a read-only array
        "def " + BODY + "    raise ValueError('buffer source array is read-only')\n",
        r"line 2: the vertices may be read-only.*`const double\[:, ::1\]`",
    ),
    "missing module": ("import nompy\n", "line 1: ModuleNotFoundError: No module named 'nompy'"),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_one_clear_message(workshop, fault):
    text, message = FAULTS[fault]
    workshop.answer.write_text(text)
    code, output = workshop("check", "vectorize")
    assert code == 1
    assert re.search(message, output), output
    assert "Traceback" not in output
    assert "NOT YET" in output


@pytest.mark.slow
def test_the_solution_of_an_exercise_without_a_rung_is_built_once(tmp_path):
    calls = exercises.get("calls")
    module = checking.build_solution(calls, tmp_path / "calls")
    built_ns = module.stat().st_mtime_ns
    assert checking.build_solution(calls, tmp_path / "calls") == module
    assert module.stat().st_mtime_ns == built_ns
    assert checking.build_solution(exercises.get("type"), tmp_path / "type") is None  # cython.typed


def test_a_solution_that_does_not_build_is_not_the_students_fault(tmp_path, monkeypatch):
    def fail(*arguments):
        raise checking.build.BuildFailed("no compiler")

    monkeypatch.setattr(checking.build, "build", fail)
    outcome = checking.Outcome(True, correct=True)
    calls = exercises.get("calls")
    outcome = checking.time_answer(outcome, calls, {}, tmp_path / "calls", None, None, False)
    assert outcome.passed
    assert "the solution does not build here:\nno compiler" in outcome.untimed


@pytest.mark.slow
def test_wrong_pixels_are_shown(workshop):
    workshop.solve()
    text = workshop.answer.read_text()
    workshop.answer.write_text(text.replace("(y > min(y1, y2))", "(y >= min(y1, y2))"))
    code, output = workshop("check", "vectorize")
    assert code == 1
    assert re.search(r"\d+ of \d+ pixels are wrong", output)
    assert says(output, "first", "pixel")


@pytest.mark.slow
def test_too_few_cores_are_named_and_the_masks_count(workshop, monkeypatch):
    exercise = exercises.get("vectorize")
    speed = dataclasses.replace(exercise.speed, cores=10_000)
    changed = dataclasses.replace(exercise, speed=speed)
    monkeypatch.setattr(exercises, "read", lambda folder: changed)
    workshop.solve()
    code, output = workshop("check", "vectorize")
    assert code == 0
    assert "RIGHT vectorize" in output
    assert says(output, "10000", "cores")
    assert progress.load(workshop.folder)["vectorize"].state == progress.RIGHT


@pytest.mark.slow
def test_two_checks_of_one_exercise_do_not_meet(workshop):
    workshop.solve()
    lock = workshop.folder / "build" / "vectorize.lock"
    lock.parent.mkdir(exist_ok=True)
    with open(lock, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        code, output = workshop("check", "vectorize")
    assert (code, "another check" in output) == (1, True)
    assert workshop("check", "vectorize")[0] == 0


def test_a_deleted_file_is_named(workshop):
    workshop.answer.unlink()
    code, output = workshop("check", "vectorize")
    assert code == 1
    assert "workshop reset vectorize" in output


def test_a_full_disk_is_not_the_students_fault(workshop, monkeypatch):
    workshop.solve()
    ended = child_handle.Ended(1, "OSError: [Errno 28] No space left on device", timed_out=False)

    def full(*arguments, **keywords):
        raise child_handle.Stopped(ended, "starting", 1.0)

    monkeypatch.setattr(child_handle, "Child", full)
    code, output = workshop("check", "vectorize")
    assert (code, "no space left on its disk" in output) == (2, True)
    assert "NOT YET" not in output
    assert "inside ^= crosses" in workshop.answer.read_text()


@pytest.mark.slow
def test_a_syntax_error_of_cython_shows_the_students_line(workshop):
    (workshop.folder / "1_2_type" / "typed.pyx").write_text("cdef double x = = 1\n")
    code, output = workshop("check", "type")
    assert code == 1
    assert "typed.pyx:1:16" in output
    assert "cdef double x = = 1" in output
    assert "Traceback" not in output
    assert "site-packages" not in output


@pytest.mark.slow
def test_a_broken_setup_py_is_one_message_with_its_line(workshop):
    exercise = exercises.get("setup")
    folder.start(workshop.folder, [exercise])
    file = workshop.folder / exercise.directory / "setup.py"
    file.write_text("import setuptools\n\nsetuptools.setap()\n")
    code, output = workshop("check", "setup")
    assert code == 1
    assert f"setup: testing {os.path.relpath(file)}" in output  # not the file that it compiles
    assert "setup.py, line 3: AttributeError" in output
    assert "Traceback" not in output
    file.write_text("x = 1\n")
    assert says(workshop("check", "setup")[1], "called", "'tuples'")


@pytest.mark.slow
def test_a_kernel_that_does_not_compile_shows_the_students_line(workshop):
    exercise = exercises.get("kernel")
    try:
        exercise.require()
    except registry.Unavailable as unavailable:
        pytest.skip(str(unavailable))
    folder.start(workshop.folder, [exercise])
    file = workshop.folder / exercise.directory / "mask.cl"
    file.write_text(exercise.solution("mask.cl").replace("border_value);", "border_value)"))
    code, output = workshop("check", "kernel")
    assert code == 1
    assert "mask.cl:11" in output
    assert "Traceback" not in output
    file.write_text(exercise.solution("mask.cl").replace("void polygon_mask", "void mask"))
    assert says(workshop("check", "kernel")[1], "mask.cl", "kernel", "polygon_mask")
