"""Predictions: how numbers are read, when they count, and what is drawn and told of them.

Nothing is built or measured here: what a check finds is handed in.
"""

import dataclasses
import os
import re
from types import SimpleNamespace

import pytest
from cases import folded, says

from polymask.report.charts import two_values
from polymask.workshop import exercises
from polymask.workshop.author import collect, student_results
from polymask.workshop.student import check as checking
from polymask.workshop.student import prediction, progress

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
def checked(workshop, monkeypatch):
    """A workshop in which a check finds what `finds` was told; `asks` answers what is asked."""

    def check(exercise, where, *, before_speed, say, force):
        found = checking.Outcome(**workshop.found)
        if found.correct:
            before_speed()
        if workshop.interrupted:
            raise KeyboardInterrupt
        return found

    def asks(*answers):
        asked, told = [], iter(answers)
        monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
        monkeypatch.setattr("click.prompt", lambda text, **_: asked.append(text) or next(told))
        return asked

    def finds(found, *arguments, interrupted=False):
        workshop.found, workshop.interrupted = found, interrupted
        return workshop("check", "vectorize", *arguments)

    def writes(said):
        workshop.answer.write_text(f'"""The mask.\n\nprediction: {said}\n"""\n')

    monkeypatch.setattr(checking, "check", check)
    workshop.asks, workshop.finds, workshop.writes = asks, finds, writes
    workshop.line = lambda: progress.load(workshop.where)["vectorize"]
    workshop.result = lambda: progress.results(workshop.where)["vectorize"]
    return workshop


# Numbers as people write them


@folded(
    ("said", "value"),
    [
        *(("10", 10), ("1e3", 1000), ("1E+3", 1000), ("2.5", 2.5), (".5", 0.5), ("5.", 5)),
        *(("1,000", 1000), ("12,345,678e-3", None), ("1,000,000", 1e6), ("1,000.5", 1000.5)),
        *(("2,5", 2.5), ("0,5", 0.5), ("0,500", 0.5), ("1234,567", 1234.567), ("1,5e3", 1500)),
        *(("1.000", 1), ("1.000,5", 1000.5), ("100.000.0", None), ("1.000.000", 1e6)),
        *(("1 000", 1000), ("1\u202f000,5", 1000.5), ("1'000", 1000), ("1’000", 1000)),
        *(("~50", 50), ("≈ 50", 50), ("about 50", 50), ("ca. 50", 50), ("c. 50", 50), ("50?", 50)),
        *(("3x", 3), ("x3", 3), ("x 3", 3), ("3×", 3), ("3 times", 3), ("3-fold", 3)),
        *(("3 times as fast", 3), ("3 X faster", 3), ("~1,000x", 1000), ("2k", 2000)),
        *(("10^3", 1000), ("10³", 1000), ("10**3", 1000), ("1/4", 0.25), ("٥٠", 50), ("+7", 7)),
    ],
)
def test_numbers_are_read_as_people_write_them(said, value):
    if value is None:
        with pytest.raises(ValueError, match="that is not one number"):
            prediction.read(said)
    else:
        assert prediction.read(said) == value


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        *((text, "not one number") for text in ("fifty", "", "10-20", ">50", "7 or 8", "1,00,000")),
        *(
            (text, "not one number")
            for text in ("nan", "inf", "1½", "10₃", "1 2", "0x10", "9" * 99)
        ),
        *((text, "not between 0.001 and 1,000,000") for text in ("0", "-5", "1e400", "1e7", "1/0")),
        *((text, "a percentage is not clear") for text in ("20 %", "120%")),
    ],
)
def test_what_is_no_number_is_asked_again_with_the_reason(checked, said, reason):
    with pytest.raises(ValueError, match=f"{reason}.*: write how many times as fast"):
        prediction.read(said)
    if said:
        asked = checked.asks(said, "2,5")
        _, told = checked.finds(RIGHT)
        assert len(asked) == 2
        assert f"{said!r}: " in told
        assert says(told, "2.5", "fast", "python.tuples")
        assert checked.line().prediction == 2.5


@pytest.mark.parametrize("rest", ["", "  # the GIL", " (a guess)", '"""', " // why"])
def test_a_line_of_the_file_may_go_on(checked, rest):
    checked.writes(f"~1,000 x{rest}")
    assert says(checked.finds(RIGHT)[1], "1,000", "fast")
    assert "you predicted 1,000" in checked.finds(RIGHT)[1]


