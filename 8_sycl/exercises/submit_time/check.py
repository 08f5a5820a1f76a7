"""Time kernels that start late, and compare with the check's own clock and the queue's state."""

import time
from ctypes import c_int64
from itertools import pairwise

import dpctl
from dpctl.memory import MemoryUSMShared
from dpctl.program import create_program_from_source

from ladder.devices import sycl
from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed

UNDER = {"submitted": {}}
HELD, FIRST, N = 0.05, 0.5, 4  # seconds of a kernel, and of the first call; timed calls
SLOW = 0.15  # seconds of each further call but one, so that only the shortest is right


def check(answer, random):
    """Raise `CheckFailed` unless both functions time the right part of N calls."""
    queue = dpctl.SyclQueue(sycl.device())
    kernel = create_program_from_source(queue, answer.TEXT).get_sycl_kernel("loop")
    memory = MemoryUSMShared(8, queue=queue)
    child.switch("submitted", holds=HELD)
    for name in ("latency", "submission"):
        child.step(name)
        begins = []

        def submit(begins=begins):
            begins.append(time.perf_counter())
            time.sleep({1: FIRST, 3: 0}.get(len(begins), SLOW))
            return queue.submit_async(kernel, [c_int64(1), memory], [1])

        got, facts = child.observe(getattr(answer, name), submit, N)
        if any(note["unfinished"] for note in facts["submitted"]):
            raise CheckFailed(f"{name}: it calls submit while a kernel runs: wait for each event")
        if len(begins) != N + 1:
            raise CheckFailed(f"{name}: {len(begins)} calls, expected {N + 1}, the first not timed")
        whole = min(b - a for a, b in pairwise(begins[1:]))
        low, high = (HELD / 2, 1.2 * whole + 0.01) if name == "latency" else (0, HELD / 2)
        if not isinstance(got, float) or not low < got < high:
            fact = f"{name}: got {got!r}, but a call takes {whole} seconds with its kernel"
            raise CheckFailed(fact, advice="which part of which calls is timed?")
