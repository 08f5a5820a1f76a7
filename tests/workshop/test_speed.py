"""What a check says of a measured speed, and of a machine on which none can be judged.

No test here measures: times, and what others do on the machine, are handed in.
"""

import dataclasses
import itertools
import json
import random
import re
from types import SimpleNamespace

import pytest
from cases import folded, says

from polymask.cli import workshop_list
from polymask.common import busy
from polymask.ladder import reference
from polymask.workshop import exercises
from polymask.workshop.author import collect, student_results
from polymask.workshop.sandbox import child, timing
from polymask.workshop.student import check as checking
from polymask.workshop.student import folder, progress
from polymask.workshop.student import speed as measuring
from polymask.workshop.student.prediction import in_files as predicted_in

QUIET = busy.Look(2, others=0.0, stolen=0.0)
BUSY = busy.Look(2, others=1.8, stolen=0.0, programs=("cc1plus", "make"))
ROUNDS = 20
SPEED = exercises.Speed(
    before="python.tuples",
    solution="python.vectorized",
    size=96,
    of_solution=0.6,
    times_before=10,
    slower="an index costs time",
)


def found(before=30.0, solution=1.0, wander=1.0):
    """What was measured: times in ms, your own being 1; every second round is `wander` times it."""
    yours = [1e-3 * (wander if i % 2 else 1) for i in range(ROUNDS)]
    samples = {"yours": yours, "before": [1e-3 * before] * ROUNDS}
    samples["solution"] = [1e-3 * solution] * ROUNDS
    return measuring.ratios(samples) | {"tries": 1, "measured": "masks of some 96 x 96 pixels"}


@pytest.fixture
def measured(workshop, monkeypatch):
    """A workshop whose answer is right; what is called before a check says what it will measure."""
    workshop.solve()
    read = exercises.read

    def with_speed(folder):
        exercise = read(folder)
        speed = SPEED if exercise.name == "vectorize" else exercise.speed
        return dataclasses.replace(exercise, speed=speed)

    monkeypatch.setattr(exercises, "read", with_speed)

    def will_be(speed, now=QUIET, meanwhile=QUIET, at_first=None):
        # while the answers are checked, and while they are measured
        seen = itertools.cycle([at_first or now, meanwhile])

        def examine(part, *arguments, **keywords):
            if part == "speed":
                return checking.Outcome(speed is not None, speed=speed)
            return checking.Outcome("inside ^= crosses" in workshop.answer.read_text())

        monkeypatch.setattr(checking, "examine", examine)
        monkeypatch.setattr(busy, "look", lambda: now)
        monkeypatch.setattr(busy, "seen", lambda *readings: next(seen))

    workshop.will_be = will_be
    workshop.line = lambda: progress.load(workshop.where)["vectorize"]
    will_be(found())
    return workshop


# The verdict


@folded(
    ("speed", "shift", "verdict"),
    [
        (found(), 1.0, measuring.FAST),
        (found(before=9), 1.0, measuring.SLOW),
        (found(solution=0.5), 1.0, measuring.SLOW),
        (found(solution=0.9, wander=2), 1.0, measuring.UNCLEAR),
        (found(), 2.0, measuring.UNCLEAR),  # half of the solution's speed might be meant
        (found(solution=1.3), 2.0, measuring.FAST),
        (found(before=9), 2.0, measuring.UNCLEAR),
        (found(before=4), 2.0, measuring.SLOW),
    ],
)
def test_a_verdict_takes_all_of_the_interval(speed, shift, verdict):
    assert measuring.verdict(speed, SPEED, shift) == verdict


def test_a_ratio_is_that_of_the_times_beside_it():
    samples = {"yours": [1.0, 4.0, 1.5, 9.0, 2.0], "before": [6.0, 5.0, 30.0, 5.5, 7.0]}
    said = measuring.ratios(samples)
    assert said["seconds"] == {"yours": 2.0, "before": 6.0}
    assert said["times_before"] == 3.0
    assert said["of_solution"] is None
    low, high = said["between"]["times_before"]
    assert low < 3.0 < high


@pytest.mark.parametrize(("wander", "tries"), [(2, 2), (1, 1)])
def test_what_is_not_clear_is_measured_on_and_no_round_is_forgotten(monkeypatch, wander, tries):
    def measure(lanes, drawn_by, most, samples, settled):
        for i in range(ROUNDS):
            samples["yours"].append(1e-3 * (wander if i % 2 else 1))
            samples["before"].append(30e-3)
            samples["solution"].append(0.9e-3)

    monkeypatch.setattr(measuring, "measure", measure)
    said = measuring.run(SPEED, dict.fromkeys(("yours", "before", "solution")), 9, 1)
    assert (said["tries"], said["rounds"]) == (tries, tries * ROUNDS)


