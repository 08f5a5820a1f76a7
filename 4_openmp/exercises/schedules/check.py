"""Holds the model against loads that are known, and the real loads against the process's clock."""

import os
import sys

from polymask.workshop.sandbox.wrong import Wrong

from .loads import ALL, check_measured, checked
from .model import check_model

SIZE, THREADS = 1024, 2
COMB = [(43 * i, i % 2 * 511) for i in range(24)]  # all edges cross all rows of the upper half


def check(answer, random):
    """Raise `Wrong` at the first loads that are not right; return what real threads did."""
    check_model(answer, random)
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
