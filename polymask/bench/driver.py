"""The driver: one process, one polygon, every row checked before it is timed, ratios within a run.

Fast rows go round by round in shuffled order. Slow rows (pure Python: over a second a call) are
placed between the rounds at random, and the base row, the denominator of every speed-up, at the
start, in the middle and at the end.

With peers, other libraries are measured beside the rungs. Their masks are no rung's: how many
pixels differ is counted, not judged.
"""

import functools
import math
import random
import time

from polymask import contract
from polymask.bench import batch, edges, machine, probe, references, summary
from polymask.bench.measurement import Measurement
from polymask.bench.peers import PEERS
from polymask.bench.result import Result, Workload
from polymask.cost import memset
from polymask.cost.prices import Prices
from polymask.ladder import reference, registry, workload

SLOW_CALL_S = 1.0  # a row whose call takes longer is a slow one
LONG_CALL_S = 12.0  # a slow row so long is measured once; shorter ones thrice
SLOW_SAMPLES = 3
SAMPLE_S = 0.005  # a fast row repeats inside a sample until it lasts so long
WARM_UP_S = 0.05  # and is called so long, five times at least, before the first sample
FEWEST_ROUNDS, MOST_ROUNDS = 7, 200
FEW_ROWS, MORE_ROWS = 512, 4  # a trial makes one row in so many, a second so many times as much


