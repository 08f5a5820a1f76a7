"""The driver: one process, one polygon, every row checked before it is timed, ratios within a run.

Fast rows go round by round in shuffled order. Slow rows (pure Python: over a second a call) are
placed between the rounds at random, and the base row, the denominator of every speed-up, at the
start, in the middle and at the end.
"""

import math
import random
import time

from polymask.bench import batch, estimate, machine, measurement, summary
from polymask.bench.measurement import Measurement
from polymask.bench.result import Result, Workload
from polymask.common.busy import load_average
from polymask.common.null_progress import NullProgress
from polymask.cost import memset
from polymask.cost.prices import Prices
from polymask.ladder import reference, registry

SLOW_CALL_S = 1.0  # a row whose call takes longer is a slow one
LONG_CALL_S = 12.0  # a slow row so long is measured once; shorter ones thrice
SLOW_SAMPLES = 3
SAMPLE_S = 0.005  # a fast row repeats inside a sample until it lasts so long
WARM_UP_S = 0.05  # and is called so long, five times at least, before the first sample
FEWEST_ROUNDS, MOST_ROUNDS = 7, 200


def measure(plan, *, busy=None, progress=None):
    """Check and time the rows of a `Plan` on its polygon; return the `Result`.

    `busy` is what other programs did before, a `busy.Look`, for the record; `progress` shows how
    far it is, a `NullProgress` or alike. After Ctrl-C the result holds what was measured by then,
    and is marked as interrupted.
    """
    rows, vertices, shape = plan.rows(), plan.vertices, plan.shape
    here, progress = machine.record(busy), progress or NullProgress()
    for row in rows:
        row.prepare(vertices, shape)
        if machine.flushes_to_zero():
            here.flush_to_zero.append(row.key)
    yardsticks = [
        Measurement("memset_warm", "yardstick", call=memset.WarmMemset(shape)),
        Measurement("memset_fresh", "yardstick", call=memset.FreshMemset(shape)),
    ]
    prices, probes, start, interrupted = Prices(rows), [], time.perf_counter(), False
    try:
        right = reference.mask(vertices, shape)
        check_rows(rows, right, plan.patience, progress)
        prices.sample()  # after the first calls: it starts OpenMP's threads
        run_rounds([*rows, *yardsticks], right, plan.seconds, probes, progress, plan.quick)
        batch.measure(rows, vertices, shape, plan.seconds, progress)
        prices.sample()
    except KeyboardInterrupt:
        interrupted = True
    for row in rows:
        if row.package:
            here.packages[row.package] = machine.package_version(row.package)
    here.devices, here.openmp_runtimes = machine.devices_taken(), machine.openmp_runtimes()
    here.load_after = load_average()
    return Result(
        interrupted=interrupted,
        machine=here,
        workload=Workload.of(vertices, shape, plan.seed, plan.polygon),
        seconds=time.perf_counter() - start,
        budget_s=plan.seconds,
        yardstick=summary.yardstick(yardsticks, probes, prices.record()),
        rows=summary.rows(rows, yardsticks, probes, interrupted),
    )


def check_rows(rows, right, patience, progress):
    """Make each row's first mask and hold it against the right one; warm the fast rows up."""
    able = [row for row in rows if row.status == "ok"]
    progress.begin("checking", len(able))
    for row in able:
        progress.working(f"{row.key}: first call, held against the reference", long=True)
        if not exhausts(row, patience, len(right)) and not is_put_off(row, len(right)):
            row.make_first(right)
            if row.status == "ok":
                find_pace(row)
        progress.advance(1)


def is_put_off(row, rows):
    """Leave a slow row of plain Python for the rounds; return whether it is one.

    Its first call costs what any call costs, so it is check, first call and sample in one.
    """
    if row.rung and row.rung.interpreted and rows:
        row.pace_s = guess(row, SLOW_CALL_S, rows)
        row.slow = row.pace_s > SLOW_CALL_S
    return row.slow


def exhausts(row, patience, rows):
    """Skip a row whose call would last longer than patience allows; return whether it does."""
    if patience is None:
        return False
    seconds = guess(row, patience, rows)
    if seconds > patience:
        row.skip(
            f"a call would take about {seconds:.0f} s: more than the {patience:g} s of --patience"
        )
    return seconds > patience


def guess(row, patience, rows):
    """Return the estimate for a row; 0 where there is nothing to make a band with."""
    if row.make_band is None:
        return 0.0
    try:
        return estimate.estimate(row.time_band, patience, rows)
    except Exception:
        return 0.0  # the whole image will show what is wrong


def find_pace(row):
    """Tell slow rows from fast ones; warm a fast one up and choose the calls per sample."""
    first = row.take_sample()
    row.slow = first[0] > SLOW_CALL_S
    if row.slow:
        row.keep(*first)
        return
    times, start = [first[0]], time.perf_counter()
    while len(times) < 5 or time.perf_counter() - start < WARM_UP_S:
        times.append(row.take_sample()[0])
    row.pace_s = min(times)
    row.repeats = max(1, math.ceil(SAMPLE_S / row.pace_s))


def run_rounds(rows, expected, seconds, probes, progress, quick=False):
    """Sample the fast rows in rounds, and the slow rows between them."""
    able = [row for row in rows if row.status == "ok"]
    for row in able:
        if row.pace_s is None:  # a yardstick: it needs no check
            find_pace(row)
    fast = [row for row in able if not row.slow]
    slow = [row for row in able if row.slow]
    round_s = sum(row.pace_s * row.repeats for row in fast)
    affordable = int(seconds / round_s) if fast else 0
    rounds = min(max(affordable, FEWEST_ROUNDS), MOST_ROUNDS)
    order = random.Random(0)
    between = [slow, *[[] for _ in range(rounds)]] if quick else place(slow, rounds, order)
    slow_s = sum(row.pace_s for here in between for row in here)
    progress.begin("measuring", slow_s + rounds * round_s)
    for number, here in enumerate(between):
        for row in here:
            progress.working(f"{row.key}: {row.pace_s:.0f} s a call", long=True)
            run_slow(row, expected, probes)
            progress.advance(row.pace_s)
        if number == rounds:
            break  # what was placed after the last round
        progress.working(f"round {number + 1} of {rounds}")
        order.shuffle(fast)
        for row in fast:
            watch(row, probes)
            row.keep(*row.take_sample())
        progress.advance(round_s)


def run_slow(row, expected, probes):
    """Sample a slow row; a first call is held against the right mask as well."""
    if row.status != "ok":
        return  # its first call was wrong
    watch(row, probes)
    if row.first_call_s is not None:
        row.keep(*row.take_sample())
        return
    row.make_first(expected)
    if row.status == "ok":
        row.keep(row.first_call_s, row.first_cpu_s)


def watch(row, probes):
    """Run the probe before a sample, and note what it says of the machine."""
    probes.append(measurement.probe())
    row.probes.append(probes[-1])


def place(slow, rounds, order):
    """Say which slow rows run before each round, and after the last: a list of lists.

    The base runs at the start, in the middle and at the end; others where chance puts them.
    """
    between = [[] for _ in range(rounds + 1)]
    for row in slow:
        wanted = 1 if row.pace_s > LONG_CALL_S else SLOW_SAMPLES
        places = [order.randrange(rounds + 1) for _ in range(wanted)]
        if row.key == registry.BASE:
            places = [0, rounds // 2, rounds]
        for number in places[len(row.samples) :]:
            between[number].append(row)
    return between