def test_a_line_that_is_no_number_stops_the_check_where_nobody_can_be_asked(checked):
    checked.writes("a lot")
    code, said = checked.finds(RIGHT)
    assert code == 2
    assert says(said, "line", "`prediction", "lot`")
    assert "that is not one number" in said
    assert (checked.line().checks, checked.line().predicted) == (0, None)
    asked = checked.asks("30")
    assert "you predicted 30" in checked.finds(RIGHT)[1]
    assert len(asked) == 1
    code, said = checked.finds(RIGHT)  # it counts no more
    assert (code, "a lot" in said) == (0, False)


def test_an_option_is_read_like_a_line(checked):
    assert "you predicted 2.5" in checked.finds(RIGHT, "--predict", "2,5")[1]
    code, said = checked.finds(RIGHT, "--predict", "20 %")
    assert (code, "a percentage is not clear" in said) == (2, True)


# What is asked, and when it counts


def test_who_is_asked_is_told_of_what_size_and_by_how_many_threads(checked):
    checked.asks("")
    said = " ".join(checked.finds(RIGHT)[1].split())
    asked = (
        "how many times as fast will it be as python.tuples, on masks of (some )?96 x 96 pixels,"
    )
    assert re.search(f"{asked} polygons of 24 vertices, each by 1 thread\\?", said)
    cores = len(os.sched_getaffinity(0))
    threads = f"{cores} thread{'s' * (cores > 1)}"
    assert f"openmp.prange by {threads}" in prediction.terms(exercises.get("rows_cython")) or (
        cores == 1
    )
    assert says(prediction.terms(exercises.get("kernel")), "OpenCL", "device")


def test_a_function_that_is_no_rung_is_named(snapshot):
    functions = {"yours": "sum_cdef", "before": "sum_def"}
    speed = exercises.Speed(functions=functions, measured="sums of halves")
    said = prediction.terms(dataclasses.replace(exercises.get("calls"), speed=speed))
    assert said == snapshot


@pytest.mark.parametrize("outcome", [RIGHT, SLOW, UNJUDGED])
def test_a_prediction_is_locked_once_a_speed_was_shown(checked, outcome):
    checked.finds(outcome, "--predict", "7")
    assert checked.line().prediction == 7
    _, said = checked.finds(outcome, "--predict", "1234.5")
    assert "your prediction stays 7, not 1,234.5: the first one counts" in said
    assert "you predicted 7" in said
    assert checked.result()["predicted"] == 7


def test_before_a_speed_was_shown_a_prediction_may_change(checked):
    checked.finds(CRASHED, "--predict", "7")
    assert checked.finds(RIGHT, "--predict", "8", interrupted=True)[0] == 130
    assert not checked.line().measured
    assert "you predicted 1,234.5" in checked.finds(RIGHT, "--predict", "1,234.5")[1]
    said = checked.finds(RIGHT, "--predict", "1234.5")[1]
    assert "stays" not in said  # it is the same, to the digit


def test_none_is_locked_too(checked):
    checked.asks("")
    checked.finds(RIGHT)
    assert checked.line().predicted == progress.NONE
    assert "9 is not recorded as your prediction" in checked.finds(RIGHT, "--predict", "9")[1]


# An answer that was broken after it passed


@pytest.mark.slow
@pytest.mark.parametrize("first", [RIGHT, UNJUDGED])
def test_an_answer_that_was_broken_shows_so(checked, tmp_path, first):
    checked.finds(first)
    code, said = checked.finds(WRONG)
    assert (code, says(said, "broken", "pass")) == (1, True)
    assert checked.line().passed  # once: the next exercise may follow
    said = checked("list")[1]
    assert re.search(r"0_2_vectorize +broken ", said)
    assert "0 of 2 passed" in said
    assert says(said, "broken", "check")
    assert (checked.result()["passed"], checked.result()["broken"]) == (False, True)
    handed_in = tmp_path / "class"
    handed_in.mkdir()
    (handed_in / "fern.json").write_text((checked.where / "results.json").read_text())
    assert "| broken" in collect.markdown(student_results.load(handed_in)[0])
    checked.finds(first)
    assert checked.line().state == (progress.RIGHT if first is UNJUDGED else progress.PASSED)
    assert checked.result()["broken"] is False


def test_an_answer_that_became_slow_is_broken_and_keeps_its_best(checked):
    checked.finds(RIGHT)
    checked.finds(SLOW | {"speed": SPEED | {"times_before": 2.0}})
    assert (checked.line().state, checked.line().best) == (progress.BROKEN, 12.0)
    checked.finds(UNJUDGED)  # another answer than the one that was judged
    assert checked.line().state == progress.RIGHT


