"""Multiply matrices, and run single threads to test which element each computes."""

import numpy as np

from ladder.workshop.sandbox import child, compiling, known_calls
from ladder.workshop.sandbox.check_failed import CheckFailed, advising, same
from ladder.workshop.student import pictures

UNDER = compiling.KERNELS


def near(got, right, label):
    """Raise `CheckFailed` unless products are right; sums may be computed in any order."""
    nan = "where c is still nan, no thread wrote, or it added to the nan" * bool(
        np.isnan(got).any()
    )
    with advising(nan):
        same(got, right, label, rtol=1e-12)


def check(answer, random):
    """Return a picture; raise `CheckFailed` at the first wrong product or thread."""
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
    picture = pictures.tiles((n, n), answer.BLOCK[::-1])
    return f"seen: the elements of each block, for {n} x {n}; `.` has none:\n{picture}"
