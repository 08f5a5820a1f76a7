"""Unexpected answers: the exercises' own checks explain the error, and never fail themselves."""

import re

import pytest

from ladder.workshop import exercises

FOOLISH = [
    ("profile", "MIN_AND_MAX = 'many'", "MIN_AND_MAX: 'many' is not the sum"),
    ("profile", "SLOWEST = '{built-in method builtins.compile}'", "not first in `polymask profile"),
    ("sweep", "sweep = lambda launch, shapes: None", "must return two values"),
    ("events", "phases = lambda event: None", "phases must return a dict|NoneType"),
    ("scan", "fill = lambda toggles: None", "returned None"),
    ("rounding", "whole_groups = lambda n, group: None", "expected a whole number"),
    ("rounding", "invert = lambda *arguments: None", "pixels are wrong"),
    ("crossover", "line = lambda *arguments: None", "must return two numbers"),
    ("crossover", "crossover = lambda *arguments: None", "but got None"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "instead", "message"), FOOLISH)
def test_a_foolish_answer_gets_its_cause(name, instead, message, run_check):
    assert re.search(message, run_check(name, more=f"\n{instead}\n").message)


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
