"""The program that times the rungs of one tree: which seconds it counts."""

import os

import numpy as np
import pytest

from ladder.bench import worker


class Times:
    """Clocks that a call advances: wall time, this thread's time, and its other threads' time."""

    def __init__(self):
        self.wall = self.thread = self.others = self.starved = 0.0

    def perf_counter(self):
        return self.wall

    def thread_time(self):
        return self.thread

    def process_time(self):
        return self.thread + self.others

    def seconds(self):
        return self.starved


@pytest.fixture
def times(monkeypatch):
    clocks = Times()
    monkeypatch.setattr(worker, "time", clocks)
    return clocks


@pytest.fixture
def toy_worker(times):
    """A worker whose rung "toy" waits 4 of 10 seconds for a core, and sleeps for 1."""
    toy = worker.Worker([(0, 0), (1, 0), (0, 1)], (2, 3))
    toy.starved = times

    def call(vertices, shape):
        times.wall += 10.0
        times.starved += 4.0
        times.thread += 5.0
        return np.zeros(shape, np.uint8)

    toy.calls["toy"] = call
    return toy


def test_time_without_a_core_is_no_part_of_a_call(toy_worker):
    assert toy_worker.sample("toy", 3) == pytest.approx(6.0)


def test_where_threads_work_one_of_them_may_have_had_the_core(toy_worker, times):
    single_threaded = toy_worker.calls["toy"]

    def threaded(vertices, shape):
        times.others += 3.0
        return single_threaded(vertices, shape)

    toy_worker.calls["toy"] = threaded
    assert toy_worker.sample("toy", 3) == pytest.approx(10.0)


def test_warming_up_makes_enough_calls_for_long_enough(toy_worker, times):
    assert toy_worker.warm_up("toy", 2, 1.0) == pytest.approx(6.0)
    assert times.wall == 20.0
    toy_worker.warm_up("toy", 2, 35.0)
    assert times.wall == 60.0


def test_starved_time_is_read_from_linux_and_zero_elsewhere(monkeypatch):
    starved = worker.StarvedTime()
    before = starved.seconds()
    assert starved.seconds() >= before >= 0
    if starved.file is not None:
        with open("/proc/thread-self/schedstat", encoding="ascii") as file:
            assert starved.seconds() <= 1e-9 * int(file.read().split()[1])

    def unavailable(*arguments):
        raise FileNotFoundError

    monkeypatch.setattr(os, "open", unavailable)
    assert worker.StarvedTime().seconds() == 0.0


def test_masks_of_other_types_and_shapes_are_told_apart():
    mask = np.zeros((2, 3), np.uint8)
    others = [mask.astype(bool), mask.reshape(3, 2), mask[:1], mask + np.uint8(1)]
    digests = {worker.digest(array) for array in [mask, *others]}
    assert len(digests) == 5
    assert worker.digest(np.asfortranarray(mask)) in digests
