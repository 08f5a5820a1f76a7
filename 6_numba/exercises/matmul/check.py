"""Multiplies matrices, and runs single threads to see whose element is whose."""

import functools

import numpy as np

from polymask.workshop.sandbox import child, compiling, known_calls
from polymask.workshop.sandbox.check_failed import CheckFailed, same

UNDER = compiling.KERNELS
near = functools.partial(same, rtol=1e-12)  # sums may be taken in any order


def check(answer, random):
    """Raise `CheckFailed` at the first product that is not right, or thread that is another's."""
    rng = np.random.default_rng(random.randrange(10**6))

    def draw(n):
        a, b = rng.uniform(1, 2, (2, n, n))
        return (a, b), a @ b

    for n in (1, 2, 7, 8, 9):
        label = f"matrices of {n} x {n}"
        known_calls.check_cuda(answer.multiply, functools.partial(draw, n), label, near)
    (a, b), right = draw(n)
    for row, col in (divmod(element, n) for element in random.sample(range(n * n), 8)):
        child.step(f"running the thread of c[{row}, {col}] alone")
        said = answer.who(row, col)
        if not isinstance(said, tuple | list) or len(said) != 4:
            raise CheckFailed(f"who({row}, {col}): expected four numbers, got {said!r}")
        bx, by, tx, ty = map(int, said)
        with child.switched("simulated", block=(bx, by, 0), thread=(tx, ty, 0)):
            c = answer.multiply(a, b)
        made = np.argwhere(~np.isnan(c)).tolist()
        if made != [[row, col]]:
            elements = ", ".join(f"c[{y}, {x}]" for y, x in made[:3]) or "nothing"
            more = f" and {len(made) - 3} more" if len(made) > 3 else ""
            raise CheckFailed(
                f"who({row}, {col}) names thread ({tx}, {ty}) of block ({bx}, {by}); that one "
                f"alone computed {elements}{more}"
            )
        near(c[row, col], right[row, col], f"c[{row}, {col}] by itself")
