"""Each exercise can be failed and passed for the right reasons: `make proofs`."""

import judge
import pytest

from ladder import registry
from ladder.workshop import exercises
from ladder.workshop.author import verify
from polymask.contract import Unavailable


def marks_of(exercise):
    """Return the marks of an exercise's proof: its files, and the extra that it requires."""
    folder = exercise.folder.relative_to(exercises.ROOT)
    files = [*exercise.files.values(), *exercise.watched.values()]
    keys = {exercise.needs, exercise.speed and exercise.speed.before}
    files += [registry.get(key).file for key in keys if key]
    extra = exercise.needs and registry.get(exercise.needs).extra
    lesson = f"{folder.parent}/lesson.toml"  # where there is one
    proof = pytest.mark.proof(f"{folder}/**/*", lesson, *files, *judge.CODE)
    return [proof, *([pytest.mark.extra(extra)] if extra else [])]


@pytest.mark.parametrize(
    "exercise",
    [pytest.param(e, marks=marks_of(e), id=e.name) for e in exercises.every()],
)
def test_an_exercise_is_verified(exercise):
    try:
        exercise.require()
    except Unavailable as unavailable:
        pytest.skip(str(unavailable))
    assert verify.verify(exercise) == []
