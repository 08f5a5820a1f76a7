"""Holds the model against loads that are known, and the real loads against the process's clock."""

import os
import sys

from polymask.workshop.sandbox.wrong import Wrong

SIZE, THREADS = 1024, 2
SPUN_S = 0.05  # what a thread of ours is busy
ALL = 0.8  # of the process's busy seconds: the clocks are not read at the very same moment
COMB = [(43 * i, i % 2 * 511) for i in range(24)]  # all edges cross all rows of the upper half


def check(answer, random):
    """Raise `Wrong` at the first loads that are not right; return what real threads did."""
    top = [9] * 8 + [1] * 8  # the polygon lies in the upper half
    drawn = [random.randrange(1, 50) for _ in range(random.randrange(20, 60))]
    compare("static([9] * 8 + [1] * 8, 2)", answer.static(top, 2), [72, 8])
    compare("static(7 rows of cost 1, 3)", answer.static([1] * 7, 3), [3, 3, 1])
    compare("dynamic([9] * 8 + [1] * 8, 2, 1)", answer.dynamic(top, 2, 1), [40, 40])
    compare("dynamic([9] * 8 + [1] * 8, 2, 16)", answer.dynamic(top, 2, 16), [80, 0])
    compare("dynamic([5, 1, 1, 1, 1], 2, 1)", answer.dynamic([5, 1, 1, 1, 1], 2, 1), [5, 4])
    compare("dynamic([1, 2, 3, 4, 5], 2, 2)", answer.dynamic([1, 2, 3, 4, 5], 2, 2), [8, 7])
    threads, chunk = random.randrange(2, 6), random.randrange(1, 5)
    for loads in (answer.static(drawn, threads), answer.dynamic(drawn, threads, chunk)):
        if sum(loads) != sum(drawn) or len(loads) != threads:
            raise Wrong(f"the loads {loads} are not all of the work, or not one per thread")
    first, free = 0, [0] * threads
    while first < len(drawn):
        free.sort()  # the smallest is free; which thread has it does not change the loads
        free[0] += sum(drawn[first : first + chunk])
        first += chunk
    compare("dynamic, sorted", sorted(answer.dynamic(drawn, threads, chunk)), sorted(free))

    return real(answer)


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
    found = answer.inside("two_threads", SPUN_S)
    loads = checked(*found, "two threads that are busy one after the other")
    if len(loads) < 2 or loads[1] < ALL * SPUN_S:
        raise Wrong(
            f"two threads were busy for {SPUN_S} s each, one of them started by the call: "
            f"measured gives {[round(load, 3) for load in loads]}"
        )


def checked(loads, busy, label):
    """Return what `measured` gave; raise `Wrong` unless its sum is what the process was busy."""
    if not isinstance(loads, list) or loads != sorted(loads, reverse=True):
        raise Wrong(f"{label}: measured returns a list, the largest load first, got {loads}")
    if not loads or min(loads) <= 0:
        raise Wrong(f"{label}: some thread was busy, and those that were not are left out: {loads}")
    if not ALL * busy <= sum(loads) <= busy * 1.01:
        raise Wrong(
            f"{label}: the process was busy for {busy:.3f} s, measured gives {sum(loads):.3f} s "
            "in all"
        )
    return loads


def compare(call, got, expected):
    """Raise `Wrong` unless a call gave what is expected."""
    if list(got or []) != expected:
        raise Wrong(f"{call}: expected {expected}, got {got}")
