"""Counts the pixels of random polygons, and looks whether the device does it."""

import numpy as np

from polymask.ladder import reference, workload
from polymask.workshop.sandbox import device
from polymask.workshop.sandbox.wrong import Wrong, same

UNDER = device.UNDER


def check(answer, random):
    """Raise `Wrong` at the first number that is not right, or is the host's."""
    if not hasattr(answer, "area"):
        raise Wrong("area.py has no function area")
    for shape in ((1, 3), (31, 64), (130, 250)):
        compare(answer, drawn(random, shape), f"a mask of shape {shape}")
    compare(answer, np.ones((100, 70), np.uint8), "a mask of ones, 100 x 70")
    mask = drawn(random, (61, 83))
    device.check_idle(answer, "area", (mask,), int(mask.sum()), "a mask of shape (61, 83)")


def drawn(random, shape):
    """Return the mask of a random polygon."""
    return reference.mask(workload.polygon(9, shape, random.randrange(10**6)), shape)


def compare(answer, mask, label):
    """Raise `Wrong` unless the area is right, and the device has counted it."""
    got, facts = answer.observe("area", mask)
    same(got, int(mask.sum()), label)
    device.check_launched(facts, label, "ReductionKernel")
