"""Compares the model with known loads, and `measured` with the kernel's clock of each thread."""

import functools
import os
import sys
import threading
import time

import numpy as np

from polymask.contract import Unavailable
from polymask.ladder import registry
from polymask.workshop.sandbox import process_stats
from polymask.workshop.sandbox.check_failed import CheckFailed

SIZE, THREADS = 1024, 2
COMB = [(43 * i, i % 2 * 511) for i in range(24)]  # all edges cross all rows of the upper half
SPUN_S = 0.05  # for which each of our own threads is busy
ALL = 0.8  # of the process's busy seconds: clocks are not read at one moment, and may tick


def check(answer, random):
    """Raise `CheckFailed` at the first loads that are not right; return what real threads did."""
    top = [9] * 8 + [1] * 8  # the polygon lies in the upper half
    compare(answer, "static", top, 2, expected=[72, 8])
    compare(answer, "static", [1, 1], 4, expected=[1, 1, 0, 0])
    compare(answer, "dynamic", top, 2, 1, expected=[40, 40])
    compare(answer, "dynamic", top, 2, 16, expected=[80, 0])
    compare(answer, "dynamic", [5, 1, 1, 1, 1], 2, 1, expected=[5, 4])
    compare(answer, "dynamic", [1, 2, 3, 4, 5], 2, 2, expected=[8, 7])
    for threads, chunk in ((random.randrange(2, 6), random.randrange(1, 5)) for _ in range(3)):
        costs = [random.randrange(1, 50) for _ in range(random.randrange(11, 23))]
        rows = -(-len(costs) // threads)
        blocks = [sum(costs[k * rows : (k + 1) * rows]) for k in range(threads)]
        compare(answer, "static", costs, threads, expected=blocks)
        loads = [0] * threads
        for first in range(0, len(costs), chunk):
            loads[loads.index(min(loads))] += sum(costs[first : first + chunk])
        compare(answer, "dynamic", costs, threads, chunk, expected=loads)
    if not sys.platform.startswith("linux"):
        return "skipped: real threads, as only Linux tells how long each of them was busy"
    return check_measured(answer)


def is_sequence(value):
    """Whether a value is a list of numbers, whatever kind of list."""
    return isinstance(value, list | tuple) or (type(value) is np.ndarray and value.ndim == 1)


def compare(answer, name, *arguments, expected):
    """Raise `CheckFailed` unless a function of the model gives the expected loads."""
    got = getattr(answer, name)(*arguments)
    if not is_sequence(got) or list(got) != expected:
        call = f"{name}({', '.join(map(str, arguments))})"
        raise CheckFailed(f"{call}: expected {expected}, got {got}")


def check_measured(answer):
    """Raise `CheckFailed` unless `measured` is right for two threads of Python and for OpenMP's."""
    for share in (1, 0.4):
        seconds, stop = (SPUN_S, share * SPUN_S), threading.Event()
        spin(SPUN_S)  # time that is not the call's
        try:
            call = functools.partial(two_threads, *seconds, stop)
            loads = measured(answer, call, "two threads in turn")
        finally:
            stop.set()
        if len(loads) < 2 or loads[1] < ALL * min(seconds):
            raise CheckFailed(
                f"two threads were busy for {SPUN_S} s and {seconds[1]:g} s, the second was "
                f"started by the call: measured gives {rounded(loads)}"
            )
    try:
        make_mask = registry.get("openmp.prange").load()
    except Unavailable as unavailable:
        return f"skipped: real schedules, as there is no OpenMP here: {unavailable}"
    if os.environ.get("OMP_WAIT_POLICY", "").lower() == "active":
        return "skipped: real schedules, as OMP_WAIT_POLICY=active keeps idle threads busy"
    shares = []
    for schedule in (("static", 0), ("dynamic", 1), ("dynamic", SIZE)):
        call = functools.partial(make_mask, COMB, (SIZE, SIZE), threads=THREADS, schedule=schedule)
        call()  # starts the threads
        loads = measured(answer, call, f"openmp.prange with {schedule}")
        shares.append(f"{schedule[0]},{schedule[1]} {loads[0] / sum(loads):.0%}")
    return f"seen: of a comb's work, the busier of {THREADS} threads had: {', '.join(shares)}"


def spin(seconds):
    """Keep this thread busy."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def two_threads(here_s, there_s, stop):
    """Be busy, then let another thread be; it lives on, idle, until `stop`."""
    spin(here_s)
    done = threading.Event()
    threading.Thread(target=lambda: (spin(there_s), done.set(), stop.wait())).start()
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
        raise CheckFailed(f"{label}: measured returns a list, the largest load first, got {loads}")
    if calls != 1:
        raise CheckFailed(f"{label}: measured made the call {calls} times, once is enough")
    loads, total = list(map(float, loads)), sum(busy)
    if not loads or min(loads) <= 0:
        raise CheckFailed(
            f"{label}: some thread was busy, and those that were not are left out: {loads}"
        )
    if not ALL * total <= sum(loads) <= total / ALL:
        raise CheckFailed(
            f"{label}: the process was busy for {total:.3f} s, measured gives {sum(loads):.3f} s "
            "in all"
        )
    if abs(loads[0] - busy[0]) > (1 - ALL) * total:
        raise CheckFailed(
            f"{label}: the threads were busy for {rounded(busy)} s, measured gives {rounded(loads)}"
        )
    return loads


def rounded(loads):
    """Return loads to the millisecond."""
    return [round(float(load), 3) for load in loads]