def test_a_shape_is_made_once_before_it_is_measured():
    """As by a driver that compiles a kernel for each size, in the first call of that size."""
    told, shapes = [], set()

    def make_mask(vertices, shape):
        told.append(shape not in shapes)
        shapes.add(shape)
        return reference.mask(vertices, shape)

    seconds, batch = [], timing.batch

    def watched(function, calls, chosen):
        before = len(told)
        got = batch(function, calls, chosen)
        seconds.append(any(told[before:]))
        return got

    questions = [json.dumps({"seed": n, "calls": 2, "look": 1}) for n in range(9)]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(timing, "batch", watched)
        patched.setattr(child, "exercise", exercises.get("vectorize"))
        patched.setattr(child, "tell", lambda **line: None)
        answer = SimpleNamespace(make_mask=make_mask)
        timing.serve(answer, "yours", timing.Masks(8), questions)
    assert seconds == [False] * 9
    assert len(shapes) > 1


def test_measuring_ends_where_the_verdict_is_clear(monkeypatch):
    answers = {}
    monkeypatch.setattr(measuring, "batch", lambda *_: 0.01)
    for settled in True, False:
        samples = {"yours": []}
        measuring.measure(
            {"yours": None}, random.Random(1), 9, samples, lambda settled=settled: settled
        )
        answers[settled] = len(samples["yours"])
    assert answers == {True: measuring.FEWEST, False: measuring.MOST}


def test_where_the_solution_gains_nothing_no_speed_is_judged(measured):
    measured.will_be(found(before=1.2, solution=1.0))
    code, said = measured("check", "vectorize")
    assert code == 0
    assert "RIGHT vectorize" in said
    assert "speed not measured here: the solution itself is not 1.3 times as fast" in said
    outcome = checking.Outcome(True, correct=True, speed=found(before=1.2, solution=1.0))
    measuring.judge(outcome, exercises.get("cpp").speed, "")  # which says that C++ gains nothing
    assert not outcome.untimed


# What the student reads


def test_times_and_ratios_do_not_contradict_each_other(measured):
    measured.will_be(found(before=37.55, solution=1.763, wander=1.3))
    _, said = measured("check")
    times = re.findall(r"^  (\S.*?) +([\d.]+) ms", said, re.M)
    yours, before, solution = (float(time) for _, time in times)
    ratio = float(re.search(r"yours is ([\d.]+) times as fast \([\d.]+–[\d.]+\)", said)[1])
    share = float(re.search(r"yours has (\d+)% of its speed \(\d+%–\d+%\)", said)[1])
    assert before / yours == pytest.approx(ratio, rel=0.01)
    assert 100 * solution / yours == pytest.approx(share, abs=1)
    assert "its speed, all in one run, masks of some 96 x 96 pixels:" in said


@pytest.mark.parametrize(("solution", "told"), [(0.9, False), (0.65, True)])
def test_a_right_answer_far_from_the_solution_is_told_why(solution, told, measured, monkeypatch):
    less = dataclasses.replace(SPEED, of_solution=0.3)
    monkeypatch.setitem(globals(), "SPEED", less)
    measured.will_be(found(solution=solution - 0.1))
    code, said = measured("check")
    assert code == 0
    assert ("far from the solution's speed; an index costs time" in said) == told


def test_what_is_measured_is_named(snapshot):
    assert "halves" in exercises.get("calls").speed.what
    assert exercises.get("vectorize").speed.what == snapshot


# A machine that is busy


@pytest.mark.parametrize(("now", "meanwhile"), [(BUSY, QUIET), (QUIET, BUSY), (BUSY, BUSY)])
def test_on_a_busy_machine_a_right_answer_is_right_and_no_more(measured, now, meanwhile):
    measured.will_be(found(), now, meanwhile)
    code, said = measured("check")
    assert code == 0
    assert "RIGHT vectorize" in said
    assert "speed not judged: machine busy, as 2 other programs (cc1plus, make) use 1.8 of" in said
    assert "PASSED" not in said
    assert (measured.line().state, measured.line().best) == (progress.RIGHT, None)
    assert re.search("0_2_vectorize +right", measured("list")[1])
    assert says(measured("list")[1], "speed", "judged")
    early = said.find("2 other programs") < said.find("its speed, all in one run")
    assert early == (now is BUSY)  # said before it is measured
    assert ("--force" in said) == (now is BUSY)


@pytest.mark.parametrize(("at_first", "now"), [(QUIET, BUSY), (BUSY, QUIET)])
def test_who_else_works_is_seen_while_the_answers_are_checked(measured, at_first, now):
    """A look of its own is 0.3 s longer to wait: only what has to be named needs one."""
    measured.will_be(found(), now, at_first=at_first)
    assert "PASSED vectorize" in measured("check")[1]


def test_who_is_right_goes_on_with_the_next_exercise(measured):
    measured.will_be(found(), BUSY)
    assert "1_2_type" in measured("check")[1]
    assert re.search("next +1_2_type", measured("list")[1])


@pytest.mark.parametrize(
    ("speed", "state"), [(found(), progress.PASSED), (found(before=5), progress.OPEN)]
)
def test_a_check_on_a_quiet_machine_judges_it(measured, speed, state):
    measured.will_be(found(), BUSY)
    measured("check", "vectorize")
    measured.will_be(speed)
    measured("check", "vectorize")
    assert measured.line().state == state
    measured.will_be(found(), BUSY)  # which does not take back what was judged
    measured("check", "vectorize")
    assert measured.line().state in (state, progress.RIGHT)
    assert measured.line().passed


