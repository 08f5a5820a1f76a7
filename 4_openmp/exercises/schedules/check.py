"""Holds the model against loads that are known, and the real loads against the process's clock."""

import os
import sys
import threading
import time

import numpy as np

from polymask.contract import Unavailable
from polymask.ladder import registry
from polymask.workshop.sandbox import usage
from polymask.workshop.sandbox.wrong import Wrong

SIZE, THREADS = 1024, 2
COMB = [(43 * i, i % 2 * 511) for i in range(24)]  # all edges cross all rows of the upper half
SPUN_S = 0.05  # for which each of our own threads is busy
ALL = 0.8  # of the process's busy seconds: clocks are not read at one moment, and may tick


def check(answer, random):
    """Raise `Wrong` at the first loads that are not right; return what real threads did."""
    check_model(answer, random)
    return real(answer)


def real(answer):
    """Hold `measured` against threads of ours, then of OpenMP; say what those did."""
    if not sys.platform.startswith("linux"):
        return "skipped: real threads, as only Linux tells how long each of them was busy"
    check_measured(answer)
    if MISSING:
        return f"skipped: real schedules, as there is no OpenMP here: {MISSING}"
    if os.environ.get("OMP_WAIT_POLICY", "").lower() == "active":
        return "skipped: real schedules, as OMP_WAIT_POLICY=active keeps idle threads busy"
    seen = {}
    for kind, rows in (("static", 0), ("dynamic", 1), ("dynamic", SIZE)):
        schedule = f"{kind},{rows}" if rows else kind
        found = scheduled(answer, COMB, (SIZE, SIZE), THREADS, (kind, rows))
        loads = checked(*found, f"openmp.prange with {schedule}")
        seen[schedule] = loads[0] / sum(loads)
    if seen[schedule] < ALL:
        raise Wrong(
            f"{schedule} on {SIZE} rows: one thread takes them all, and measured gives the "
            f"busiest {seen[schedule]:.0%} only"
        )
    shares = ", ".join(f"{schedule} {share:.0%}" for schedule, share in seen.items())
    return f"seen: of a comb's work, the busier of {THREADS} threads had: {shares}"


try:
    MAKE_MASK, MISSING = registry.get("openmp.prange").load(), ""
except Unavailable as unavailable:
    MAKE_MASK, MISSING = None, str(unavailable)


def two_threads(module, spun_s):
    """Let two threads be busy for so long, the second started by the call; as `bracketed` says."""

    def spin(spun_s):
        until = time.thread_time() + spun_s
        while time.thread_time() < until:
            pass

    stop, done = threading.Event(), threading.Event()

    def call():
        spin(spun_s[0])
        thread = threading.Thread(target=lambda: (spin(spun_s[1]), done.set(), stop.wait()))
        thread.start()
        done.wait()

    spin(spun_s[0])  # time that is not the call's
    try:
        return bracketed(module, call)
    finally:
        stop.set()


def scheduled(module, vertices, shape, threads, schedule):
    """Let OpenMP's threads make a mask; as `bracketed` says."""

    def call():
        MAKE_MASK(vertices, shape, threads=threads, schedule=schedule)

    call()  # the team is started
    return bracketed(module, call)


def bracketed(module, call):
    """Return what `measured` gives for a call, how often it made it, and each thread's seconds."""
    calls = []

    def counted():
        calls.append(call)
        call()

    found = []
    spent = usage.busy(lambda: found.append(module.measured(counted)))
    return found[0], len(calls), [seconds for seconds in spent if seconds > 0]


def check_measured(answer):
    """Raise `Wrong` unless a thread that is started by the call is seen, and its load is right."""
    for shares in ((1, 1), (1, 0.4)):
        found = two_threads(answer, [SPUN_S * share for share in shares])
        loads = checked(*found, "two threads that are busy one after the other")
        least = SPUN_S * min(shares)
        if len(loads) < 2 or loads[1] < ALL * least:
            raise Wrong(
                f"two threads were busy for {SPUN_S} s and {SPUN_S * shares[1]:g} s, the second "
                f"was started by the call: measured gives {rounded(loads)}"
            )


