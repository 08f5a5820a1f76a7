"""The driver checks before it times, tells wrong from skipped, and keeps measurements."""

import dataclasses
import gc
import itertools
import json
import random
import subprocess
import sys
import types
import weakref

import numpy as np
import pytest
from cases import folded

from ladder import devices
from ladder.bench import driver, estimate, result_json, rounds, summary
from ladder.bench.measurement import Measurement
from ladder.bench.plan import Plan
from ladder.bench.result import Workload
from ladder.common import checkout, confidence
from ladder.registry import reference, workload
from polymask.contract import Unavailable

SHAPE = (20, 30)


def measure(*keys, shape=SHAPE, seconds=0, **keywords):
    return driver.measure(Plan(keys, shape=shape, seconds=seconds, **keywords))


def right(vertices, shape, border_value=True):
    return reference.mask(vertices, shape, border_value)


def test_good_rows_have_times_and_ratios():
    result = measure("python.tuples", "clib.points", "cclass.polygon")
    base, before, row = result.rows
    assert base.speedup == pytest.approx(1, rel=0.05)
    assert row.status == "ok"
    assert row.samples == len(row.samples_s) >= rounds.FEWEST_ROUNDS
    assert row.min_s <= row.median_s
    assert row.ci95_s == confidence.bootstrap_ci95(row.samples_s)
    ratios = np.divide.outer(base.samples_s, row.samples_s)
    assert row.speedup == np.median(ratios)
    assert row.speedup_ci95[0] < row.speedup_ci95[1]
    for kind in ("fresh", "warm"):
        minimum = getattr(result.yardstick, f"memset_{kind}_min_s")
        assert 0 < minimum <= getattr(result.yardstick, f"memset_{kind}_s")
    assert row.times_yardstick > 1  # each pixel evaluates every edge, memset only writes
    assert row.speedup_before == np.median(np.divide.outer(before.samples_s, row.samples_s))
    assert before.speedup_before is None  # the rung it starts from was not measured
    assert row.first_call_s > 0
    assert row.wrong_pixels == 0
    assert row.course_speedup == pytest.approx(36 / 0.118)


def test_wrong_rung_is_reported_and_not_timed(plant):
    def one_pixel_off(vertices, shape, border_value=True):
        mask = right(vertices, shape)
        mask[0, 0] ^= 1
        return mask

    plant("fake.wrong", one_pixel_off)
    result = measure("fake.wrong", "cclass.polygon")
    row = result.row("fake.wrong")
    assert row.status == "wrong"
    assert row.wrong_pixels == 1
    assert "1 of 600 pixels differ" in row.reason
    assert row.median_s is None
    assert row.samples_s == []
    assert row.speedup is None
    assert result.row("cclass.polygon").status == "ok"


@folded(
    "spoil",
    [
        np.zeros_like,
        lambda mask: np.ascontiguousarray(mask.T),
        lambda mask: mask * 255,
        lambda mask: mask.astype(bool),
        lambda mask: mask.astype(float) * np.nan,
        lambda mask: mask.tolist(),
        lambda mask: None,
    ],
)
def test_masks_that_look_right_are_wrong(spoil):
    mask = reference.mask(workload.polygon(shape=SHAPE), SHAPE)
    row = Measurement("fake", "rung")
    row.check(spoil(mask), mask)
    assert row.status == "wrong"
    assert row.wrong_pixels > 0


def test_rung_that_raises_is_wrong_and_the_others_go_on(plant):
    def broken(vertices, shape):
        raise ZeroDivisionError("no luck")

    plant("fake.broken", broken)
    result = measure("fake.broken", "cclass.polygon")
    assert result.row("fake.broken").reason == "raised ZeroDivisionError: no luck"
    assert result.row("cclass.polygon").status == "ok"


def test_skipped_rung_says_why(plant):
    def check():
        raise Unavailable("no such device", "buy one")

    plant("fake.skipped", right, check=check)
    row = measure("fake.skipped").row("fake.skipped")
    assert (row.status, row.reason) == ("skipped", "no such device: buy one")
    assert row.median_s is None


