"""Select from numbers in difficult orders, and test that the heap saves memory."""

import numpy as np

from ladder.workshop.sandbox import child, compiling, known_calls, peak_memory
from ladder.workshop.sandbox.check_failed import CheckFailed, same

UNDER = compiling.UNDER
MANY, FEW = 200_000, 50  # all numbers and selected numbers, for the measurement of memory
HALF = 250_000  # selected numbers, for the time limit: a search for each would take 6e10 steps


def check(answer, random):
    """Raise `CheckFailed` unless both are right, and the second is a compiled heap."""
    rng = np.random.default_rng(random.randrange(10**6))
    some = rng.normal(size=40)
    orders = {
        "one alone": np.array([0.25]),
        "in any order": some,
        "many of them": rng.normal(size=1000),
        "the smallest first": np.sort(some),
        "the largest first": np.sort(some)[::-1].copy(),
        "all alike": np.full(9, -1.5),
        "many of them twice": np.repeat(rng.integers(-3, 3, 15), 2).astype(float),
        "infinite ones among them": np.array([np.inf, 3.0, -np.inf, 2.0, np.inf, 1.0]),
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
    copies = peak_memory.measure(answer.by_heap, values, FEW) / values.nbytes
    if copies > 0.5:
        raise CheckFailed(
            f"by_heap takes {copies:.1f} times the memory of all numbers to find {FEW} of "
            f"{MANY:,}: keep only the smallest numbers so far"
        )
    child.step(f"by_heap: the {HALF:,} smallest of {2 * HALF:,}, the largest first")
    falling = np.arange(2.0 * HALF)[::-1].copy()
    same(answer.by_heap(falling, HALF), np.arange(1.0 * HALF), "by_heap, the largest first")
