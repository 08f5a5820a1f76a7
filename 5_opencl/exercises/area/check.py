"""Counts the pixels of random polygons, and looks whether the device does it."""

import numpy as np

from polymask.ladder import reference, workload
from polymask.workshop.sandbox import device
from polymask.workshop.sandbox.wrong import Wrong, same

UNDER = device.UNDER
LARGE = [
    ((100, 70), "its sum is beyond a byte"),
    ((251, 317), "its sum is beyond 16 bits"),
    ((4099, 4099), "its sum is beyond the whole numbers that a float of 32 bits has"),
]


def check(answer, random):
    """Raise `Wrong` at the first number that is not right, or is the host's."""
    if not hasattr(answer, "area"):
        raise Wrong("area.py has no function area")
    for shape in ((1, 3), (31, 64), (130, 250)):
        compare(answer, drawn(random, shape), f"a mask of shape {shape}")
    for shape, beyond in LARGE:
        compare(answer, np.ones(shape, np.uint8), f"a mask of ones, {shape}: {beyond}")
    shape = 61, 83
    device.check_work(
        answer,
        "area",
        lambda: [drawn(random, shape)],
        lambda mask: int(mask.sum()),
        f"a mask of shape {shape}",
        "ReductionKernel",
        result=False,
    )


def drawn(random, shape):
    """Return the mask of a random polygon."""
    return reference.mask(workload.polygon(9, shape, random.randrange(10**6)), shape)


def compare(answer, mask, label):
    """Raise `Wrong` unless the area is right, and the device has counted it."""
    got, facts = answer.observe("area", mask)
    same(got, int(mask.sum()), label)
    device.check_arguments(facts, label)
    device.check_launched(facts, label, "ReductionKernel")
