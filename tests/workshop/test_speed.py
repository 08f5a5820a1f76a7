"""Messages of a check about a measured speed, and about a machine too busy to judge it.

Nothing is measured here: the times and the load of the machine are invented.
"""

import dataclasses
import itertools
import random
import re
from types import SimpleNamespace

import pytest
from cases import folded, says

from ladder import registry
from ladder.common import busy
from ladder.registry import reference
from ladder.workshop import exercises
from ladder.workshop.sandbox import timing
from ladder.workshop.student import check as checking
from ladder.workshop.student import folder, progress
from ladder.workshop.student import speed as measuring
from ladder.workshop.student.prediction import in_files as predicted_in

QUIET = busy.Look(2, others=0.0, stolen=0.0)
BUSY = busy.Look(2, others=1.8, stolen=0.0, programs=("cc1plus", "make"))
ROUNDS = 20
SPEED = exercises.Speed(
    before="python.tuples", solution="python.vectorized", size=96, of_solution=0.6, times_before=10
)


def measurement(before=30.0, solution=1.0, jitter=1.0):
    """Return ratios of times in ms: yours is 1, but `jitter` in every second round."""
    yours = [1e-3 * (jitter if i % 2 else 1) for i in range(ROUNDS)]
    samples = {"yours": yours, "before": [1e-3 * before] * ROUNDS}
    samples["solution"] = [1e-3 * solution] * ROUNDS
    return timing.ratios(samples) | {"tries": 1, "measured": "masks of about 96 x 96 pixels"}


@pytest.fixture
def stub(workshop, monkeypatch):
    """A workshop with a right answer; `set_speed` sets what the next check will measure."""
    workshop.solve()
    read = exercises.read

    def with_speed(folder):
        exercise = read(folder)
        speed = SPEED if exercise.name == "vectorize" else exercise.speed
        return dataclasses.replace(exercise, speed=speed)

    monkeypatch.setattr(exercises, "read", with_speed)

    def set_speed(speed, load=QUIET, timing_load=QUIET, first_load=None):
        # while the answers are checked, and while they are timed
        loads = itertools.cycle([first_load or load, timing_load])

        def examine(part, *arguments, **keywords):
            if part == "speed":
                return checking.Outcome(speed is not None, speed=speed)
            return checking.Outcome("inside ^= crosses" in workshop.answer.read_text())

        monkeypatch.setattr(checking, "examine", examine)
        monkeypatch.setattr(busy, "look", lambda: load)
        monkeypatch.setattr(busy, "seen", lambda *readings: next(loads))

    workshop.set_speed = set_speed
    workshop.state = lambda: progress.load(workshop.folder)["vectorize"].state
    set_speed(measurement())
    return workshop


# The verdict


@folded(
    ("speed", "shift", "verdict"),
    [
        (measurement(), 1.0, timing.FAST),
        (measurement(before=9), 1.0, timing.SLOW),
        (measurement(solution=0.5), 1.0, timing.SLOW),
        (measurement(solution=0.9, jitter=2), 1.0, timing.UNCLEAR),
        (measurement(), 2.0, timing.UNCLEAR),  # it may be half of the solution's speed
        (measurement(solution=1.3), 2.0, timing.FAST),
        (measurement(before=9), 2.0, timing.UNCLEAR),
        (measurement(before=4), 2.0, timing.SLOW),
    ],
)
def test_a_verdict_considers_the_whole_interval(speed, shift, verdict):
    assert timing.verdict(speed, SPEED, shift) == verdict


def test_a_ratio_is_that_of_the_times_beside_it():
    samples = {"yours": [1.0, 4.0, 1.5, 9.0, 2.0], "before": [6.0, 5.0, 30.0, 5.5, 7.0]}
    ratios = timing.ratios(samples)
    assert ratios["seconds"] == {"yours": 2.0, "before": 6.0}
    assert ratios["times_before"] == 3.0
    assert ratios["of_solution"] is None
    low, high = ratios["between"]["times_before"]
    assert low < 3.0 < high


@pytest.mark.parametrize(("jitter", "tries"), [(2, 2), (1, 1)])
def test_an_unclear_verdict_continues_the_measurement_with_all_rounds(monkeypatch, jitter, tries):
    def measure(lanes, calls, rng, samples, is_settled):
        for i in range(ROUNDS):
            samples["yours"].append(1e-3 * (jitter if i % 2 else 1))
            samples["before"].append(30e-3)
            samples["solution"].append(0.9e-3)

    monkeypatch.setattr(timing, "measure", measure)
    result = timing.run(SPEED, dict.fromkeys(("yours", "before", "solution")), None, 1)
    assert (result["tries"], result["rounds"]) == (tries, tries * ROUNDS)


def test_a_shape_is_made_once_before_it_is_measured(monkeypatch):
    """A driver may compile a kernel for each size, in the first call for that size."""
    is_first, shapes, any_first = [], set(), []

    def make_mask(vertices, shape):
        is_first.append(shape not in shapes)
        shapes.add(shape)
        return reference.mask(vertices, shape)

    def watch(function, calls, chosen, timed=timing.timed):
        before = len(is_first)
        result = timed(function, calls, chosen)
        any_first.append(any(is_first[before:]))
        return result

    monkeypatch.setattr(timing, "timed", watch)
    for seed in range(9):
        timing.batch({"yours": make_mask}, "yours", timing.Masks(8), seed, 2, 1)
    assert any_first == [False] * 9
    assert len(shapes) > 1


