"""Predictions: how numbers are read, when they count, and the states that checks lead to.

Nothing is built or measured here: the outcomes of checks are invented.
"""

import dataclasses
import os
import re
import time
from types import SimpleNamespace

import pytest
from cases import folded, says

from ladder.workshop import exercises
from ladder.workshop.student import check as checking
from ladder.workshop.student import prediction, progress

SPEED = {
    "seconds": {"yours": 1e-3, "before": 12e-3, "solution": 1e-3},
    "times_before": 12.0,
    "of_solution": 1.0,
    "between": {"times_before": (11.9, 12.1), "of_solution": (0.9, 1.1)},
    "tries": 1,
    "measured": "masks",
}
RIGHT = {"passed": True, "correct": True, "speed": SPEED}
WRONG = {"passed": False, "message": "pixels are wrong"}
SLOW = {"passed": False, "correct": True, "speed": SPEED, "message": "too slow"}
UNJUDGED = RIGHT | {"untimed": "machine busy"}
CRASHED = {"passed": False, "correct": True, "message": "it crashed"}


@pytest.fixture
def stub(workshop, monkeypatch):
    """A workshop whose `check` returns the given outcome; `reply` answers prompts."""

    def outcome_of(exercise, where, *, before_speed, force):
        outcome = checking.Outcome(**workshop.outcome)
        if outcome.correct:
            before_speed()
        if workshop.interrupted:
            raise KeyboardInterrupt
        return outcome

    def reply(*answers):
        prompts, replies = [], iter(answers)
        monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
        monkeypatch.setattr("click.prompt", lambda t, **_: prompts.append(t) or next(replies))
        return prompts

    def check(outcome, *arguments, interrupted=False):
        workshop.outcome, workshop.interrupted = outcome, interrupted
        return workshop("check", "vectorize", *arguments)

    def predict(text):
        workshop.answer.write_text(f'"""The mask.\n\nprediction: {text}\n"""\n')

    monkeypatch.setattr(checking, "check", outcome_of)
    workshop.reply, workshop.check, workshop.predict = reply, check, predict
    workshop.result = lambda: progress.load(workshop.folder)["vectorize"]
    return workshop


# Numbers as people write them


@folded(
    ("text", "value"),
    [
        *(("10", 10), ("1e3", 1000), ("1E+3", 1000), ("2.5", 2.5), (".5", 0.5), ("5.", 5)),
        *((" ~50 ", 50), ("≈ 50", 50), ("3x", 3), ("3 ×", 3), ("3 times", 3), ("2k", 2000)),
    ],
)
def test_numbers_are_read_as_people_write_them(text, value):
    assert prediction.read(text) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *((text, "a single number") for text in ("fifty", "10-20", ">50", "7 or 8", "1/4")),
        *((text, "a single number") for text in ("nan", "inf", "1 2", "0x10", "-5")),
        *((text, "not between 0.001 and 1,000,000") for text in ("0", "1e400", "9" * 99)),
        *((text, "a percentage is ambiguous") for text in ("20 %", "120%")),
        *((text, "a comma is ambiguous") for text in ("2,5", "1,000")),
    ],
)
def test_an_invalid_number_is_prompted_for_again_with_the_reason(stub, text, reason):
    with pytest.raises(ValueError, match=f"{reason}.*: write how many times as fast"):
        prediction.read(text)
    prompts = stub.reply(text, "2.5")
    _, output = stub.check(RIGHT)
    assert len(prompts) == 2
    assert f"{text!r}: " in output
    assert "as python.tuples," in output
    assert re.search("predicted +2.5 █", output)
    assert stub.result().predicted == 2.5


@pytest.mark.parametrize("rest", ["", "  # the GIL", " (a guess)", '"""', " // why"])
def test_a_line_of_the_file_may_continue(stub, rest):
    stub.predict(f"~1000 x{rest}")
    assert re.search("predicted +1000 █", stub.check(RIGHT)[1])


