"""Predictions: how numbers are read, when they count, and how they are drawn and reported.

Nothing is built or measured here: the outcomes of checks are invented.
"""

import dataclasses
import os
import re
from types import SimpleNamespace

import pytest
from cases import folded, says

from ladder.report.charts import two_values
from ladder.workshop import exercises
from ladder.workshop.author import collect, student_results
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
    workshop.line = lambda: progress.load(workshop.folder)["vectorize"]
    workshop.result = lambda: progress.results(workshop.folder)["vectorize"]
    return workshop


# Numbers as people write them


@folded(
    ("text", "value"),
    [
        *(("10", 10), ("1e3", 1000), ("1E+3", 1000), ("2.5", 2.5), (".5", 0.5), ("5.", 5)),
        *(("1,000", 1000), ("12,345,678e-3", None), ("1,000,000", 1e6), ("1,000.5", 1000.5)),
        *(("2,5", 2.5), ("0,5", 0.5), ("0,500", 0.5), ("1234,567", 1234.567), ("1,5e3", 1500)),
        *(("1.000", 1), ("1.000,5", 1000.5), ("100.000.0", None), ("1.000.000", 1e6)),
        *(("1 000", 1000), ("1\u202f000,5", 1000.5), ("1'000", 1000), ("1’000", 1000)),
        *(("~50", 50), ("≈ 50", 50), ("about 50", 50), ("ca. 50", 50), ("c. 50", 50), ("50?", 50)),
        *(("3x", 3), ("x3", 3), ("x 3", 3), ("3×", 3), ("3 times", 3), ("3-fold", 3)),
        *(("3 times as fast", 3), ("3 X faster", 3), ("~1,000x", 1000), ("2k", 2000)),
        *(("10^3", None), ("1/4", None), ("+7", 7)),
    ],
)
def test_numbers_are_read_as_people_write_them(text, value):
    if value is None:
        with pytest.raises(ValueError, match="that is not a single number"):
            prediction.read(text)
    else:
        assert prediction.read(text) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *(
            (text, "a single number")
            for text in ("fifty", "", "10-20", ">50", "7 or 8", "1,00,000")
        ),
        *(
            (text, "a single number")
            for text in ("nan", "inf", "1½", "10₃", "1 2", "0x10", "9" * 99)
        ),
        *((text, "not between 0.001 and 1,000,000") for text in ("0", "-5", "1e400", "1e7")),
        *((text, "a percentage is ambiguous") for text in ("20 %", "120%")),
    ],
)
def test_an_invalid_number_is_prompted_for_again_with_the_reason(stub, text, reason):
    with pytest.raises(ValueError, match=f"{reason}.*: write how many times as fast"):
        prediction.read(text)
    if text:
        prompts = stub.reply(text, "2,5")
        _, output = stub.check(RIGHT)
        assert len(prompts) == 2
        assert f"{text!r}: " in output
        assert says(output, "2.5", "fast", "python.tuples")
        assert stub.line().prediction == 2.5


@pytest.mark.parametrize("rest", ["", "  # the GIL", " (a guess)", '"""', " // why"])
def test_a_line_of_the_file_may_continue(stub, rest):
    stub.predict(f"~1,000 x{rest}")
    assert says(stub.check(RIGHT)[1], "1,000", "fast")
    assert "you predicted 1,000" in stub.check(RIGHT)[1]


def test_an_invalid_line_stops_the_check_without_a_terminal(stub):
    stub.predict("a lot")
    code, output = stub.check(RIGHT)
    assert code == 2
    assert says(output, "line", "`prediction", "lot`")
    assert "that is not a single number" in output
    assert (stub.line().checks, stub.line().predicted) == (0, None)
    prompts = stub.reply("30")
    assert "you predicted 30" in stub.check(RIGHT)[1]
    assert len(prompts) == 1
    code, output = stub.check(RIGHT)  # the line no longer counts
    assert (code, "a lot" in output) == (0, False)


