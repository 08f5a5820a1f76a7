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
        if not offloading.notes(facts, "kernel"):
            raise CheckFailed(f"{label}: right, but no kernel was invoked: the host computed it")
        advice = "send a, b and c once: a plain array is sent for each kernel"
        offloading.check_bytes(facts, "to_device", 8 * (m * k + k * n + n * p), label, advice)
        advice = "plain arrays are fetched, too, and so is `empty` unless `update_host=False`"
        offloading.check_bytes(facts, "to_host", 8 * m * p, label, advice)
        notes = offloading.notes(facts, "kernel", "host waits")
        while notes[-1]["what"] != "kernel":
            notes.pop()
        if any(note["what"] == "host waits" for note in notes):
            raise CheckFailed(
                f"{label}: right, but the host waits before the last kernel is queued: within a "
                "stream, each kernel waits for the previous one automatically"
            )
