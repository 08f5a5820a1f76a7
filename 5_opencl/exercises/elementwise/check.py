"""Joins masks of random polygons, and looks whether the device does it."""

import numpy as np

from polymask.ladder import reference, workload
from polymask.workshop.sandbox import child, device, poison
from polymask.workshop.sandbox.environments import pieces
from polymask.workshop.sandbox.wrong import Wrong, same_mask

UNDER = device.UNDER
HALF = {"only": "i % 2 == 0"}  # of the elements are worked on
FEW, MOST = 0.25, 0.75  # shares that are not a half


def check(answer, random):
    """Raise `Wrong` at the first result that is not right, or is the host's."""
    for shape in ((1, 1), (7, 13), (31, 64)):
        (a, b), label = drawn(random, shape), f"masks of shape {shape}"
        right = a ^ b
        poison.memory(shape)
        got, facts = child.observe(answer.either, a, b)
        same_mask(got, right, label)
        device.check_arguments(facts, label)
        device.check_margins(facts, label)
        device.check_launched(facts, label, "ElementwiseKernel")
    shape = 61, 83
    a, b = drawn(random, shape)
    label = f"masks of shape {shape}"
    device.check_idle(answer.either, [a, b], a ^ b, label, "ElementwiseKernel")
    with pieces.exchanged(**HALF):
        check_elements(child.again(), np.random.default_rng(random.randrange(10**6)))


def check_elements(halved, rng):
    """Raise `Wrong` if elements write other pixels than their own.

    Where every other element does nothing, about half of the pixels that are 1 are right. In the
    place of one mask all are, of those that are 1 there.
    """
    a, b = rng.integers(0, 2, (2, 61, 83)).astype(np.uint8)
    got = halved.either(a, b)
    shares = [float(np.mean(got[here] == 1)) for here in (a > b, b > a)]
    if min(shares) > MOST or max(shares) < FEW:
        seen = "all" if min(shares) > MOST else "hardly any"
        raise Wrong(
            f"every other element was left out, and {seen} of the pixels are right: an element "
            "works on pixel `i`, and on no other; the loop is PyOpenCL's"
        )


def drawn(random, shape):
    """Return the masks of two random polygons."""
    seeds = (random.randrange(10**6) for _ in range(2))
    return [reference.mask(workload.polygon(9, shape, seed), shape) for seed in seeds]
