"""Counts what travels for a product of three matrices, and where the host waits."""

import numpy as np

from polymask.workshop.sandbox import offloading
from polymask.workshop.sandbox.wrong import Wrong

UNDER = offloading.UNDER


def check(answer, random):
    """Raise `Wrong` at the first product that is not right, or that travels too much."""
    for m, k, n, p in ((2, 3, 4, 5), (7, 1, 6, 2), tuple(random.sample(range(8, 30), 4))):
        drawn = np.random.default_rng(random.randrange(10**6))
        label = f"the product of {m} x {k}, {k} x {n} and {n} x {p}"

        def draw(drawn=drawn, shapes=((m, k), (k, n), (n, p))):
            a, b, c = map(drawn.random, shapes)
            return (a, b, c), a @ b @ c

        facts = offloading.observed(answer.product, draw, label, 1e-9)
        check_travel(facts, 8 * (m * k + k * n + n * p), 8 * m * p, label)
        check_waits(offloading.notes(facts, "kernel", "host waits"), label)
        offloading.check_idle(answer.product, draw, label)


def check_travel(facts, there, back, label):
    """Raise `Wrong` if more travelled than the arguments there, and the result back."""
    for what, least, where, names in (
        ("to_device", there, "to the device", "a, b and c have"),
        ("to_host", back, "to the host", "the result has"),
    ):
        copied = offloading.nbytes(facts, what)
        if copied < least:
            raise Wrong(
                f"{label}: right, but {copied} bytes went {where}, and {names} {least}: the device "
                "never saw them as they were handed in, so the host has computed with them"
            )
        if copied > least:
            raise Wrong(
                f"{label}: right, but {copied} bytes went {where}, and {names} {least}: which "
                "calls copy what nobody needs there?"
            )


def check_waits(notes, label):
    """Raise `Wrong` unless the kernels are queued one after the other, without a wait between."""
    kernels = [i for i, note in enumerate(notes) if note["what"] == "kernel"]
    if not kernels:
        raise Wrong(f"{label}: right, but no kernel was invoked: the host computed it")
    if any(note["what"] == "host waits" for note in notes[: kernels[-1]]):
        raise Wrong(
            f"{label}: right, but the host waits before the last kernel is queued: in one stream "
            "a kernel waits for the one before by itself"
        )