def test_ctrl_c_keeps_the_measurements(plant, clock):
    calls = []

    def interrupted_later(vertices, shape):
        calls.append(1)
        clock.work(0.02)
        if len(calls) > 12:  # the check, five or six warm-up calls, and some rounds
            raise KeyboardInterrupt
        return right(vertices, shape)

    plant("fake.interrupted", interrupted_later)
    result = measure("cclass.polygon", "fake.interrupted", seconds=60)
    assert result.interrupted
    for key in ("cclass.polygon", "fake.interrupted"):
        row = result.row(key)
        assert row.status == "ok"
        assert 1 <= row.samples < rounds.FEWEST_ROUNDS
    json.dumps(dataclasses.asdict(result), allow_nan=False)


@pytest.mark.parametrize("call", [1, 4], ids=["the check", "while warming up"])
def test_ctrl_c_before_anything_was_measured(plant, call):
    calls = []

    def interrupt(vertices, shape):
        calls.append(1)
        if len(calls) == call:  # the check, then at least five calls before the first sample
            raise KeyboardInterrupt
        return right(vertices, shape)

    plant("fake.interrupted", interrupt)
    row = measure("fake.interrupted").row("fake.interrupted")
    assert (row.status, row.reason) == ("skipped", "interrupted before it was measured")
    assert row.samples == 0


def test_options_reach_the_rung_and_the_record(plant):
    levels = []

    def with_option(vertices, shape, *, level=1):
        levels.append(level)
        return right(vertices, shape)

    plant("fake.option", with_option)
    row = measure("fake.option", options={"fake.option": {"level": 3}}).row("fake.option")
    assert set(levels) == {3}
    assert row.options == {"level": 3}


@pytest.mark.parametrize(("name", "kernel_s"), [("kernel", 0.25), ("launch", None)])
def test_device_time_comes_from_events(plant, monkeypatch, name, kernel_s):
    def on_device(vertices, shape, *, events=None):
        events |= {"to_device": (0.0, 0.5), name: (0.5, 0.75)}
        return right(vertices, shape)

    class Fake(devices.Kind):
        launch = dict

        def cores(self):
            return 3

        def commands(self, events):
            return [devices.Command(name, 0.0, 0.0, *times) for name, times in events.items()]

    module = types.SimpleNamespace(KIND=Fake())
    monkeypatch.setitem(sys.modules, "ladder.devices.fake", module)
    plant("fake.device", on_device, device="fake")
    row = measure("fake.device").row("fake.device")
    assert row.threads == 3
    assert row.kernel_s == kernel_s


def test_slow_rows_run_between_the_rounds(plant, clock):
    order = []

    def slow(vertices, shape):
        order.append("slow")
        clock.work(1.1 * rounds.SLOW_CALL_S)
        return right(vertices, shape)

    def fast(vertices, shape):
        order.append("fast")
        clock.work(0.01)
        return right(vertices, shape)

    plant("fake.slow", slow)
    plant("fake.fast", fast)
    row = measure("fake.slow", "fake.fast").row("fake.slow")
    assert row.samples == rounds.SLOW_SAMPLES
    assert "few samples" in row.flags
    changes = sum(a != b for a, b in itertools.pairwise(order))
    assert changes >= 3  # not all slow calls at one end


def test_base_runs_at_the_start_in_the_middle_and_at_the_end():
    base = Measurement("python.tuples", "rung", slow=True, samples=[10.0], pace_s=10.0)
    other = Measurement("python.scalars", "rung", slow=True, samples=[40.0], pace_s=40.0)
    between = rounds.interleave([base, other], 10, random.Random(0))
    assert [number for number, rows in enumerate(between) if base in rows] == [5, 10]
    assert not any(other in rows for rows in between)  # a row this slow is measured once


def test_yardsticks_write_every_byte():
    warm = driver.memset.WarmMemset(SHAPE)
    warm.mask[:] = 7
    assert (warm() == 1).all()
    fresh = driver.memset.FreshMemset(SHAPE)
    first, second = fresh(), fresh()
    assert (first == 1).all()
    assert first.shape == SHAPE
    assert not np.shares_memory(first, second)


@pytest.fixture
def _slow_python(monkeypatch):
    """Make the estimate for plain Python slow, whatever the machine and the version."""
    monkeypatch.setattr(estimate, "estimate", lambda *_: 2 * rounds.SLOW_CALL_S)


@pytest.mark.usefixtures("_slow_python")
def test_slow_plain_python_is_put_off_to_the_rounds():
    """A single call serves as check, first call and first sample, in any order of rungs."""
    base, row = measure("python.tuples", "python.scalars", "cclass.polygon").rows[:2]
    for slow_row in base, row:
        assert slow_row.wrong_pixels == 0
        assert slow_row.samples_s[0] == slow_row.first_call_s
        assert slow_row.samples == 3


