"""A batch: the masks of several polygons, asked for together, by the rungs whose entry says so.

For one mask the commands of a device depend on each other; of several, one may be computed while
another is copied. Rungs without a function for a batch make the masks one by one.
"""

import random

from polymask.bench.measurement import Measurement, count_wrong
from polymask.ladder import reference

POLYGONS, ROUNDS = 8, 7
PART = 0.2  # of the seconds that the rounds of single masks have: more a batch does not take


def measure(rows, vertices, shape, seconds, progress):
    """Time the batches of rows in rounds of shuffled order, each checked before; note the samples.

    The polygons are the one that is given, moved by a column each: the same work, other masks.
    """
    polygons = [vertices + (column, 0) for column in range(POLYGONS)]
    able = [row for row in rows if row.make_masks and row.status == "ok" and not row.slow]
    if not able:
        return
    progress.begin("a batch of polygons", len(able))
    right = [reference.mask(polygon, shape) for polygon in polygons]
    batches = []
    for row in able:
        progress.working(f"{row.key}: a batch, held against the reference", long=True)
        one = Measurement(row.key, "batch", call=lambda row=row: row.make_masks(polygons, shape))
        row.status, row.reason = check(one.call, right)
        if row.status == "ok":
            batches.append((row, one))
        progress.advance(1)
    round_s = POLYGONS * sum(row.pace_s for row, _ in batches)
    rounds = min(max(int(PART * seconds / round_s), 1), ROUNDS) if batches else 0
    progress.begin("measuring batches", rounds * round_s)
    order = random.Random(0)
    for number in range(rounds):
        progress.working(f"round {number + 1} of {rounds}")
        for row, one in order.sample(batches, len(batches)):
            wall, _ = one.take_sample()
            row.batch_samples.append(wall / POLYGONS)
        progress.advance(round_s)


def check(make, right):
    """Return status and reason of a batch that is made for the first time."""
    try:
        masks = list(make())
    except Exception as error:  # as of a single mask: the others go on
        return "wrong", f"a batch raised {type(error).__name__}: {error}"
    if len(masks) != len(right):
        return "wrong", f"a batch of {len(right)} polygons has as many masks, not {len(masks)}"
    wrong = sum(map(count_wrong, masks, right))
    if wrong:
        return "wrong", f"{wrong} pixels of a batch of {len(right)} masks differ from the reference"
    return "ok", ""
