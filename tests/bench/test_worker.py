"""The program that times rungs of one tree: what a second is."""

import os

import numpy as np
import pytest

from polymask.bench import worker


class Times:
    """Clocks that a call moves: the wall's, this thread's, and that of its other threads."""

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
    made = Times()
    monkeypatch.setattr(worker, "time", made)
    return made


@pytest.fixture
def one(times):
    """A worker whose rung "toy" waits 4 of 10 seconds for a core, and sleeps for 1."""
    made = worker.Worker([(0, 0), (1, 0), (0, 1)], (2, 3))
    made.starved = times

    def call(vertices, shape):
        times.wall += 10.0
        times.starved += 4.0
        times.thread += 5.0
        return np.zeros(shape, np.uint8)

    made.calls["toy"] = call
    return made


def test_time_without_a_core_is_no_part_of_a_call(one):
    assert one.sample("toy", 3) == pytest.approx(6.0)


def test_where_threads_work_one_of_them_may_have_had_the_core(one, times):
    alone = one.calls["toy"]

    def threaded(vertices, shape):
        times.others += 3.0
        return alone(vertices, shape)

    one.calls["toy"] = threaded
    assert one.sample("toy", 3) == pytest.approx(10.0)


def test_warming_up_makes_enough_calls_for_long_enough(one, times):
    assert one.warm_up("toy", 2, 1.0) == pytest.approx(6.0)
    assert times.wall == 20.0
    one.warm_up("toy", 2, 35.0)
    assert times.wall == 60.0


def test_what_linux_counts_is_read_and_elsewhere_it_is_nothing(monkeypatch):
    here = worker.StarvedTime()
    before = here.seconds()
    assert here.seconds() >= before >= 0
    if here.file is not None:
        with open("/proc/thread-self/schedstat", encoding="ascii") as file:
            assert here.seconds() <= 1e-9 * int(file.read().split()[1])

    def none(*arguments):
        raise FileNotFoundError

    monkeypatch.setattr(os, "open", none)
    assert worker.StarvedTime().seconds() == 0.0


def test_masks_of_other_types_and_shapes_are_told_apart():
    mask = np.zeros((2, 3), np.uint8)
    others = [mask.astype(bool), mask.reshape(3, 2), mask[:1], mask + np.uint8(1)]
    found = {worker.digest(one) for one in [mask, *others]}
    assert len(found) == 5
    assert worker.digest(np.asfortranarray(mask)) in found
