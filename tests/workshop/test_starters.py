"""Exercises as their authors write them: complete, and with a starter that follows the solution."""

import importlib.util
import re
import sys

import pytest
from cases import folded

from ladder import devices, registry
from ladder.workshop import exercises
from ladder.workshop.author import verify

EVERY = exercises.every()


@folded("exercise", EVERY)
def test_an_exercise_is_whole_on_paper(exercise):
    assert verify.on_paper(exercise) == []
    assert exercise.directory.count("_") >= 2
    if exercise.speed:
        text = "".join(exercise.starter(file) for file in exercise.files)
        assert "prediction: ?" in text


def test_names_and_numbers_are_unique():
    assert len({e.name for e in EVERY}) == len(EVERY)
    assert len({(e.rung, e.number) for e in EVERY}) == len(EVERY)
    assert {e.rung for e in EVERY} == {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}


TOML = """number = 1
minutes = 5
main = "one.py"
"""
BROKEN = {  # the content of an exercise.toml, and the message about it
    "syntax": (TOML + "[speed", "Expected ']' at the end"),
    "empty": ("", "it has no main, minutes, number$"),
    "a text for a number": (TOML.replace("5", '"5"'), "minutes must be an integer, got '5'$"),
    "an unknown key": (f"minuets = 5\n{TOML}", "it has 'minuets', unknown to this version$"),
    "half a region": (TOML + '[[regions."one.py"]]\nput = ""', r"one.py\[0\] has no first$"),
    "an answer is none": (f"wrong.a = 0\n{TOML}", "wrong.a must be an object, got 0$"),
    "nested": (f"given = {'[' * 50_000}", "it is nested too deeply$"),
    "digits": (f"minutes = {'5' * 5000}", "Exceeds the limit|it has no main"),
    "bytes": ("\udcff", "can't decode byte 0xff"),
}


@pytest.mark.parametrize(("text", "error"), BROKEN.values(), ids=BROKEN)
def test_a_broken_exercise_is_one_line_of_any_command(text, error, tmp_path, monkeypatch, workshop):
    folder = tmp_path / "0_python" / "exercises" / "one"
    folder.mkdir(parents=True)
    (folder / "exercise.toml").write_text(text, encoding="utf-8", errors="surrogateescape")
    monkeypatch.setattr(exercises, "ROOT", tmp_path)
    (workshop.folder / "0_1_one").mkdir()
    for command in "list", "check", "start":
        code, output = workshop(command)
        assert code == 2
        assert output.startswith(f"polymask: {folder / 'exercise.toml'}: ")
        assert re.search(error, output.strip())
        assert output.count("\n") == 1


def test_a_lesson_has_the_defaults_of_its_exercises(tmp_path):
    folder, lesson = (
        tmp_path / "5_opencl/exercises/one",
        tmp_path / "5_opencl/exercises/lesson.toml",
    )
    folder.mkdir(parents=True)
    lesson.write_text("seconds = 60\nminutes = 9\n")
    (folder / "exercise.toml").write_text(f'{TOML}[wrong."no loop"]\nold = "for"\n')
    (folder / "task.md").write_text("# One mask\n\nMake it.\n")
    exercise = exercises.read(folder)
    assert (exercise.seconds, exercise.minutes, exercise.rung) == (60, 5, 5)
    assert exercise.files == {"one.py": "5_opencl/exercises/one/one.py"}
    assert exercise.title == "One mask"
    assert (exercise.wrong["no loop"].name, exercise.wrong["no loop"].file) == ("no loop", "one.py")
    lesson.write_text("seconds = \n")
    with pytest.raises(ValueError, match=r"5_opencl/exercises/lesson\.toml: "):
        exercises.read(folder)


def test_a_region_that_drifted_is_an_error():
    region = exercises.Region("no such line", None)
    with pytest.raises(exercises.Drifted, match="no such line"):
        exercises.cut("a\nb\n", [region])


def test_cutting():
    text = "one\n  two\nthree\nfour\n"
    regions = [exercises.Region("two", "three", "2\n3")]
    assert exercises.cut(text, regions) == "one\n2\n3\nfour\n"


def test_an_exercise_that_is_only_compiled_needs_no_device(monkeypatch):
    """Without them it is skipped, with the command to install them."""
    (exercise,) = [exercise for exercise in EVERY if not exercise.on_device]
    assert registry.get(exercise.needs).device
    monkeypatch.setattr(devices, "kind", None)  # no device is requested
    if all(map(importlib.util.find_spec, registry.get(exercise.needs).packages)):
        exercise.require()
    monkeypatch.setitem(sys.modules, "numba_cuda", None)
    with pytest.raises(registry.Unavailable, match="pip install 'polymask") as raised:
        exercise.require()
    assert "is not installed" in raised.value.reason


@pytest.mark.parametrize(("faults", "code", "verdict"), [([], 0, "good "), (["no"], 1, "WRONG")])
def test_the_command_verify_proves_exercises_where_they_can_run(
    workshop, monkeypatch, faults, code, verdict
):
    monkeypatch.setattr(verify, "verify", lambda exercise, say: faults)
    needy = next(exercise for exercise in EVERY if exercise.needs)
    try:
        needy.require()
        expected = code, "\n  ".join([f"{verdict} {needy.name}", *faults])
    except registry.Unavailable as unavailable:
        expected = 0, f"skipped {needy.name}: {unavailable}"
    exit_code, output = workshop("verify", needy.name)
    assert (exit_code, output.strip()) == expected
