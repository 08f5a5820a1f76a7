"""Batches: the masks of several polygons in one call, for rungs whose registry entry has them.

A device's commands for one mask depend on each other; with several masks, one can be computed
while another is copied.
"""

import random

from ladder.bench.measurement import Measurement, count_wrong
from ladder.registry import reference

POLYGONS, ROUNDS = 8, 7
PART = 0.2  # the limit for batches, as a part of the seconds for the rounds of single masks


def measure(rows, vertices, shape, seconds, progress):
    """Check each row's batch, and record samples of the batches in rounds of shuffled order.

    The polygons are copies of the given one, each shifted by one more column, for different masks.
    """
    polygons = [vertices + (column, 0) for column in range(POLYGONS)]
    able = [row for row in rows if row.make_masks and row.status == "ok" and not row.slow]
    if not able:
        return
    progress.begin("a batch of polygons", len(able))
    expected = [reference.mask(polygon, shape) for polygon in polygons]
    batches = []
    for row in able:
        progress.working(f"{row.key}: a batch, compared with the reference", long=True)
        timed = Measurement(row.key, "batch", call=lambda row=row: row.make_masks(polygons, shape))
        row.status, row.reason = check(timed.call, expected)
        if row.status == "ok":
            batches.append((row, timed))
        progress.advance(1)
    round_s = POLYGONS * sum(row.pace_s for row, _ in batches)
    rounds = min(max(int(PART * seconds / round_s), 1), ROUNDS) if batches else 0
    progress.begin("measuring batches", rounds * round_s)
    order = random.Random(0)
    for number in range(rounds):
        progress.working(f"round {number + 1} of {rounds}")
        for row, timed in order.sample(batches, len(batches)):
            wall, _ = timed.take_sample()
            row.batch_samples.append(wall / POLYGONS)
        progress.advance(round_s)


def check(make, expected):
    """Make a first batch; return its status and the reason."""
    try:
        masks = list(make())
    except Exception as error:  # as with a single mask, the others continue
        return "wrong", f"a batch raised {type(error).__name__}: {error}"
    if len(masks) != len(expected):
        return "wrong", f"a batch of {len(expected)} must have as many masks, not {len(masks)}"
    wrong = sum(map(count_wrong, masks, expected))
    if wrong:
        return "wrong", f"{wrong} pixels of a batch of {len(masks)} masks differ from the reference"
    return "ok", ""
