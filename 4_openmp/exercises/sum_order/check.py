"""Compare the bits of sums by several numbers of threads, and see whether threads work."""

import functools
import math

import numpy as np

from ladder.workshop.sandbox import child, compiling, process_stats
from ladder.workshop.sandbox.check_failed import CheckFailed

REPEATS, TEAMS = 5, (1, 2, 3, 4, 7)
MANY = 4_000_000  # numbers, so that a sum takes milliseconds
TRIES = 5  # some schedules give all blocks to the thread that has a core


def check(answer, random):
    """Raise `CheckFailed` unless the sum is right, shared by threads, and always the same."""
    rng = np.random.default_rng(random.randrange(10**6))
    for n in (1, 10, 4096, random.randrange(150_000, 250_000), 0):
        values = rng.lognormal(0, 3, n)
        label = f"a sum of {n} numbers"
        child.step(label)
        sums = [(t, answer.total(values, t)) for t in TEAMS for _ in range(REPEATS)]
        right = math.fsum(values)
        for threads, got in sums:
            if not abs(got - right) <= 1e-9 * right:
                raise CheckFailed(
                    f"{label} should be {right}, got {got}: is each added once, as a double, to a "
                    "sum that begins at 0? The last block may be shorter: it must end at n"
                )
            if got != sums[0][1]:
                raise CheckFailed(
                    f"{label} depends on the number of threads: {sums[0][1]!r} with 1, {got!r} "
                    f"with {threads}. Which thread adds which numbers, and who adds their sums?"
                )
    values = np.ones(MANY)
    for threads, fault in ((1, "several threads work"), (2, "one thread does all the work")):
        calls = [functools.partial(answer.total, values, threads)] * TRIES
        busy = map(process_stats.busy_seconds, calls)
        if all(seconds and (compiling.workers(seconds) > 1) == (threads == 1) for seconds in busy):
            fact = f"the sums are right, but with threads={threads} {fault}"
            raise CheckFailed(fact, advice="keep `prange`, and pass num_threads=threads")
