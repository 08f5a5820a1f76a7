"""Answers for the tests of the workshop: processes, as a check starts them."""

import contextlib
import functools

import pytest

from polymask.ladder import registry
from polymask.workshop import exercises
from polymask.workshop.sandbox import answer, asking, build, examine

PATIENCE_S = 120.0  # the tests run beside others


@pytest.fixture
def answer_of(tmp_path):
    """Start an exercise's solution, with lines after it; skip what cannot run here."""
    with contextlib.ExitStack() as stack:

        def start(name, more="", *, text=None, own=True):
            """`text` stands instead of the main file; without `own`, masks alone are checked."""
            exercise = exercises.get(name)
            try:
                exercise.require()
            except registry.Unavailable as unavailable:
                pytest.skip(str(unavailable))
            folder = tmp_path / f"of_{name}"
            folder.mkdir(exist_ok=True)
            texts = {file: exercise.solution(file) for file in exercise.files}
            texts[exercise.main] = (texts[exercise.main] if text is None else text) + more
            for file, content in texts.items():
                (folder / file).write_text(content, encoding="utf-8")
            place = tmp_path / f"place_{name}"
            start_child = asking.starting(exercise, build.build(exercise, folder, place), place)
            given = answer.Answer(
                functools.partial(start_child, seconds=PATIENCE_S),
                examine.environments(exercise, examine.own(exercise) if own else None),
            )
            stack.callback(given.close)
            return given

        yield start
