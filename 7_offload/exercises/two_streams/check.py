"""Lets one stream stand still as long as nobody waits for it, and looks who has waited for whom."""

import numpy as np

from polymask.workshop.sandbox import offloading
from polymask.workshop.sandbox.wrong import Wrong

UNDER = offloading.UNDER


def check(answer, random):
    """Raise `Wrong` at the first sum that is not right, and if the wrong one has waited."""
    for n in (7, 1, random.randrange(20, 200)):
        drawn = np.random.default_rng(random.randrange(10**6))
        label = f"3 a + b² of {n} numbers"

        def draw(drawn=drawn, n=n):
            a, b = drawn.uniform(1, 2, (2, n))
            return (a, b), 3 * a + b * b

        facts = offloading.observed(answer.combined, draw, label, 1e-12)
        check_order(offloading.notes(facts, "kernel", "wait", "host waits"), label)
        offloading.check_idle(answer.combined, draw, label)


def check_order(notes, label):
    """Raise `Wrong` unless two streams compute, and the one waits for the other late."""
    kernels = [i for i, note in enumerate(notes) if note["what"] == "kernel"]
    streams = {notes[i]["stream"] for i in kernels}
    if not kernels:
        raise Wrong(f"{label}: the sum is right, but no kernel was invoked: the host computed it")
    if len(streams) < 2:
        raise Wrong(
            f"{label}: the sum is right, but all kernels are in one stream: let a second one, "
            "of `device.create_stream()`, square b"
        )
    if any(note["what"] == "host waits" for note in notes[: kernels[-1]]):
        raise Wrong(
            f"{label}: the sum is right, but the host waits before all kernels are queued: it is "
            "the stream that has to wait, by `wait` for an event of the other"
        )
    last = notes[kernels[-1]]["stream"]
    waits = [
        i for i, n in enumerate(notes) if n["what"] == "wait" and n["stream"] == last != n["of"]
    ]
    own = [i for i in kernels if notes[i]["stream"] == last]
    if len(streams) == 2 and waits and waits[0] < own[0]:
        raise Wrong(
            f"{label}: the sum is right, but the stream that adds waits before its first kernel: "
            "its own half does not need the other one, so let it wait only then"
        )
