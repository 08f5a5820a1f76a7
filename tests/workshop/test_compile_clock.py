"""What an answer compiles is no time of its own: a limit is that of what runs."""

import os
import random
import time
from types import SimpleNamespace

import judge
import numpy as np
import pytest

from polymask.workshop import exercises
from polymask.workshop.sandbox import asking, compile_clock, examine, failures


@pytest.fixture
def clock():
    """A clock that both sides are in one process."""
    fd, memory = asking.shared(compile_clock.SIZE)
    memory.close()
    made = compile_clock.Clock(fd)
    os.close(fd)
    yield made
    made.close()


def test_the_clock_counts_while_something_is_compiled(clock, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    assert clock.seconds() == 0.0
    with clock.compiling():
        now[0] += 2.0
        assert clock.seconds() == 2.0
        with clock.compiling():  # in it, or in another thread
            now[0] += 3.0
        now[0] += 1.0
    now[0] += 50.0
    assert clock.seconds() == 6.0
    with clock.compiling():
        now[0] += 1e6
    assert clock.seconds() == compile_clock.MOST_S


@pytest.mark.parametrize("times", [(float("nan"), 0.0), (-5.0, 0.0), (1e300, 0.0)])
def test_a_clock_that_says_nonsense_says_no_more_than_the_most(times, clock):
    clock.memory[: compile_clock.SIZE] = compile_clock.TIMES.pack(*times)
    assert clock.seconds() == compile_clock.MOST_S


def test_numba_is_heard(clock, request):
    numba = pytest.importorskip("numba")
    from numba.core import event

    listener = compile_clock.watch_numba(clock, numba)
    request.addfinalizer(lambda: event.unregister(compile_clock.NUMBAS_LOCK, listener))
    twice = numba.njit(lambda x: 2 * x)
    before = clock.seconds()
    assert twice(3) == 6
    compiled = clock.seconds()
    assert compiled > before
    assert twice(4) == 8
    assert clock.seconds() == compiled


SLOW = """
import time
built = cl.Program._build_and_catch_errors
def slowly(*arguments, **keywords):
    time.sleep(2.5)
    return built(*arguments, **keywords)
cl.Program._build_and_catch_errors = slowly
def spin(n):
    while n: pass
"""


@pytest.mark.proof(*judge.JUDGE)
def test_a_slow_build_of_a_kernel_passes_and_a_loop_is_still_told_soon(answer_of):
    given, a = answer_of("vector_add", SLOW), np.ones(65, np.float32)
    given.begun().each = 1.0
    assert np.array_equal(given.add(a, a), 2 * a)
    begun = time.monotonic()
    with pytest.raises(failures.Stopped) as stopped:
        given.spin(1)
    assert stopped.value.ended.timed_out
    assert time.monotonic() - begun < 60


ENDLESS = """
text = "kernel void f(global volatile int *a) { while (a[0] == 0) a[1] = 1; }"
def loop():
    d_a = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=np.zeros(2, np.int32))
    kernel = cl.Program(context, text).build().f
    for size in (1, 2):
        kernel(queue, (size,), (size,), d_a)
    queue.finish()
"""


@pytest.mark.proof(*judge.JUDGE)
def test_a_kernel_that_never_ends_is_told_soon(answer_of):
    given = answer_of("vector_add", ENDLESS)
    given.begun().each = 1.0
    begun = time.monotonic()
    with pytest.raises(failures.Stopped) as stopped:
        given.loop()
    assert stopped.value.ended.timed_out
    assert time.monotonic() - begun < 60


SUBMITTED, RUNNING, COMPLETE = 2, 1, 0


class Event:
    """A launch whose state is set by hand."""

    def __init__(self):
        self.command_execution_status = SUBMITTED


def test_a_launch_that_waits_for_its_compiler_is_counted_and_no_other(clock):
    cl = SimpleNamespace(
        _cl=SimpleNamespace(enqueue_nd_range_kernel=lambda *arguments: launched.pop(0)),
        command_execution_status=SimpleNamespace(RUNNING=RUNNING),
        kernel_info=SimpleNamespace(PROGRAM=1),
    )
    launches = compile_clock.FirstLaunches(clock, cl)
    kernel = SimpleNamespace(get_info=lambda what: SimpleNamespace(int_ptr=7), function_name="f")
    first, second, again = events = [Event(), Event(), Event()]
    launched = list(events)
    cl._cl.enqueue_nd_range_kernel(None, kernel, (64,), (8,))
    wait_until(lambda: clock.depth)
    first.command_execution_status = RUNNING
    wait_until(lambda: not clock.depth)
    assert cl._cl.enqueue_nd_range_kernel(None, kernel, (64,), (16,)) is second
    known = {"global_work_size": (64,), "local_work_size": (8,)}
    assert cl.enqueue_nd_range_kernel(None, kernel, **known) is again  # it is compiled
    assert launches.waiting == [first, second]
    assert not clock.depth  # the second waits for the first
    first.command_execution_status = COMPLETE
    wait_until(lambda: clock.depth)
    second.command_execution_status = -5  # it failed
    wait_until(lambda: launches.thread is None)
    assert not clock.depth


def wait_until(there):
    patience = time.monotonic() + 60
    while not there():
        assert time.monotonic() < patience
        time.sleep(0.001)


@pytest.mark.proof(*judge.JUDGE)
def test_a_slow_compiler_of_offloaded_kernels_passes(answer_of, tmp_path, monkeypatch):
    compiler = tmp_path / "slow compiler"
    compiler.write_text('#!/bin/sh\nsleep 2.5\nexec cc "$@"\n')
    compiler.chmod(0o700)
    monkeypatch.setenv("CC", f"'{compiler}'")
    given = answer_of("double_it")
    given.begun().each = 1.0
    examine.own(exercises.get("double_it")).check(given, random.Random(1))