def test_an_invalid_line_is_reported_after_the_tests_and_before_the_speed(stub):
    stub.predict("a lot")
    code, output = stub.check(WRONG)
    assert (code, "NOT YET pixels are wrong" in output) == (1, True)
    assert "the prediction was not read: `prediction: a lot`: that is not a single number" in output
    code, output = stub.check(RIGHT)
    assert code == 2
    assert "the answer is right, but the prediction was not read" in output
    assert "that is not a single number" in output
    assert stub.result() == progress.Result(checks=1)
    stub.predict("30")
    assert re.search("predicted +30 █", stub.check(RIGHT)[1])
    stub.predict("a lot")
    assert stub.check(RIGHT)[0] == 0  # the line no longer counts


def test_a_missing_prediction_without_a_terminal_is_one_line(stub):
    assert "no prediction" in stub.check(RIGHT)[1]
    assert "no prediction" not in stub.check(RIGHT)[1]  # it is too late


# The prompt, and when its answer counts


def test_the_prompt_names_the_size_and_the_threads(stub):
    stub.reply("")
    output = " ".join(stub.check(RIGHT)[1].split())
    question = (
        "how many times as fast will it be as python.tuples, on masks of about 96 x 96 pixels,"
    )
    assert re.search(f"{question} polygons of 24 vertices, each with 1 thread\\?", output)
    cores = len(os.sched_getaffinity(0))
    threads = f"{cores} thread{'s' * (cores > 1)}"
    rows = exercises.get("rows")
    rows = dataclasses.replace(rows, speed=dataclasses.replace(rows.speed, before="openmp.prange"))
    assert f"openmp.prange with {threads}" in prediction.terms(rows) or cores == 1
    assert says(prediction.terms(exercises.get("kernel")), "OpenCL", "device")


@pytest.mark.parametrize("outcome", [RIGHT, SLOW, UNJUDGED])
def test_a_prediction_is_locked_once_a_speed_was_shown(stub, outcome):
    stub.predict("7")
    stub.check(outcome)
    stub.predict("1234.5")
    _, output = stub.check(outcome)
    assert re.search("predicted +7 █", output)
    assert stub.result().predicted == 7
    assert stub.result().predicted_at == pytest.approx(time.time(), abs=60)


def test_before_a_speed_was_shown_a_prediction_may_change(stub):
    stub.predict("7")
    assert (stub.check(CRASHED)[0], stub.result().predicted) == (1, 7)
    assert stub.check(RIGHT, interrupted=True)[0] == 130
    stub.predict("8")
    assert re.search("predicted +8 █", stub.check(RIGHT)[1])


def test_none_is_locked_too(stub):
    stub.check(RIGHT)
    stub.predict("9")
    assert "predict" not in stub.check(RIGHT)[1]
    assert stub.result().predicted is None


# The state of an answer


@pytest.mark.parametrize("first", [RIGHT, UNJUDGED])
def test_a_broken_answer_is_shown_as_broken(stub, first):
    stub.check(first)
    code, output = stub.check(WRONG)
    assert (code, "`list` shows ✗ until a check passes again" in output) == (1, True)
    output = stub("list")[1]
    assert re.search(r"^✗ next +0_2_vectorize ", output, re.M)  # before the next open one
    assert "0 of 2 exercises passed" in output
    assert "✗ an earlier answer was right, but the last check failed" in output
    stub.check(first)
    assert stub.result().state == (progress.RIGHT if first is UNJUDGED else progress.PASSED)


def test_the_last_judged_speed_decides_and_the_best_is_kept(stub):
    slow, other, faster = ({"speed": SPEED | {"times_before": x}} for x in (2.0, 5.0, 50.0))
    for outcome, state, speed_up in (
        (UNJUDGED | other, progress.RIGHT, 5.0),
        (UNJUDGED, progress.RIGHT, 12.0),
        (SLOW | slow, progress.OPEN, 2.0),
        (RIGHT, progress.PASSED, 12.0),
        (UNJUDGED | other, progress.PASSED, 12.0),
        (SLOW | slow, progress.BROKEN, 12.0),
        (UNJUDGED | faster, progress.RIGHT, 12.0),
        (UNJUDGED | other, progress.RIGHT, 12.0),
        ({"passed": False, "unchecked": True, "message": "it is busy"}, progress.RIGHT, 12.0),
        (SLOW | slow, progress.BROKEN, 12.0),
        (RIGHT | faster, progress.PASSED, 50.0),
    ):
        stub.check(outcome)
        assert (stub.result().state, stub.result().speed_up) == (state, speed_up)
    assert stub.result().checks == 10
    assert stub.result().first == 12.0