def test_an_option_is_read_like_a_line(stub):
    assert "you predicted 2.5" in stub.check(RIGHT, "--predict", "2,5")[1]
    code, output = stub.check(RIGHT, "--predict", "20 %")
    assert (code, "a percentage is ambiguous" in output) == (2, True)


def test_without_a_prediction_or_a_terminal_a_line_says_so(stub):
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


def test_a_function_that_is_no_rung_is_named(snapshot):
    functions = {"yours": "sum_cdef", "before": "sum_def"}
    speed = exercises.Speed(functions=functions, measured="sums of halves")
    output = prediction.terms(dataclasses.replace(exercises.get("calls"), speed=speed))
    assert output == snapshot


@pytest.mark.parametrize("outcome", [RIGHT, SLOW, UNJUDGED])
def test_a_prediction_is_locked_once_a_speed_was_shown(stub, outcome):
    stub.check(outcome, "--predict", "7")
    assert stub.line().prediction == 7
    _, output = stub.check(outcome, "--predict", "1234.5")
    assert "your prediction stays 7, not 1,234.5: the first one counts" in output
    assert "you predicted 7" in output
    assert stub.result()["predicted"] == 7


def test_before_a_speed_was_shown_a_prediction_may_change(stub):
    stub.check(CRASHED, "--predict", "7")
    assert stub.check(RIGHT, "--predict", "8", interrupted=True)[0] == 130
    assert not stub.line().measured
    assert "you predicted 1,234.5" in stub.check(RIGHT, "--predict", "1,234.5")[1]
    output = stub.check(RIGHT, "--predict", "1234.5")[1]
    assert "stays" not in output  # it is exactly the same


def test_none_is_locked_too(stub):
    stub.reply("")
    stub.check(RIGHT)
    assert stub.line().predicted == progress.NONE
    assert "9 is not recorded as your prediction" in stub.check(RIGHT, "--predict", "9")[1]


# An answer that breaks after it has passed


@pytest.mark.slow
@pytest.mark.parametrize("first", [RIGHT, UNJUDGED])
def test_a_broken_answer_is_shown_as_broken(stub, tmp_path, first):
    stub.check(first)
    code, output = stub.check(WRONG)
    assert (code, says(output, "broken", "pass")) == (1, True)
    assert stub.line().passed  # once passed, so the next exercise may follow
    output = stub("list")[1]
    assert re.search(r"0_2_vectorize +broken ", output)
    assert "0 of 2 exercises passed" in output
    assert says(output, "broken", "check")
    assert (stub.result()["passed"], stub.result()["broken"]) == (False, True)
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "fern.json").write_text((stub.folder / "results.json").read_text())
    assert "| broken" in collect.markdown(student_results.load(folder)[0])
    stub.check(first)
    assert stub.line().state == (progress.RIGHT if first is UNJUDGED else progress.PASSED)
    assert stub.result()["broken"] is False


def test_an_answer_that_became_slow_is_broken_and_keeps_its_best(stub):
    stub.check(RIGHT)
    stub.check(SLOW | {"speed": SPEED | {"times_before": 2.0}})
    assert (stub.line().state, stub.line().best) == (progress.BROKEN, 12.0)
    stub.check(UNJUDGED)  # not the answer that was judged
    assert stub.line().state == progress.RIGHT


@pytest.mark.slow
def test_an_answer_that_is_measured_again_gets_no_better_by_luck(stub):
    lucky = RIGHT | {"speed": SPEED | {"times_before": 15.0}}
    stub.check(UNJUDGED)
    for outcome in (RIGHT, lucky, UNJUDGED, lucky):
        stub.check(outcome)
        assert stub.line().best == 12.0
    stub.predict("?")  # another answer
    stub.check(UNJUDGED)
    stub.check(lucky)
    assert stub.line().best == 15.0
    stub.check(RIGHT)
    assert stub.line().best == 15.0


