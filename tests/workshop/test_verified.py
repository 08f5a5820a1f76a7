"""Each exercise can be failed and passed for the right reasons."""

from dataclasses import replace

import pytest

from ladder import registry
from ladder.workshop import exercises
from ladder.workshop.author import verify
from polymask.contract import Unavailable


def marks_of(exercise):
    """Return the mark of the extra that an exercise requires."""
    extra = exercise.needs and registry.get(exercise.needs).extra
    return [pytest.mark.extra(extra)] if extra else []


@pytest.mark.slow
@pytest.mark.parametrize(
    "exercise", [pytest.param(e, marks=marks_of(e), id=e.name) for e in exercises.every()]
)
def test_an_exercise_is_verified(exercise):
    try:
        exercise.require()
    except Unavailable as unavailable:
        pytest.skip(str(unavailable))
    assert verify.verify(exercise) == []


@pytest.mark.slow
def test_a_wrong_answer_that_passes_is_noticed():
    exercise = exercises.get("profile")
    (honest,) = exercise.honest.values()
    planted = replace(honest, name="planted", says="")
    faults = verify.verify(replace(exercise, wrong=exercise.wrong | {"planted": planted}))
    assert faults == ["the wrong answer planted passes"]
