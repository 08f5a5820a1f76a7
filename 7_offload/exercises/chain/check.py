"""Count the bytes copied for a product of three matrices, and find where the host waits."""

import numpy as np

from ladder.workshop.sandbox import offloading
from ladder.workshop.sandbox.check_failed import CheckFailed

UNDER = offloading.UNDER


def check(answer, random):
    """Raise `CheckFailed` at the first product that is wrong, or that needs too many copies."""
    rng = np.random.default_rng(random.randrange(10**6))
    for m, k, n, p in ((2, 3, 4, 5), (7, 1, 6, 2), tuple(random.sample(range(8, 30), 4))):

        def draw(shapes=((m, k), (k, n), (n, p))):
            a, b, c = map(rng.random, shapes)
            return (a, b, c), a @ b @ c

        label = f"the product of {m} x {k}, {k} x {n} and {n} x {p}"
        facts = offloading.check_call(answer.product, draw, label, 1e-9)
        sent, fetched = 8 * (m * k + k * n + n * p), 8 * m * p
        check_travel(facts, "to_device", sent, f"{label}: right, but a, b and c have {sent} bytes")
        check_travel(
            facts, "to_host", fetched, f"{label}: right, but the result has {fetched} bytes"
        )
        notes = offloading.notes(facts, "kernel", "host waits")
        if not any(note["what"] == "kernel" for note in notes):
            raise CheckFailed(f"{label}: right, but no kernel was invoked: the host computed it")
        while notes[-1]["what"] != "kernel":
            notes.pop()
        if any(note["what"] == "host waits" for note in notes):
            raise CheckFailed(
                f"{label}: right, but the host waits before the last kernel is queued: within a "
                "stream, each kernel waits for the previous one automatically"
            )


def check_travel(facts, direction, needed, label):
    """Raise `CheckFailed` unless exactly the needed bytes were copied in a direction."""
    copied = offloading.nbytes(facts, direction)
    target = direction.replace("to_", "to the ")
    if copied < needed:
        raise CheckFailed(
            f"{label}, and {copied} bytes went {target}: send a, b and c unchanged, and compute "
            "only on the device"
        )
    if copied > needed:
        raise CheckFailed(
            f"{label}, and {copied} bytes went {target}: which of these copies are needed?"
        )