@pytest.mark.parametrize(
    ("name", "own", "functions"),
    [
        ("vectorize", "", ["yours make_mask", "python.tuples", "python.vectorized"]),
        ("rows", "own", ["yours make_mask", "python.vectorized", "own make_mask"]),
        ("calls", "own", ["yours sum_cdef", "own sum_def", "own sum_cdef"]),
    ],
)
def test_each_lane_has_its_function(monkeypatch, name, own, functions):
    class Module:
        def __init__(self, name):
            self.name = name

        def __getattr__(self, name):
            return f"{self.name} {name}"

    monkeypatch.setattr(
        registry, "get", lambda key: SimpleNamespace(module=lambda: SimpleNamespace(make_mask=key))
    )
    target = exercises.get(name).speed
    if own:  # the exercise has its own solution
        target = dataclasses.replace(target, solution=None)
    lanes = timing.lanes_of(target, Module("yours"), own and Module(own))
    assert list(lanes.items()) == list(zip(("yours", "before", "solution"), functions, strict=True))


@pytest.mark.parametrize(("settled", "rounds"), [(True, timing.FEWEST), (False, timing.MOST)])
def test_measuring_ends_where_the_verdict_is_clear(monkeypatch, settled, rounds):
    monkeypatch.setattr(timing, "batch", lambda *_: 0.01)
    calls, samples = timing.Masks(9), {"yours": []}
    timing.measure({"yours": None}, calls, random.Random(1), samples, lambda: settled)
    assert len(samples["yours"]) == rounds


def test_no_speed_is_judged_if_the_solution_gains_nothing(stub):
    stub.set_speed(measurement(before=1.2, solution=1.0))
    code, output = stub("check", "vectorize")
    assert code == 0
    assert re.search("RIGHT vectorize: .*, no clear difference from the solution", output)
    assert "speed is not judged yet: the solution itself is not 1.3 times as fast" in output
    outcome = checking.Outcome(True, correct=True, speed=measurement(before=1.2, solution=1.0))
    measuring.judge(outcome, exercises.get("cpp").speed, "")  # which expects no gain from C++
    assert not outcome.untimed


# Output for the student


def test_a_speed_is_shown_as_ratios_with_intervals(stub):
    stub.set_speed(measurement(before=37.55, solution=1.763, jitter=1.3))
    _, output = stub("check")
    words = r"^(PASSED|RIGHT) vectorize: [\d.]+ times as fast as python\.tuples \([\d.]+–[\d.]+\), "
    assert re.search(words + r"\d+% of the solution's speed \(\d+%–\d+%\)$", output, re.M)


# A busy machine


@pytest.mark.parametrize(("load", "timing_load"), [(BUSY, QUIET), (QUIET, BUSY), (BUSY, BUSY)])
def test_on_a_busy_machine_a_right_answer_is_right_and_no_more(stub, load, timing_load):
    stub.set_speed(measurement(), load, timing_load)
    code, out = stub("check")
    assert code == 0
    assert "RIGHT vectorize" in out
    assert (
        "speed is not judged yet: the machine is busy, as 2 other programs (cc1plus, make) use 1.8"
        in out
    )
    assert "PASSED" not in out
    assert stub.state() == progress.RIGHT
    assert "check --pending" in out
    assert "1_2_type" in out  # the next exercise
    output = stub("list", "--all")[1]
    assert re.search("next +1_2_type", output)
    assert re.search(r"^✓ +0_2_vectorize .* ~\d", output, re.M)
    assert says(output, "speed", "judged")


@pytest.mark.parametrize(("first_load", "load"), [(QUIET, BUSY), (BUSY, QUIET)])
def test_other_load_is_measured_while_the_answers_are_checked(stub, first_load, load):
    """A separate look takes 0.3 s, and is needed only to name the programs."""
    stub.set_speed(measurement(), load, first_load=first_load)
    assert "PASSED vectorize" in stub("check")[1]


def test_differences_beyond_any_load_are_judged_on_a_busy_machine_too(stub):
    stub.set_speed(measurement(before=60, solution=1.5), BUSY)
    assert "PASSED vectorize" in stub("check", "vectorize")[1]
    stub.set_speed(measurement(before=2), BUSY)
    code, output = stub("check", "vectorize")
    assert code == 1
    assert "too slow: 2 times as fast as python.tuples, at least 10 required" in output


def test_force_judges_on_a_busy_machine(stub):
    stub.set_speed(measurement(), BUSY, BUSY)
    code, output = stub("check", "vectorize", "--force")
    assert (code, "PASSED vectorize" in output) == (0, True)
    assert "other programs" not in output


def test_noisy_times_are_not_judged(stub):
    stub.set_speed(measurement(solution=0.9, jitter=2))
    code, output = stub("check", "vectorize")
    assert code == 0
    assert re.search("speed is not judged yet: the times vary too much$", output, re.M)
    assert stub.state() == progress.RIGHT


def test_the_processes_that_were_examined_are_not_the_others(monkeypatch):
    counts = busy.Reading({0: (1, 2, 3)}, {}, 10.0)
    times = SimpleNamespace(children_user=3.0, children_system=1.0)
    monkeypatch.setattr(busy, "read", lambda: counts)
    monkeypatch.setattr(checking.os, "times", lambda: times)
    assert checking.read_load().own_s == 14.0
    monkeypatch.setattr(busy, "read", lambda: None)  # on a system without such counts
    assert checking.read_load() is None


# Predictions


@folded("exercise", [e for e in exercises.every() if e.speed])
def test_the_line_of_the_starter_is_read_whichever_file_has_it(exercise, tmp_path):
    folder.start(tmp_path, [exercise])
    answer_folder = tmp_path / exercise.directory
    assert predicted_in(exercise, answer_folder) is None
    for name in exercise.files:
        text = (answer_folder / name).read_text().replace("prediction: ?", "prediction: 12.5")
        (answer_folder / name).write_text(text)
    assert predicted_in(exercise, answer_folder) == "12.5"