@pytest.mark.slow
def test_an_answer_that_is_measured_again_gets_no_better_by_luck(checked):
    lucky = RIGHT | {"speed": SPEED | {"times_before": 15.0}}
    checked.finds(UNJUDGED)
    for found in (RIGHT, lucky, UNJUDGED, lucky):
        checked.finds(found)
        assert checked.line().best == 12.0
    checked.writes("?")  # another answer
    checked.finds(UNJUDGED)
    checked.finds(lucky)
    assert checked.line().best == 15.0
    checked.finds(RIGHT)
    assert checked.line().best == 15.0


def test_what_was_not_checked_breaks_nothing(checked):
    checked.finds(RIGHT)
    checked.finds({"passed": False, "unchecked": True, "message": "another check is under way"})
    assert (checked.line().state, checked.line().checks) == (progress.PASSED, 1)


def test_what_is_broken_comes_last_of_what_is_to_be_done(checked):
    checked.finds(RIGHT)
    checked.finds(WRONG)
    assert re.search(r"next +1_2_type", checked("list")[1])
    progress.note(checked.where, "type", state=progress.PASSED)
    assert re.search(r"next +0_2_vectorize +broken", checked("list")[1])


@pytest.mark.slow
def test_an_answer_that_changed_since_its_check_is_marked(checked):
    checked.finds(RIGHT)
    assert "changed since its last check" not in checked("list")[1]
    text = checked.answer.read_text()
    checked.answer.write_text(text + "\n")
    said = checked("list")[1]
    assert re.search(r"0_2_vectorize +passed\*", said)
    assert says(said, "changed", "check")
    checked.answer.write_text(text)
    assert "passed*" not in checked("list")[1]
    (checked.where / "results.json").unlink()  # then nothing is known of its last check
    assert checked("list")[0] == 0
    checked.finds(RIGHT)
    assert checked.result()["passed"]


# What is drawn for the student


@pytest.mark.slow
def test_the_list_draws_predicted_against_measured(checked):
    pytest.importorskip("matplotlib")
    assert "predicted against measured" not in checked("list")[1]
    checked.finds(RIGHT, "--predict", "3")
    picture = checked.where / "predictions.png"
    assert f"predicted against measured: {picture}" in checked("list")[1]
    text = (checked.where / "predictions.svg").read_text(encoding="utf-8")
    assert "3 → 12.0: 4.0 ×" in text
    picture.write_bytes(b"kept")
    os.utime(picture, ns=(2**62, 2**62))
    checked("list")
    assert picture.read_bytes() == b"kept"  # nothing has changed since
    os.utime(picture, ns=(0, 0))
    checked("list")
    assert picture.read_bytes() != b"kept"


def test_a_speed_that_could_not_be_judged_is_held_against_its_prediction(checked, tmp_path):
    pytest.importorskip("matplotlib")
    checked.finds(UNJUDGED, "--predict", "3")
    checked.finds(WRONG)
    assert (checked.line().best, checked.result()["shown"]) == (None, 12.0)
    checked("list")
    text = (checked.where / "predictions.svg").read_text(encoding="utf-8")
    assert "3 → 12.0: 4.0 ×" in text
    (tmp_path / "fern.json").write_text((checked.where / "results.json").read_text())
    students, _ = student_results.load(tmp_path)
    assert collect.near(students["fern"].exercises.values()) == [4.0]


def test_a_list_without_room_for_a_picture_is_a_list(checked, monkeypatch):
    pytest.importorskip("matplotlib")
    checked.finds(RIGHT, "--predict", "3")
    (checked.where / "predictions.png").mkdir()
    code, said = checked("list")
    assert code == 0
    assert "1 of 2 passed" in said
    assert "cannot write" in said


@pytest.mark.parametrize("narrow", [False, True])
def test_each_prediction_is_an_arrow_to_what_was_measured(narrow):
    pytest.importorskip("matplotlib")
    found = [("vectorize", 20.0, 112.0), ("cpp", 1.0, 1.0), ("type", 50.0, 9.41)]
    (axes,) = two_values.draw_predictions(found, narrow).axes
    marks = {line.get_gid(): line.get_xdata()[0] for line in axes.get_lines() if line.get_gid()}
    for name, predicted, measured in found:
        assert (marks[f"old-{name}"], marks[f"new-{name}"]) == (predicted, measured)
    assert two_values.draw_predictions([]) is None
