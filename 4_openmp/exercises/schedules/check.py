"""Compare the model with known loads, and `measured` with the kernel's clock for each thread."""

import functools
import os
import sys
import threading
import time

import numpy as np

from ladder import registry
from ladder.workshop.sandbox import process_stats
from ladder.workshop.sandbox.check_failed import CheckFailed
from polymask.contract import Unavailable

TOP = [9] * 8 + [1] * 8  # the costs of rows of a polygon in the upper half
SIZE, THREADS = 1024, 2
COMB = [(43 * i, i % 2 * 511) for i in range(24)]  # all edges cross all rows of the upper half
SPUN_S = 0.05  # time for which each of our own threads is busy
ALL = 0.8  # fraction of the process's busy seconds: clocks are read one after the other, and tick


def check(answer, random):
    """Raise `CheckFailed` at the first wrong loads; return a note about real threads."""
    cases = [(TOP, 2, 1), (TOP, 2, 16), ([1, 1], 4, 1), ([], 2, 1), ([5, 1, 1, 1, 1], 2, 1)]
    for threads, chunk in ((random.randrange(2, 6), random.randrange(1, 5)) for _ in range(3)):
        costs = [random.randrange(1, 50) for _ in range(random.randrange(11, 23))]
        cases.append((costs, threads, chunk))
    for costs, threads, chunk in cases:
        rows = -(-len(costs) // threads)
        blocks = [sum(costs[k * rows : (k + 1) * rows]) for k in range(threads)]
        compare(answer, "static", costs, threads, expected=blocks)
        loads = [0] * threads
        for first in range(0, len(costs), chunk):
            loads[loads.index(min(loads))] += sum(costs[first : first + chunk])
        compare(answer, "dynamic", costs, threads, chunk, expected=loads)
    if not sys.platform.startswith("linux"):
        return "skipped: real threads, because only Linux reports how long each was busy"
    return check_measured(answer)


def is_sequence(value):
    """Return whether a value is a list, a tuple or an array of numbers."""
    return isinstance(value, list | tuple) or (type(value) is np.ndarray and value.ndim == 1)


def compare(answer, name, *arguments, expected):
    """Raise `CheckFailed` unless a function of the model gives the expected loads."""
    call = f"{name}({', '.join(map(str, arguments))})"
    try:
        got = getattr(answer, name)(*arguments)
    except ValueError as error:
        raise CheckFailed(f"{call}: {error}") from None
    if not is_sequence(got) or list(got) != expected:
        raise CheckFailed(f"{call}: expected {expected}, got {got}")


def check_measured(answer):
    """Raise `CheckFailed` unless `measured` is right for two Python threads and for OpenMP."""
    for share in (1, 0.4):
        seconds, stop = (SPUN_S, share * SPUN_S), threading.Event()
        spin(SPUN_S)  # time outside the call
        try:
            call = functools.partial(two_threads, *seconds, stop)
            loads = measured(answer, call, "two threads in turn")
        finally:
            stop.set()
        if len(loads) < 2 or loads[1] < ALL * min(seconds):
            raise CheckFailed(
                f"two threads were busy for {SPUN_S} s and {seconds[1]:g} s, the second of them "
                f"started by the call, but measured returns {rounded(loads)}"
            )
    try:
        make_mask = registry.get("openmp.prange").load()
    except Unavailable as unavailable:
        return f"skipped: real schedules, because OpenMP is not available: {unavailable}"
    if os.environ.get("OMP_WAIT_POLICY", "").lower() == "active":
        return "skipped: real schedules, because OMP_WAIT_POLICY=active keeps idle threads busy"
    shares = []
    for schedule in (("static", 0), ("dynamic", 1), ("dynamic", SIZE)):
        call = functools.partial(make_mask, COMB, (SIZE, SIZE), threads=THREADS, schedule=schedule)
        call()  # starts the threads
        loads = measured(answer, call, f"openmp.prange with {schedule}")
        shares.append(f"{schedule[0]},{schedule[1]} {loads[0] / sum(loads):.0%}")
    return f"seen: shares of a comb's work in the busier of {THREADS} threads: {', '.join(shares)}"


def spin(seconds):
    """Keep this thread busy."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def two_threads(first_s, second_s, stop):
    """Keep this thread busy, then a second one, which stays idle until `stop`."""
    spin(first_s)
    done = threading.Event()
    threading.Thread(target=lambda: (spin(second_s), done.set(), stop.wait())).start()
    done.wait()


def measured(answer, call, label):
    """Return the loads that the answer measures; raise `CheckFailed` if they are wrong."""
    calls, loads = [], []
    busy = process_stats.busy_seconds(
        lambda: loads.append(answer.measured(lambda: calls.append(call())))
    )
    return checked(loads[0], len(calls), [seconds for seconds in busy if seconds > 0], label)


def checked(loads, calls, busy, label):
    """Return the loads of some calls; raise `CheckFailed` unless each thread had its load."""
    if not is_sequence(loads) or list(loads) != sorted(loads, reverse=True):
        raise CheckFailed(f"{label}: measured must return a list, largest load first, got {loads}")
    if calls != 1:
        raise CheckFailed(f"{label}: measured made the call {calls} times: make it once")
    loads, total = list(map(float, loads)), sum(busy)
    if not loads or min(loads) <= 0:
        raise CheckFailed(
            f"{label}: list the loads of the busy threads, and only of these, got {loads}"
        )
    if not ALL * total <= sum(loads) <= total / ALL:
        raise CheckFailed(
            f"{label}: the process was busy for {total:.3f} s, but measured returns "
            f"{sum(loads):.3f} s in total"
        )
    if abs(loads[0] - busy[0]) > (1 - ALL) * total:
        raise CheckFailed(
            f"{label}: the threads were busy for {rounded(busy)} s, not {rounded(loads)}"
        )
    return loads


def rounded(loads):
    """Return loads to the millisecond."""
    return [round(float(load), 3) for load in loads]