def test_what_no_load_explains_is_judged_on_a_busy_machine_too(measured):
    measured.will_be(found(before=60, solution=1.5), BUSY)
    assert "PASSED vectorize" in measured("check", "vectorize")[1]
    measured.will_be(found(before=2), BUSY)
    code, said = measured("check", "vectorize")
    assert code == 1
    assert "too slow: 2 times as fast as before, at least 10 required" in said


def test_force_judges_on_a_busy_machine(measured):
    measured.will_be(found(), BUSY, BUSY)
    code, said = measured("check", "vectorize", "--force")
    assert (code, "PASSED vectorize" in said) == (0, True)
    assert "other programs" not in said


def test_times_that_wander_judge_nothing(measured):
    measured.will_be(found(solution=0.9, wander=2))
    code, said = measured("check", "vectorize")
    assert code == 0
    words = r"speed not judged: its times vary too much: \d+% to \d+% of the solution's speed"
    assert re.search(words + ", where 60% is required", said)
    assert measured.line().state == progress.RIGHT


def test_the_class_sees_whose_speed_was_not_judged(measured, tmp_path):
    measured.will_be(found(), BUSY)
    measured("check", "vectorize")
    said = json.loads((measured.where / "results.json").read_text())
    assert said["exercises"]["vectorize"]["judged"] is False
    results = tmp_path / "class"
    results.mkdir()
    (results / "fern.json").write_text(json.dumps(said))
    students, _ = student_results.load(results)
    text = collect.markdown(students)
    assert "| speed not judged for |" in text
    assert re.search(r"\| vectorize \| 1 of 1 \|.* fern \|", text)
    assert "| vectorize | right |" in text
    del said["exercises"]["vectorize"]["judged"]  # as files of before: what passed was judged
    (results / "fern.json").write_text(json.dumps(said))
    students, _ = student_results.load(results)
    assert "speed not judged for" not in collect.markdown(students)


def test_the_processes_that_were_examined_are_not_the_others(monkeypatch):
    counts = busy.Reading({0: (1, 2, 3)}, {}, 10.0)
    times = SimpleNamespace(children_user=3.0, children_system=1.0)
    monkeypatch.setattr(busy, "read", lambda: counts)
    monkeypatch.setattr(checking.os, "times", lambda: times)
    assert checking.read_load().own_s == 14.0
    monkeypatch.setattr(busy, "read", lambda: None)  # a system without such counts
    assert checking.read_load() is None


# Predictions


def ask(monkeypatch, *answers):
    """Answer what is asked in a terminal; return what was asked."""
    asked, told = [], iter(answers)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("click.prompt", lambda text, **_: asked.append(text) or next(told))
    return asked


def test_the_prediction_is_asked_once_the_answer_is_right(measured, monkeypatch):
    asked = ask(monkeypatch, "x 30")
    measured.answer.write_text("x = 1\n")
    assert measured("check", "vectorize")[0] == 1
    assert asked == []
    measured.solve()
    for _ in range(2):
        assert "you predicted 30" in measured("check", "vectorize")[1]
    assert len(asked) == 1


@folded("exercise", [e for e in exercises.every() if e.speed])
def test_the_line_of_the_starter_is_read_whichever_file_has_it(exercise, tmp_path):
    folder.start(tmp_path, [exercise])
    there = tmp_path / exercise.directory
    assert predicted_in(exercise, there) is None
    for name in exercise.files:
        text = (there / name).read_text().replace("prediction: ?", "prediction: 12.5")
        (there / name).write_text(text)
    assert predicted_in(exercise, there) == "12.5"


def test_a_workshop_of_before_keeps_what_was_measured(measured):
    """Its file has a best speed-up, and no word for a prediction that is too late."""
    (measured.where / "progress.txt").write_text("vectorize passed 12.3 - 0 2\n")
    assert "30 is not recorded" in measured("check", "vectorize", "--predict", "30")[1]


# The list, in narrow terminals


@pytest.mark.slow
@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_list_is_readable(measured, monkeypatch, width):
    from rich.console import Console

    for exercise in exercises.every():
        (measured.where / exercise.directory).mkdir(exist_ok=True)
    measured("check", "vectorize", "--predict", "40")
    wide = Console(width=width, force_terminal=True, color_system=None)
    monkeypatch.setattr(workshop_list, "console", lambda: wide)
    lines = measured("list")[1].splitlines()
    table = lines[1 : 1 + len(exercises.every())]
    for line, exercise in zip(table, exercises.every(), strict=True):
        assert len(line) <= width
        assert f" {exercise.directory} " in line
    assert re.match(r"next +0_1_profile +open\b", table[0])
    assert re.match(r" +0_2_vectorize +passed +30\.0 +40\b", table[1])
    assert (width < 70) != ("One call for many pixels" in table[1])


def test_the_list_is_whole_in_a_pipe(measured, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    said = measured("list")[1]
    for title in (exercises.get("vectorize").title, exercises.get("type").title):
        assert re.search(f" {re.escape(title)} *$", said, re.M)
