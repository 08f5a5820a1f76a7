"""Multiply matrices that are not square, on a device that starts only when the host waits."""

import numpy as np

from ladder.workshop.sandbox import offloading
from ladder.workshop.sandbox.check_failed import CheckFailed

UNDER = offloading.UNDER


def check(answer, random):
    """Raise `CheckFailed` at the first product that is wrong, or that no kernel computed."""
    shapes = [(3, 4, 5), (1, 7, 2), (6, 1, 3), tuple(random.sample(range(8, 30), 3))]
    for number, (m, n, k) in enumerate(shapes):
        rng = np.random.default_rng(random.randrange(10**6))
        alpha, beta = rng.uniform(0.5, 2, 2).tolist()
        if number == 0:
            beta = 0.0
        label = f"multiplying {m} x {k} by {k} x {n}, alpha {alpha:.3f}, beta {beta:.3f}"

        def draw(rng=rng, sizes=(m, n, k), alpha=alpha, beta=beta):
            m, n, k = sizes
            a, b, c = rng.random((m, k)), rng.random((k, n)), rng.random((m, n))
            return (alpha, a, b, beta, c), alpha * (a @ b) + beta * c

        facts = offloading.check_call(answer.multiply, draw, label, 1e-9)
        if not offloading.notes(facts, "kernel"):
            raise CheckFailed(f"{label}: no kernel was invoked: the host computed it")
