"""Selects from numbers in hostile orders, and counts the bytes that a heap leaves free."""

import numpy as np

from polymask.workshop.sandbox import child, compiling, peaks
from polymask.workshop.sandbox.wrong import Wrong, same

UNDER = compiling.UNDER
NAMES = ("by_partition", "by_heap")
MANY, FEW = 200_000, 50  # numbers, and how many are kept where memory is counted
HALF = 250_000  # kept where time is: a search among them for each number would be 6e10 steps


def check(answer, random):
    """Raise `Wrong` unless both are right, and the heap is a heap, compiled."""
    rng = np.random.default_rng(random.randrange(10**6))
    for name in NAMES:
        for label, values in orders(rng):
            n = len(values)
            for k in sorted({1, min(2, n), n // 2 + 1, n}):
                what = f"{name}: the {k} smallest of {len(values)} numbers, {label}"
                child.step(what)
                right = np.sort(values)[:k]
                got, facts = child.observe(getattr(answer, name), values, k)
                same(got, right, what)
                compiling.check_arguments(facts, what)
    compiling.check_called(facts, what)
    label = "by_heap: the 7 smallest of 101 numbers"
    compiling.check_idle(
        answer.by_heap, lambda: drawn(rng), label, lambda got, right: same(got, right, label)
    )
    memory(answer, rng)
    child.step(f"by_heap: the {HALF:,} smallest of {2 * HALF:,}, the largest first")
    falling = np.arange(2.0 * HALF)[::-1].copy()
    same(answer.by_heap(falling, HALF), np.arange(1.0 * HALF), "by_heap, the largest first")


def orders(rng):
    """Return numbers in orders that are easily forgotten, each with its name."""
    some = rng.normal(size=40)
    return [
        ("one alone", np.array([0.25])),
        ("in any order", some),
        ("many of them", rng.normal(size=1000)),
        ("the smallest first", np.sort(some)),
        ("the largest first", np.sort(some)[::-1].copy()),
        ("all alike", np.full(9, -1.5)),
        ("many of them twice", np.repeat(rng.integers(-3, 3, 15), 2).astype(float)),
        ("infinite ones among them", np.array([np.inf, 3.0, -np.inf, 2.0, np.inf, 1.0])),
    ]


def drawn(rng):
    """Return arguments, and what is right for them."""
    values = rng.normal(size=101)
    return (values, 7), np.sort(values)[:7]


def memory(answer, rng):
    """Raise `Wrong` if the heap's function copies the numbers that it selects from."""
    values = rng.normal(size=MANY)
    child.step("counting what memory by_heap takes")
    taken = peaks.peak(answer.by_heap, values, FEW)
    if taken > values.nbytes / 2:
        raise Wrong(
            f"by_heap takes {taken / values.nbytes:.1f} times the memory of all numbers to find "
            f"{FEW} of {MANY:,}: keep those that are the smallest so far, and no others"
        )
