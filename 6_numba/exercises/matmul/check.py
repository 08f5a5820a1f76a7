"""Multiplies matrices, and runs single threads to see whose element is whose."""

import numpy as np

from polymask.workshop.sandbox import child, compiling
from polymask.workshop.sandbox.wrong import Wrong, same

UNDER = compiling.KERNELS
RTOL = 1e-12  # sums may be taken in any order
SIZES = (1, 2, 7, 8, 9)
ELEMENTS = 8  # whose threads are run alone


def check(answer, random):
    """Raise `Wrong` at the first product that is not right, or thread that is another's."""
    rng = np.random.default_rng(random.randrange(10**6))
    for n in SIZES:
        label = f"matrices of {n} x {n}"
        child.step(f"multiplying {label}")
        (a, b), right = drawn(rng, n)
        got, facts = child.observe(answer.multiply, a, b)
        same(got, right, label, RTOL)
        compiling.check_arguments(facts, label)
        compiling.check_launched(facts, label)
    compiling.check_idle(
        answer.multiply,
        lambda: drawn(rng, 6),
        label,
        lambda got, right: same(got, right, label, RTOL),
        "simulated",
    )
    identity(answer, rng, random)


def drawn(rng, n):
    """Return two matrices, and their product."""
    a, b = rng.uniform(1, 2, (2, n, n))
    return (a, b), a @ b


def identity(answer, rng, random):
    """Raise `Wrong` unless each element is made by the thread that `who` names, and it alone."""
    n = 9
    (a, b), right = drawn(rng, n)
    for element in random.sample(range(n * n), ELEMENTS):
        row, col = divmod(element, n)
        child.step(f"running the thread of c[{row}, {col}] alone")
        said = answer.who(row, col)
        if not isinstance(said, tuple | list) or len(said) != 4:
            raise Wrong(f"who({row}, {col}): expected four numbers, got {said!r}")
        bx, by, tx, ty = map(int, said)
        child.switch("simulated", block=(bx, by, 0), thread=(tx, ty, 0))
        try:
            c = answer.multiply(a, b)
        finally:
            child.switch("simulated")
        made = np.argwhere(~np.isnan(c)).tolist()
        if made != [[row, col]]:
            elements = ", ".join(f"c[{y}, {x}]" for y, x in made[:3]) or "nothing"
            more = f" and {len(made) - 3} more" if len(made) > 3 else ""
            raise Wrong(
                f"who({row}, {col}) names thread ({tx}, {ty}) of block ({bx}, {by}); that one "
                f"alone computed {elements}{more}"
            )
        same(c[row, col].item(), right[row, col].item(), f"c[{row}, {col}] by itself", RTOL)
