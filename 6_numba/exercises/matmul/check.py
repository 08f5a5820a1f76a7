"""Multiply matrices, and run single threads to test which element each computes."""

import functools

import numpy as np

from ladder.workshop.sandbox import child, compiling, known_calls
from ladder.workshop.sandbox.check_failed import CheckFailed, same

UNDER = compiling.KERNELS
near = functools.partial(same, rtol=1e-12)  # sums may be computed in any order


def check(answer, random):
    """Raise `CheckFailed` at the first wrong product, or the first wrong thread."""
    rng = np.random.default_rng(random.randrange(10**6))
    for n in (1, 2, 7, 8, 9):
        a, b = rng.uniform(1, 2, (2, n, n))
        known_calls.check_cuda(answer.multiply, (a, b), a @ b, f"matrices of {n} x {n}", near)
    right = a @ b
    for row, col in (divmod(element, n) for element in random.sample(range(n * n), 8)):
        child.step(f"running the thread of c[{row}, {col}] alone")
        bx, by, tx, ty = map(int, answer.who(row, col))
        with child.switched("simulated", block=(bx, by, 0), thread=(tx, ty, 0)):
            c = answer.multiply(a, b)
        computed = np.argwhere(~np.isnan(c)).tolist()
        if computed != [[row, col]]:
            raise CheckFailed(
                f"who({row}, {col}) returns thread ({tx}, {ty}) of block ({bx}, {by}), but this "
                f"thread computes the elements {computed}"
            )
        near(c[row, col], right[row, col], f"c[{row}, {col}] alone")
        if bx * answer.BLOCK[0] + tx != col:
            raise CheckFailed(
                f"c[{row}, {col}] is right, but x is {bx * answer.BLOCK[0] + tx} in its thread: x "
                "must run along a row, so that neighbours in x write neighbours in memory"
            )