@pytest.mark.usefixtures("_slow_python")
def test_slow_plain_python_that_is_wrong_is_not_timed(plant):
    plant("fake.wrong", lambda vertices, shape: np.ones(shape, np.uint8))
    row = measure("fake.wrong", "cclass.polygon").row("fake.wrong")
    assert row.status == "wrong"
    assert row.samples_s == []


@pytest.mark.slow
def test_compilation_in_the_first_call_is_not_a_sample(plant, clock):
    """The time of compilation belongs to the first call, which has a column of its own."""
    calls = []

    def compiled_late(vertices, shape):
        clock.work(0.001 if calls else 1.5)
        calls.append(1)
        return right(vertices, shape)

    plant("fake.compiled", compiled_late, jit="numba")
    row = measure("fake.compiled").row("fake.compiled")
    assert row.first_call_s > 1.5
    assert max(row.samples_s) < 0.01


def test_commit_and_changes_of_the_tree(tmp_path, monkeypatch):
    def git(*arguments):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True)

    (tmp_path / "ladder" / "registry").mkdir(parents=True)
    code = tmp_path / "ladder" / "registry" / "__init__.py"
    code.write_text("1\n")
    git("init", "-q")
    monkeypatch.setattr(checkout, "ROOT", tmp_path)
    unknown = checkout.commit()
    assert "no commit" in unknown.pop("commit_unknown")
    assert unknown == {"commit": None, "dirty": None}
    git("add", ".")
    git("commit", "-qm", "one")
    (tmp_path / "mask.png").write_text("what a command wrote")
    assert checkout.commit()["dirty"] is False
    assert len(checkout.commit()["commit"]) == 40
    code.write_text("2\n")
    assert checkout.commit()["dirty"] is True


def test_mask_is_freed_before_the_next_call():
    masks = []

    def call():
        assert all(mask() is None for mask in masks)
        mask = np.zeros(3, np.uint8)
        masks.append(weakref.ref(mask))
        return mask

    row = Measurement("fake", "rung", call=call, repeats=5)
    row.take_sample()
    assert len(masks) == 5


def test_a_sample_is_of_one_call(clock):
    row = Measurement("fake", "rung", call=lambda: clock.work(1.0), repeats=4)
    assert row.take_sample() == pytest.approx((1.0, 1.0), rel=1e-3)


@pytest.mark.parametrize("collects", [True, False])
def test_a_sample_leaves_the_garbage_collector_as_it_was(collects):
    states = []
    row = Measurement("fake", "rung", call=lambda: states.append(gc.isenabled()))
    try:
        (gc.enable if collects else gc.disable)()
        row.take_sample()
        assert (states, gc.isenabled()) == ([False], collects)
    finally:
        gc.enable()


def test_slowed_probe_flags_the_row():
    row = Measurement(
        "fake", "rung", samples=[1.0] * 8, probes=[1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 1, 1]
    )
    calm = Measurement("calm", "rung", samples=[1.0] * 8, probes=[1.0] * 8)
    first, second = summary.rows([row, calm], [], [1.0] * 13 + [2.0] * 3)
    assert first.flags == ["slowed probe"]
    assert second.flags == []


def test_record_names_its_origin():
    result = measure("cclass.polygon")
    machine = result.machine
    for name in ("cpu", "cores", "affinity", "python", "numpy", "compiler", "flags", "date"):
        assert getattr(machine, name), name
    assert machine.flush_to_zero == []
    vertices = workload.polygon(shape=SHAPE)
    assert result.workload == Workload(
        shape=SHAPE,
        seed=0,
        polygon_sha256=workload.sha256(vertices),
        polygon_xy=[tuple(vertex) for vertex in vertices.tolist()],
    )
    assert result.workload.vertices == 24


def test_saved_result_reads_back_equal(tmp_path):
    result = measure("cclass.polygon")
    result_json.save(result, tmp_path / "bench.json")
    text = (tmp_path / "bench.json").read_text()
    assert result_json.load(json.loads(text), "bench.json") == result
    assert len(text.splitlines()) < 300  # each list of numbers is on one line


def test_bad_polygon_is_refused_before_anything_runs():
    with pytest.raises(ValueError, match="not finite"):
        measure("cclass.polygon", vertices=[[0, 0], [1, np.nan], [1, 1]])
    with pytest.raises(KeyError, match="did you mean"):
        measure("cclass.poligon")
