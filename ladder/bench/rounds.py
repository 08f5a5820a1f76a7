"""The rounds in which rows are timed.

Fast rows are sampled once per round, in shuffled order. Slow rows (pure Python: over a second per
call) run between the rounds, at random places. The base row, the denominator of every speed-up,
runs at the start, in the middle and at the end.
"""

import math
import random
import time

from ladder import registry
from ladder.bench import measurement

SLOW_CALL_S = 1.0  # rows with longer calls are slow
LONG_CALL_S = 12.0  # rows with longer calls are sampled once, other slow rows three times
SLOW_SAMPLES = 3
SAMPLE_S = 0.005  # a sample of a fast row repeats its calls for this time
WARM_UP_S = 0.05  # before the first sample, with at least five calls
FEWEST_ROUNDS, MOST_ROUNDS = 7, 200


def find_pace(row):
    """Classify a row as slow or fast; warm up a fast one and choose its calls per sample."""
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
        if row.pace_s is None:  # a yardstick, which needs no check
            find_pace(row)
    fast = [row for row in able if not row.slow]
    slow = [row for row in able if row.slow]
    round_s = sum(row.pace_s * row.repeats for row in fast)
    affordable = int(seconds / round_s) if fast else 0
    rounds = min(max(affordable, FEWEST_ROUNDS), MOST_ROUNDS)
    order = random.Random(0)
    between = [slow, *[[] for _ in range(rounds)]] if quick else interleave(slow, rounds, order)
    slow_s = sum(row.pace_s for group in between for row in group)
    progress.begin("measuring", slow_s + rounds * round_s)
    for number, group in enumerate(between):
        for row in group:
            progress.working(f"{row.key}: {row.pace_s:.0f} s a call", long=True)
            run_slow(row, expected, probes)
            progress.advance(row.pace_s)
        if number == rounds:
            break  # these were the rows after the last round
        progress.working(f"round {number + 1} of {rounds}")
        order.shuffle(fast)
        for row in fast:
            watch(row, probes)
            row.keep(*row.take_sample())
        progress.advance(round_s)


def run_slow(row, expected, probes):
    """Sample a slow row; its first call is also checked."""
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
    """Run the probe before a sample, and record its time."""
    probes.append(measurement.probe())
    row.probes.append(probes[-1])


def interleave(slow, rounds, order):
    """Return lists of the slow rows to run before each round, and after the last one.

    The base row runs at the start, in the middle and at the end, and the others at random places.
    """
    between = [[] for _ in range(rounds + 1)]
    for row in slow:
        count = 1 if row.pace_s > LONG_CALL_S else SLOW_SAMPLES
        places = [order.randrange(rounds + 1) for _ in range(count)]
        if row.key == registry.BASE:
            places = [0, rounds // 2, rounds]
        for number in places[len(row.samples) :]:
            between[number].append(row)
    return between
