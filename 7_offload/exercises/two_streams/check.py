"""Delay one stream until something waits for it, and examine which waits were queued."""

import numpy as np

from ladder.workshop.sandbox import offloading
from ladder.workshop.sandbox.check_failed import CheckFailed

UNDER = offloading.UNDER


def check(answer, random):
    """Raise `CheckFailed` at the first sum that is wrong, or that involves the wrong waits."""
    rng = np.random.default_rng(random.randrange(10**6))
    for n in (7, 1, random.randrange(20, 200)):

        def draw(n=n):
            a, b = rng.uniform(1, 2, (2, n))
            return (a, b), 3 * a + b * b

        label = f"3 a + b² of {n} numbers"
        facts = offloading.check_call(answer.combined, draw, label, 1e-12)
        notes = offloading.notes(facts, "kernel", "wait", "host waits")
        check_order(notes, f"{label}: the sum is right, but")


def check_order(notes, but):
    """Raise `CheckFailed` unless two streams compute, and one waits for the other late enough."""
    while notes and notes[-1]["what"] != "kernel":
        notes.pop()
    streams = [note["stream"] for note in notes if note["what"] == "kernel"]
    if len(set(streams)) < 2:
        raise CheckFailed(
            f"{but} all kernels are in one stream: create a second stream with "
            "`device.create_stream()`, and square b in it"
        )
    if any(note["what"] == "host waits" for note in notes):
        raise CheckFailed(
            f"{but} the host waits before all kernels are queued: let the stream wait instead, "
            "with `wait` for an event in the other stream"
        )
    own = [note for note in notes if note["stream"] == streams[-1]]  # in the stream that adds
    if len(set(streams)) == 2 and own[0]["what"] == "wait" and own[0]["of"] != streams[-1]:
        raise CheckFailed(
            f"{but} the stream that adds waits before its first kernel: that kernel does not need "
            "the other half, so wait only before the addition"
        )