def test_an_answer_that_was_not_checked_is_not_broken(stub):
    stub.check(RIGHT)
    stub.check({"passed": False, "unchecked": True, "message": "another check is under way"})
    assert (stub.line().state, stub.line().checks) == (progress.PASSED, 1)


def test_broken_exercises_come_last(stub):
    stub.check(RIGHT)
    stub.check(WRONG)
    assert re.search(r"next +1_2_type", stub("list")[1])
    progress.note(stub.folder, "type", state=progress.PASSED)
    assert re.search(r"next +0_2_vectorize +broken", stub("list")[1])


@pytest.mark.slow
def test_an_answer_that_changed_since_its_check_is_marked(stub):
    stub.check(RIGHT)
    assert "changed since the last check" not in stub("list")[1]
    text = stub.answer.read_text()
    stub.answer.write_text(text + "\n")
    output = stub("list")[1]
    assert re.search(r"0_2_vectorize +passed\*", output)
    assert says(output, "changed", "check")
    stub.answer.write_text(text)
    assert "passed*" not in stub("list")[1]
    (stub.folder / "results.json").unlink()  # then its last check is unknown
    assert stub("list")[0] == 0
    stub.check(RIGHT)
    assert stub.result()["passed"]


# Pictures for the student


@pytest.mark.slow
def test_the_list_draws_predicted_against_measured(stub):
    pytest.importorskip("matplotlib")
    assert "predicted and measured" not in stub("list")[1]
    stub.check(RIGHT, "--predict", "3")
    picture = stub.folder / "predictions.png"
    assert f"chart of predicted and measured speed-ups: {picture}" in stub("list")[1]
    text = (stub.folder / "predictions.svg").read_text(encoding="utf-8")
    assert "3 → 12.0: 4.0 ×" in text
    picture.write_bytes(b"kept")
    os.utime(picture, ns=(2**62, 2**62))
    stub("list")
    assert picture.read_bytes() == b"kept"  # nothing has changed
    os.utime(picture, ns=(0, 0))
    stub("list")
    assert picture.read_bytes() != b"kept"


def test_a_speed_that_could_not_be_judged_is_compared_with_its_prediction(stub, tmp_path):
    pytest.importorskip("matplotlib")
    stub.check(UNJUDGED, "--predict", "3")
    stub.check(WRONG)
    assert (stub.line().best, stub.result()["shown"]) == (None, 12.0)
    stub("list")
    text = (stub.folder / "predictions.svg").read_text(encoding="utf-8")
    assert "3 → 12.0: 4.0 ×" in text
    (tmp_path / "fern.json").write_text((stub.folder / "results.json").read_text())
    students, _ = student_results.load(tmp_path)
    assert collect.near(students["fern"].exercises.values()) == [4.0]


def test_a_list_without_room_for_a_picture_is_a_list(stub, monkeypatch):
    pytest.importorskip("matplotlib")
    stub.check(RIGHT, "--predict", "3")
    (stub.folder / "predictions.png").mkdir()
    code, output = stub("list")
    assert code == 0
    assert "1 of 2 exercises passed" in output
    assert "cannot write" in output


@pytest.mark.parametrize("narrow", [False, True])
def test_each_prediction_is_an_arrow_to_what_was_measured(narrow):
    pytest.importorskip("matplotlib")
    predictions = [("vectorize", 20.0, 112.0), ("cpp", 1.0, 1.0), ("type", 50.0, 9.41)]
    (axes,) = two_values.draw_predictions(predictions, narrow).axes
    marks = {line.get_gid(): line.get_xdata()[0] for line in axes.get_lines() if line.get_gid()}
    for name, predicted, measured in predictions:
        assert (marks[f"old-{name}"], marks[f"new-{name}"]) == (predicted, measured)
    assert two_values.draw_predictions([]) is None
