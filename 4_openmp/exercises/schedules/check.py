"""Holds the model against loads that are known, and the real loads against the process's clock."""

import os
import sys

import numpy as np

from polymask.workshop.sandbox.wrong import Wrong

SIZE, THREADS = 1024, 2
SPUN_S = 0.05  # what a thread of ours is busy
ALL = 0.8  # of the process's busy seconds: clocks are not read at one moment, and may tick
COMB = [(43 * i, i % 2 * 511) for i in range(24)]  # all edges cross all rows of the upper half


def check(answer, random):
    """Raise `Wrong` at the first loads that are not right; return what real threads did."""
    top = [9] * 8 + [1] * 8  # the polygon lies in the upper half
    drawn = [random.randrange(1, 50) for _ in range(random.randrange(11, 23))]
    compare("static([9] * 8 + [1] * 8, 2)", answer.static(top, 2), [72, 8])
    compare("static(7 rows of cost 1, 3)", answer.static([1] * 7, 3), [3, 3, 1])
    compare("dynamic([9] * 8 + [1] * 8, 2, 1)", answer.dynamic(top, 2, 1), [40, 40])
    compare("dynamic([9] * 8 + [1] * 8, 2, 16)", answer.dynamic(top, 2, 16), [80, 0])
    compare("dynamic([5, 1, 1, 1, 1], 2, 1)", answer.dynamic([5, 1, 1, 1, 1], 2, 1), [5, 4])
    compare("dynamic([1, 2, 3, 4, 5], 2, 2)", answer.dynamic([1, 2, 3, 4, 5], 2, 2), [8, 7])
    compare("static(2 rows of cost 1, 4)", answer.static([1, 1], 4), [1, 1, 0, 0])
    for threads, chunk in ((random.randrange(2, 6), random.randrange(1, 5)) for _ in range(3)):
        rows = -(-len(drawn) // threads)
        blocks = [sum(drawn[k * rows : (k + 1) * rows]) for k in range(threads)]
        compare(f"static({drawn}, {threads})", answer.static(drawn, threads), blocks)
        loads = dealt(drawn, threads, chunk)
        called = f"dynamic({drawn}, {threads}, {chunk})"
        compare(called, answer.dynamic(drawn, threads, chunk), loads)
    return real(answer)


def dealt(costs, threads, chunk):
    """Return the loads of threads of which the first free one takes the next rows."""
    loads = [0] * threads
    for first in range(0, len(costs), chunk):
        loads[min(range(threads), key=loads.__getitem__)] += sum(costs[first : first + chunk])
    return loads


def real(answer):
    """Hold `measured` against threads of ours, then of OpenMP; say what those did."""
    if not sys.platform.startswith("linux"):
        return "skipped: real threads, as only Linux tells how long each of them was busy"
    check_measured(answer)
    if missing := answer.inside("missing"):
        return f"skipped: real schedules, as there is no OpenMP here: {missing}"
    if os.environ.get("OMP_WAIT_POLICY", "").lower() == "active":
        return "skipped: real schedules, as OMP_WAIT_POLICY=active keeps idle threads busy"
    seen = {}
    for kind, rows in (("static", 0), ("dynamic", 1), ("dynamic", SIZE)):
        schedule = f"{kind},{rows}" if rows else kind
        found = answer.inside("scheduled", COMB, (SIZE, SIZE), THREADS, (kind, rows))
        loads = checked(*found, f"openmp.prange with {schedule}")
        seen[schedule] = loads[0] / sum(loads)
    if seen[schedule] < ALL:
        raise Wrong(
            f"{schedule} on {SIZE} rows: one thread takes them all, and measured gives the "
            f"busiest {seen[schedule]:.0%} only"
        )
    shares = ", ".join(f"{schedule} {share:.0%}" for schedule, share in seen.items())
    return f"seen: of a comb's work, the busier of {THREADS} threads had: {shares}"


def check_measured(answer):
    """Raise `Wrong` unless a thread that is started by the call is seen, and its load is right."""
    for shares in ((1, 1), (1, 0.4)):
        found = answer.inside("two_threads", [SPUN_S * share for share in shares])
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


def is_sequence(value):
    """Whether a value is a list of numbers, whatever kind of list."""
    return isinstance(value, list | tuple) or (type(value) is np.ndarray and value.ndim == 1)


def compare(call, got, expected):
    """Raise `Wrong` unless a call gave what is expected."""
    if not is_sequence(got) or list(got) != expected:
        raise Wrong(f"{call}: expected {expected}, got {got}")
