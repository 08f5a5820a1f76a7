"""Select from numbers in difficult orders, and test that the heap saves memory."""

import numpy as np

from ladder.workshop.sandbox import compiling, known_calls, process_stats
from ladder.workshop.sandbox.check_failed import CheckFailed

UNDER = compiling.UNDER
MANY, FEW = 200_000, 50  # all numbers and selected numbers, for the measurement of memory


def check(answer, random):
    """Raise `CheckFailed` unless both are right, and the second is a compiled heap."""
    rng = np.random.default_rng(random.randrange(10**6))
    some = rng.normal(size=1000)
    orders = {
        "one alone": np.array([0.25]),
        "in any order": some,
        "the smallest first": np.sort(some),
        "the largest first": np.sort(some)[::-1].copy(),
        "many of them twice": np.repeat(rng.integers(-3, 3, 15), 2).astype(float),
    }
    for name in ("by_partition", "by_heap"):
        for order, values in orders.items():
            n = len(values)
            for k in sorted({1, min(2, n), n // 2 + 1, n}):
                label = f"{name}: the {k} smallest of {n} numbers, {order}"
                call = (values, k), np.sort(values)[:k], label
                known_calls.check_call(getattr(answer, name), *call)
    values = rng.normal(size=MANY)
    call = (values, FEW), np.sort(values)[:FEW], f"by_heap: the {FEW} smallest of {MANY:,}"
    known_calls.check_numba(answer.by_heap, *call)
    copies = process_stats.peak_bytes(answer.by_heap, values, FEW) / values.nbytes
    if copies > 0.5:
        fact = (
            f"by_heap takes {copies:.1f} times the memory of all numbers to find {FEW} of {MANY:,}"
        )
        raise CheckFailed(fact, advice="keep only the smallest numbers so far")