class Silence:
    """A progress that shows nothing, a context; `polymask.cli.progress_bar` has those that do."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def begin(self, text, total):
        """Begin a phase of `total` seconds, or of `total` rows."""

    def working(self, text, long=False):
        """Say what is done now; `long` if it takes over a second."""

    def advance(self, amount):
        """Note `amount` more of the phase as done."""


def measure(
    keys=None,  # of the rungs; all of the registry if None
    vertices=None,  # (N, 2), columns x and y in pixels; the default workload's if None
    shape=workload.SHAPE,
    *,
    seed=None,  # that made the vertices, or
    polygon=None,  # the file that they came from: for the record
    options=None,  # key of a rung to keyword arguments of its `make_mask`
    peers=False,  # `polygon_mask` and other libraries too; see `polymask.bench.peers`
    patience=None,  # skip rows of which a call takes more seconds, by a band of the image
    seconds=30.0,  # for the rounds of the fast rows; each row gets its fewest samples all the same
    quick=False,  # one sample of a slow row is enough
    busy=None,  # what other programs did before the run, a `busy.Look`: for the record
    progress=None,  # `Silence` or alike
):
    """Check and time rungs on one polygon, and other libraries beside them; return the `Result`.

    After Ctrl-C it holds what was measured by then, and is marked as interrupted. An unknown key is
    a KeyError; a bad polygon or shape is what `polymask.contract` makes of it.
    """
    chosen = registry.RUNGS if keys is None else [registry.get(key) for key in keys]
    if vertices is None:
        seed = workload.SEED if seed is None else seed
        vertices = workload.polygon(shape=contract.check_shape(shape), seed=seed)
    vertices, shape, _ = contract.check(vertices, shape)
    here = machine.record(busy)
    rows, flushing = load_rows(chosen, vertices, shape, options or {}, peers)
    yardsticks = [
        Measurement("memset_warm", "yardstick", call=memset.WarmMemset(shape)),
        Measurement("memset_fresh", "yardstick", call=memset.FreshMemset(shape)),
    ]
    prices, probes, start, interrupted = Prices(rows), [], time.perf_counter(), False
    progress = progress or Silence()
    try:
        right = [reference.mask(vertices, shape)]
        if peers:
            right += [edges.within(far, vertices, shape) for far in (edges.ON, edges.NEAR)]
        check_rows(rows, right, patience, progress)
        prices.sample()  # after the first calls: it starts OpenMP's threads
        run_rounds([*rows, *yardsticks], right[0], seconds, probes, progress, quick)
        batch.measure(rows, vertices, shape, seconds, progress)
        prices.sample()
    except KeyboardInterrupt:
        interrupted = True
    for row in rows:
        if row.package:
            here.packages[row.package] = machine.package_version(row.package)
    # what only shows once all has run
    here.flush_to_zero, here.devices = flushing, machine.devices_taken()
    here.openmp_runtimes, here.load_after = machine.openmp_runtimes(), machine.load()
    return Result(
        interrupted=interrupted,
        machine=here,
        workload=Workload.of(vertices, shape, seed, polygon),
        seconds=time.perf_counter() - start,
        budget_s=seconds,
        yardstick=summary.yardstick(yardsticks, probes, prices.record()),
        rows=summary.rows(rows, yardsticks, probes, interrupted),
    )


def load_rows(chosen, vertices, shape, options, peers=False):
    """Load all that is measured; return the rows, and those that left flush-to-zero on."""
    loaders = [(Measurement.of_rung(rung), rung.load) for rung in chosen]
    if peers:
        for key, title, mask, load in references.API:
            loaders.append((Measurement(key, "api", title, mask=mask), load))
        for peer in PEERS:
            names = {"package": peer.package, "included": peer.included}
            loaders.append((Measurement(peer.key, "peer", peer.title, **names), peer.load))
    flushing = []
    for row, load in loaders:
        keywords = dict(options.get(row.key, {}))
        row.options = {k: list(v) if isinstance(v, tuple) else v for k, v in keywords.items()}
        try:
            make_mask = load()
            row.threads = row.rung.threads(**keywords) if row.rung else 1
        except contract.Unavailable as unavailable:
            row.skip(str(unavailable))
        else:
            if row.rung and row.rung.batch:
                row.make_masks = functools.partial(row.rung.load_batch(), **keywords)
            if row.rung and row.rung.device:
                keywords["events"] = row.events
            row.call = functools.partial(make_mask, vertices, shape, **keywords)
            if row.kind != "api":  # always fast
                row.make_band = functools.partial(band, make_mask, vertices, shape, keywords)
        if machine.flushes_to_zero():
            flushing.append(row.key)
    return [row for row, _ in loaders], flushing


def band(make_mask, vertices, shape, keywords, count):
    """Make `count` rows from the middle of the image."""
    rows, cols = shape
    return make_mask(vertices - (0, (rows - count) // 2), (count, cols), **keywords)


def check_rows(rows, right, patience, progress):
    """Make each row's first mask and hold it against the right one; warm the fast rows up.

    `right` is the mask, and with peers also where an edge is, and where one is near.
    """
    able = [row for row in rows if row.status == "ok"]
    progress.begin("checking", len(able))
    for row in able:
        progress.working(f"{row.key}: first call, held against the reference", long=True)
        if not exhausts(row, patience, len(right[0])) and not is_put_off(row, len(right[0])):
            row.check(*right)
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
    """Return what `estimate` does for a row; 0 where there is nothing to make a band with."""
    if row.make_band is None:
        return 0.0
    try:
        return estimate(row.time_band, patience, rows)
    except Exception:
        return 0.0  # the whole image will show what is wrong


def estimate(time_band, patience, rows):
    """Return about how many seconds a call lasts, too many only if patience has room for them.

    `time_band` makes so many rows, and returns the seconds.
    """
    few = max(1, rows // FEW_ROWS)
    time_band(few)  # first use is no part of it
    short = time_band(few)
    if short * rows / few <= patience:
        return short * rows / few
    more = MORE_ROWS * few
    long = time_band(more)
    per_row = (long - short) / (more - few)
    return long + (rows - more) * per_row  # what a call costs besides its rows is paid once


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
    row.check(expected)
    if row.status == "ok":
        row.keep(row.first_call_s, row.first_cpu_s)


def watch(row, probes):
    """Run the probe before a sample, and note what it says of the machine."""
    probes.append(probe.seconds())
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
