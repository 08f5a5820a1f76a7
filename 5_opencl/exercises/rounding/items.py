"""What single work items do, and whether the host waits for them."""

import numpy as np

from polymask.workshop import concepts
from polymask.workshop.sandbox import device
from polymask.workshop.sandbox.wrong import Wrong

from .images import drawn

HELD_S = 0.1  # a kernel that nothing holds is done far sooner


def check_items(answer, random):
    """Raise `Wrong` if items of one group do the work of others, or write beyond the image."""
    shape, group = (13, 41), (4, 8)
    label = f"an image of {shape}, groups of {group}"
    padded = drawn(shape, group, random.randrange(10**6))
    arguments = "inverted", padded, shape, padded.shape[1], group
    answer.switch("launches", idle="Kernel")
    if not np.array_equal(answer.inside(*arguments), padded):
        raise Wrong(
            f"{label}: the mask changes even where the kernel does nothing when it is launched: "
            "so it is inverted elsewhere"
        )
    answer.switch("launches", part="first")
    alone = np.count_nonzero(answer.inside(*arguments) != padded)
    if alone > group[0] * group[1]:
        raise Wrong(
            f"{label}: the first group was launched alone, and inverted {alone} pixels: an item "
            "inverts its own pixel, and no other"
        )
    answer.switch("launches", looks=True)
    _, facts = answer.observe_inside(*arguments)
    answer.switch("launches")
    for launch in device.launches(facts):
        changed = sum(map(differing, launch["before"], launch["after"]))
        if changed > shape[0] * shape[1]:
            raise Wrong(
                f"{label}: the kernel wrote {changed} bytes of its buffers, and the image has "
                f"{shape[0] * shape[1]}: which items are beyond it, and what holds them "
                f"back? {concepts.GUARD}"
            )


def check_waits(answer):
    """Raise `Wrong` if `invert` comes back before its kernel has run."""
    shape, group = (13, 41), (4, 8)
    padded = drawn(shape, group, 0)
    answer.switch("launches", holds=HELD_S)
    waits = answer.inside("waits", padded, shape, padded.shape[1], group)
    answer.switch("launches")
    if not waits:
        raise Wrong(
            "invert came back before its kernel had run: a launch only puts it into the queue. "
            "Wait until it is done: by the event's `wait()`, or the queue's `finish()` "
            f"{concepts.QUEUE}"
        )


def differing(before, after):
    """Return how many bytes are not what they were."""
    return int(np.count_nonzero(np.frombuffer(before, np.uint8) != np.frombuffer(after, np.uint8)))
