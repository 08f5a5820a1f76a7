"""Answers that no author foresaw: the exercises' own checks say what is wrong, and never break."""

import random
import sys
from types import SimpleNamespace

import pytest

from polymask.ladder import registry
from polymask.workshop import exercises
from polymask.workshop.sandbox import examine
from polymask.workshop.sandbox.wrong import Wrong


def called(answer):
    """Return a `measured` that makes the call, and gives this answer."""
    return lambda call: (call(), answer)[1]


FOOLISH = [
    ("profile", {"MIN_AND_MAX": "many"}, "'many' is no number"),
    ("profile", {"LINE": ""}, "not one"),
    ("profile", {"LINE": 5}, "0 lines of inside_polygon begin with 5"),
    ("profile", {"SLOWEST": ["inside_polygon"]}, "not first"),
    (
        "profile",
        {"SLOWEST": "{built-in method builtins.compile}"},
        "not first in `polymask profile",
    ),
    ("profile", {"SLOWEST": "not_inside_polygon"}, "not first"),
    ("profile", {"CALLS": "4096"}, "does not say '4096'"),
    ("schedules", {"measured": lambda call: None}, "returns a list"),
    ("schedules", {"measured": called([1.0])}, "measured gives 1.000 s"),
    ("schedules", {"measured": called([])}, "some thread was busy"),
    ("schedules", {"measured": called([1.0, 2.0])}, "the largest load first"),
    ("schedules", {"static": lambda costs, threads: None}, "got None"),
    ("sweep", {"sweep": lambda launch, shapes: None}, "returns two values"),
    ("sweep", {"sweep": lambda launch, shapes: ({}, None)}, "0 launches"),
    ("sweep", {"REPEATS": 3}, "8 launches"),
    ("events", {"profiling_queue": lambda context: None}, "PROFILING_ENABLE"),
    ("events", {"phases": lambda event: None}, "phases returns a dict"),
    ("events", {"slowest_phase": lambda event: None}, "slowest_phase says None"),
    ("scan", {"fill": lambda toggles: None}, "returned None"),
    ("scan", {"fill": lambda toggles: toggles}, "pixels are wrong"),
    ("rounding", {"whole_groups": lambda n, group: None}, "expected a number"),
    ("rounding", {"invert": lambda *arguments: None}, "pixels are wrong"),
    ("crossover", {"line": lambda *arguments: None}, "returns two numbers"),
    ("crossover", {"line": lambda *arguments: ("a", "b")}, "expected a number"),
    ("crossover", {"crossover": lambda *arguments: None}, "crossover returned None"),
    ("crossover", {"crossover": lambda *arguments: 8500.0}, "where they meet"),
]


@pytest.mark.parametrize(("name", "instead", "message"), FOOLISH)
def test_a_foolish_answer_is_told_what_is_wrong(name, instead, message, monkeypatch):
    exercise = exercises.get(name)
    if exercise.needs:
        try:
            registry.get(exercise.needs).load()
        except registry.Unavailable as unavailable:
            pytest.skip(str(unavailable))
    monkeypatch.setitem(sys.modules, exercise.module, None)  # put back what was there, afterwards
    solution = examine.load(exercise, exercises.ROOT / exercise.files[exercise.main])
    answer = SimpleNamespace(**vars(solution) | instead)
    with pytest.raises(Wrong, match=message):
        examine.own(exercise).check(answer, random.Random(1))


@pytest.mark.parametrize("slowest", ["tuples.py:12(inside_polygon)", "inside_polygon()"])
def test_a_function_may_be_named_as_the_profiler_does(slowest):
    exercise = exercises.get("profile")
    solution = examine.load(exercise, exercises.ROOT / exercise.files[exercise.main])
    answer = SimpleNamespace(**vars(solution) | {"SLOWEST": slowest})
    assert "is inside_polygon itself" in examine.own(exercise).check(answer, random.Random(1))


def test_what_the_task_of_profile_says_to_run_shows_the_answers(polymask):
    exercise = exercises.get("profile")
    command = examine.own(exercise).COMMAND
    assert f"`{command}`" in exercise.task()
    _, said, _ = polymask(*command.split()[1:])
    first = said.splitlines()[2].split()  # below the title and the headings
    assert (first[0], "inside_polygon" in first) == ("4,096", True)
    calls = {line.split()[-3]: line.split()[0] for line in said.splitlines() if "built in" in line}
    both = sum(int(calls[name].replace(",", "")) for name in ("min", "max"))
    solution = examine.load(exercise, exercises.ROOT / exercise.files[exercise.main])
    assert examine.own(exercise).near(solution.MIN_AND_MAX, both, 1.1)
