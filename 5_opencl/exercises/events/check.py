"""Run copies, one of them delayed, and compare the answer with the times of their events."""

import numpy as np
import pyopencl as cl

from ladder.opencl import pixels
from ladder.workshop import concepts
from ladder.workshop.sandbox.check_failed import CheckFailed, same
from ladder.workshop.sandbox.environments import launches

HELD_S = 0.05  # delay, much longer than a command takes otherwise
PHASES = "queued", "submitted", "running"


def check(answer, random):
    """Raise `CheckFailed` at the first number that differs from the times of the event."""
    context = pixels.context()
    queue = answer.profiling_queue(context)
    profiling = cl.command_queue_properties.PROFILING_ENABLE
    if not isinstance(queue, cl.CommandQueue) or not queue.properties & profiling:
        raise CheckFailed("profiling_queue must return a queue created with PROFILING_ENABLE")
    delay = launches.Delay(context, HELD_S)
    try:
        check_copy(answer, queue, 1000, "a copy that waits for something else first", delay.event)
    except cl.RuntimeError:
        raise CheckFailed(
            "a copy had not run yet: an event has its times only after `event.wait()` "
            f"{concepts.QUEUE}"
        ) from None
    finally:
        delay.let_go()
        queue.finish()
    for n_bytes in (random.randrange(10**3, 10**4), random.randrange(10**6, 10**7)):
        right = check_copy(answer, queue, n_bytes, f"a copy of {n_bytes} bytes")
    total = sum(right.values())
    return f"seen: a copy ran for {1e3 * right['running']:.3g} ms of {1e3 * total:.3g} ms in total"


def check_copy(answer, queue, n_bytes, label, wait_for=None):
    """Raise `CheckFailed` unless the phases of a copy equal those of its event; return them."""
    h_data = np.ones(n_bytes, np.uint8)
    d_data = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, n_bytes)
    wait_for = wait_for and [wait_for]
    event = cl.enqueue_copy(queue, d_data, h_data, is_blocking=False, wait_for=wait_for)
    queue.flush()
    got = answer.phases(event)
    event.wait()
    if not isinstance(got, dict) or set(got) != set(PHASES):
        raise CheckFailed(f"{label}: phases must return a dict of {', '.join(PHASES)}, got {got}")
    times = event.profile.queued, event.profile.submit, event.profile.start, event.profile.end
    right = dict(zip(PHASES, 1e-9 * np.diff(times), strict=True))
    for name in PHASES:
        same(got[name], right[name], f"{label}: {name}, in seconds", rtol=1e-6)
    rate = 1e-9 * n_bytes / right["running"]
    same(answer.bandwidth(event, n_bytes), rate, f"bandwidth of {n_bytes} bytes", rtol=1e-6)
    return right