def checked(loads, calls, busy, label):
    """Return what `measured` gave; raise `Wrong` unless it is what the threads were busy.

    Parameters
    ----------
    loads : sequence of float
        What it gave.
    calls : int
        How often it made the call.
    busy : list of float
        How long each thread was busy meanwhile, the largest first; None where it was not.
    label : str
    """
    if not is_sequence(loads) or list(loads) != sorted(loads, reverse=True):
        raise Wrong(f"{label}: measured returns a list, the largest load first, got {loads}")
    if calls != 1:
        raise Wrong(f"{label}: measured made the call {calls} times, once is enough")
    loads, total = list(map(float, loads)), sum(busy)
    if not loads or min(loads) <= 0:
        raise Wrong(f"{label}: some thread was busy, and those that were not are left out: {loads}")
    if not ALL * total <= sum(loads) <= total / ALL:
        raise Wrong(
            f"{label}: the process was busy for {total:.3f} s, measured gives {sum(loads):.3f} s "
            "in all"
        )
    if abs(loads[0] - busy[0]) > (1 - ALL) * total:
        raise Wrong(
            f"{label}: the threads were busy for {rounded(busy)} s, measured gives {rounded(loads)}"
        )
    return loads


def rounded(loads):
    """Return loads to the millisecond."""
    return [round(float(load), 3) for load in loads]


def check_model(answer, random):
    """Raise `Wrong` at the first loads that are not right."""
    top = [9] * 8 + [1] * 8  # the polygon lies in the upper half
    drawn = [random.randrange(1, 50) for _ in range(random.randrange(11, 23))]
    compare("static([9] * 8 + [1] * 8, 2)", answer.static(top, 2), [72, 8])
    compare("static(7 rows of cost 1, 3)", answer.static([1] * 7, 3), [3, 3, 1])
    compare("dynamic([9] * 8 + [1] * 8, 2, 1)", answer.dynamic(top, 2, 1), [40, 40])
    compare("dynamic([9] * 8 + [1] * 8, 2, 16)", answer.dynamic(top, 2, 16), [80, 0])
    compare("dynamic([5, 1, 1, 1, 1], 2, 1)", answer.dynamic([5, 1, 1, 1, 1], 2, 1), [5, 4])
    compare("dynamic([1, 5], 2, 1)", answer.dynamic([1, 5], 2, 1), [1, 5])
    compare("dynamic([1, 2, 3, 4, 5], 2, 2)", answer.dynamic([1, 2, 3, 4, 5], 2, 2), [8, 7])
    compare("static(2 rows of cost 1, 4)", answer.static([1, 1], 4), [1, 1, 0, 0])
    for threads, chunk in ((random.randrange(2, 6), random.randrange(1, 5)) for _ in range(3)):
        rows = -(-len(drawn) // threads)
        blocks = [sum(drawn[k * rows : (k + 1) * rows]) for k in range(threads)]
        compare(f"static({drawn}, {threads})", answer.static(drawn, threads), blocks)
        loads = dealt(drawn, threads, chunk)
        called = f"dynamic({drawn}, {threads}, {chunk})"
        compare(called, answer.dynamic(drawn, threads, chunk), loads)


def dealt(costs, threads, chunk):
    """Return the loads of threads of which the first free one takes the next rows."""
    loads = [0] * threads
    for first in range(0, len(costs), chunk):
        loads[min(range(threads), key=loads.__getitem__)] += sum(costs[first : first + chunk])
    return loads


def is_sequence(value):
    """Whether a value is a list of numbers, whatever kind of list."""
    return isinstance(value, list | tuple) or (type(value) is np.ndarray and value.ndim == 1)


def compare(call, got, expected):
    """Raise `Wrong` unless a call gave what is expected."""
    if not is_sequence(got) or list(got) != expected:
        raise Wrong(f"{call}: expected {expected}, got {got}")
