"""Counts what travels for a product of three matrices, and where the host waits."""

import numpy as np

from polymask.workshop.sandbox import offloading
from polymask.workshop.sandbox.check_failed import CheckFailed

UNDER = offloading.UNDER


def check(answer, random):
    """Raise `CheckFailed` at the first product that is not right, or that travels too much."""
    drawn = np.random.default_rng(random.randrange(10**6))
    for m, k, n, p in ((2, 3, 4, 5), (7, 1, 6, 2), tuple(random.sample(range(8, 30), 4))):

        def draw(shapes=((m, k), (k, n), (n, p))):
            a, b, c = map(drawn.random, shapes)
            return (a, b, c), a @ b @ c

        label = f"the product of {m} x {k}, {k} x {n} and {n} x {p}"
        facts = offloading.check_call(answer.product, draw, label, 1e-9)
        there, back = 8 * (m * k + k * n + n * p), 8 * m * p
        check_travel(
            facts, "to_device", there, f"{label}: right, but a, b and c have {there} bytes"
        )
        check_travel(facts, "to_host", back, f"{label}: right, but the result has {back} bytes")
        notes = offloading.notes(facts, "kernel", "host waits")
        if not any(note["what"] == "kernel" for note in notes):
            raise CheckFailed(f"{label}: right, but no kernel was invoked: the host computed it")
        while notes[-1]["what"] != "kernel":
            notes.pop()
        if any(note["what"] == "host waits" for note in notes):
            raise CheckFailed(
                f"{label}: right, but the host waits before the last kernel is queued: in one "
                "stream a kernel waits for the one before by itself"
            )


def check_travel(facts, what, least, label):
    """Raise `CheckFailed` unless as many bytes travelled in a direction as have to."""
    copied = offloading.nbytes(facts, what)
    where = what.replace("to_", "to the ")
    if copied < least:
        raise CheckFailed(
            f"{label}, and {copied} bytes went {where}: the device never saw them as they were "
            "handed in, so the host has computed with them"
        )
    if copied > least:
        raise CheckFailed(
            f"{label}, and {copied} bytes went {where}: which of these copies are needed?"
        )
