"""The driver of a run: it checks and times the rows on one polygon, in one process."""

import time

from ladder.bench import batch, estimate, left, machine, rounds, summary
from ladder.bench.measurement import Measurement
from ladder.bench.result import Result, Workload
from ladder.common.busy import load_average
from ladder.cost import memset
from ladder.cost.prices import Prices
from ladder.registry import reference
from polymask.common.null_progress import NullProgress


def measure(plan, *, busy=None, progress=None):
    """Check and time the rows of a `Plan` on its polygon; return the `Result`.

    `busy` is a `busy.Look` at the load of other programs, for the record; `progress` is a
    `NullProgress` or similar. After Ctrl-C the result holds the measurements so far, and is marked
    as interrupted.
    """
    rows, vertices, shape = plan.rows(), plan.vertices, plan.shape
    record, progress = machine.record(busy), progress or NullProgress()
    for row in rows:
        row.prepare(vertices, shape)
        if machine.flushes_to_zero():
            record.flush_to_zero.append(row.key)
    yardsticks = [
        Measurement("memset_warm", "yardstick", call=memset.WarmMemset(shape)),
        Measurement("memset_fresh", "yardstick", call=memset.FreshMemset(shape)),
    ]
    prices, probes, start, interrupted = Prices(rows), [], time.perf_counter(), False
    try:
        expected = reference.mask(vertices, shape)
        check_rows(rows, expected, plan.patience, progress)
        prices.sample()  # after the first calls, as it starts OpenMP's threads
        rounds.run_rounds(
            [*rows, *yardsticks], expected, plan.seconds, probes, progress, plan.quick
        )
        batch.measure(rows, vertices, shape, plan.seconds, progress)
        left.measure(rows, expected, progress)
        prices.sample()
    except KeyboardInterrupt:
        interrupted = True
    for row in rows:
        if row.package:
            record.packages[row.package] = machine.package_version(row.package)
    record.devices, record.openmp_runtimes = machine.chosen_devices(), machine.openmp_runtimes()
    record.load_after = load_average()
    return Result(
        interrupted=interrupted,
        machine=record,
        workload=Workload.of(vertices, shape, plan.seed, plan.polygon),
        seconds=time.perf_counter() - start,
        budget_s=plan.seconds,
        yardstick=summary.yardstick(yardsticks, probes, prices.record()),
        rows=summary.rows(rows, yardsticks, probes, interrupted),
    )


def check_rows(rows, expected, patience, progress):
    """Check each row's first mask against the right one; warm up the fast rows."""
    able = [row for row in rows if row.status == "ok"]
    progress.begin("checking", len(able))
    for row in able:
        progress.working(f"{row.key}: first call, compared with the reference", long=True)
        if not exhausts(row, patience, len(expected)) and not postpones(row, len(expected)):
            row.make_first(expected)
            if row.status == "ok":
                rounds.find_pace(row)
        progress.advance(1)


def postpones(row, rows):
    """Leave the first call of a slow row in plain Python to the rounds; return whether it is slow.

    It takes as long as any other call, so one call serves as check, first call and sample.
    """
    if row.rung and row.rung.interpreted and rows:
        row.pace_s = estimate_call(row, rounds.SLOW_CALL_S, rows)
        row.slow = row.pace_s > rounds.SLOW_CALL_S
    return row.slow


def exhausts(row, patience, rows):
    """Skip a row whose call would exceed the patience; return whether it was skipped."""
    if patience is None:
        return False
    seconds = estimate_call(row, patience, rows)
    if seconds > patience:
        row.skip(
            f"a call would take about {seconds:.0f} s: more than the {patience:g} s of --patience"
        )
    return seconds > patience


def estimate_call(row, patience, rows):
    """Estimate the seconds of a row's call; return 0 if it cannot make a band."""
    if row.time_band is None:
        return 0.0
    try:
        return estimate.estimate(row.time_band, patience, rows)
    except Exception:
        return 0.0  # the call for the whole image will report the error
