"""Unexpected answers: the exercises' own checks explain the error, and never fail themselves."""

import re

import pytest

from ladder.workshop import exercises

CALLED = "measured = lambda call: (call(), {})[1]"  # makes the call and returns this answer
ANOTHER_NUMBER = """
from types import FunctionType
REPEATS = 3  # but sweep still uses seven
sweep = FunctionType(sweep.__code__, globals() | {"REPEATS": 7})
"""
FOOLISH = [
    ("profile", "MIN_AND_MAX = 'many'", "MIN_AND_MAX: write a number"),
    ("profile", "LINE = ''", "not one"),
    ("profile", "SLOWEST = '{built-in method builtins.compile}'", "not first in `polymask profile"),
    ("profile", "CALLS = '4096'", "CALLS: write a number, without quotes"),
    ("schedules", "measured = lambda call: None", "must return a list"),
    ("schedules", CALLED.format("[1.0]"), "measured returns 1.000 s"),
    ("schedules", CALLED.format("[]"), "list the loads of the busy threads"),
    ("schedules", CALLED.format("[1.0, 2.0]"), "largest load first"),
    ("sweep", "sweep = lambda launch, shapes: None", "must return two values"),
    ("sweep", ANOTHER_NUMBER, "8 launches"),
    ("events", "phases = lambda event: None", "phases must return a dict|NoneType"),
    ("events", "slowest_phase = lambda event: None", "slowest_phase returns None"),
    ("scan", "fill = lambda toggles: None", "returned None"),
    ("rounding", "whole_groups = lambda n, group: None", "expected a whole number"),
    ("rounding", "invert = lambda *arguments: None", "pixels are wrong"),
    ("crossover", "line = lambda *arguments: None", "must return two numbers"),
    ("crossover", "crossover = lambda *arguments: None", "crossover returned None"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "instead", "message"), FOOLISH)
def test_a_foolish_answer_is_told_what_is_wrong(name, instead, message, run_check):
    assert re.search(message, run_check(name, more=f"\n{instead}\n").message)


PARTLY = """
SLOWEST = None
CALLS = "4096"
LINE = "if x"
SCALARS = 5
"""


@pytest.mark.slow
def test_each_answer_of_profile_is_judged(run_check):
    first, *wrong, last = run_check("profile", more=PARTLY).message.splitlines()
    assert first == "2 of 6 answers are right: MIN_AND_MAX, ARRAY_IS_SLOWER"
    assert [line.partition(":")[0] for line in wrong] == ["CALLS", "LINE", "SCALARS"]
    assert last == "still None: SLOWEST"


@pytest.mark.slow
@pytest.mark.parametrize("slowest", ["tuples.py:12(inside_polygon)", "inside_polygon()"])
def test_a_function_may_be_named_as_the_profiler_does(slowest, run_check):
    outcome = run_check("profile", more=f"\nSLOWEST = {slowest!r}\n")
    assert "is inside_polygon itself" in outcome.note


def test_the_command_in_the_task_of_profile_shows_the_answers(polymask):
    exercise = exercises.get("profile")
    own, answers = exercise.own_check(), {}
    assert f"`{own.COMMAND}`" in exercise.task()
    exec(exercise.solution(exercise.main), answers)
    _, out, _ = polymask(*own.COMMAND.split()[1:])
    first = out.splitlines()[2].split()  # below the title and the headings
    assert (first[0], "inside_polygon" in first) == ("4,096", True)
    calls = {line.split()[-3]: line.split()[0] for line in out.splitlines() if "built in" in line}
    both = sum(int(calls[name].replace(",", "")) for name in ("min", "max"))
    assert own.near(answers["MIN_AND_MAX"], both, 1.1)
