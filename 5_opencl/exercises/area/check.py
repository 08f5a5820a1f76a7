"""Counts the pixels of random polygons, and looks whether all items of the device do it."""

import numpy as np

from polymask.ladder import reference, workload
from polymask.workshop.sandbox import child, device
from polymask.workshop.sandbox.environments import pieces
from polymask.workshop.sandbox.wrong import Wrong, same

UNDER = device.UNDER
LARGE = [
    ((100, 70), "its sum is beyond a byte"),
    ((251, 317), "its sum is beyond 16 bits"),
    ((4099, 4099), "its sum is beyond the whole numbers that a float of 32 bits has"),
]
LARGER = {"join": "a > b ? a : b"}  # in the place of the sum
SHARE = 0.5  # of the pixels: one element has no business with so many


def check(answer, random):
    """Raise `Wrong` at the first number that is not right, or is the host's."""
    for shape in ((1, 3), (31, 64), (130, 250)):
        compare(answer, drawn(random, shape), f"a mask of shape {shape}")
    for shape, beyond in LARGE:
        compare(answer, np.ones(shape, np.uint8), f"a mask of ones, {shape}: {beyond}")
    shape = 61, 83
    mask, label = drawn(random, shape), f"a mask of shape {shape}"
    device.check_idle(answer.area, [mask], int(mask.sum()), label, "ReductionKernel")
    with pieces.exchanged(**LARGER):
        check_added(child.again(), np.ones(shape, np.uint8))


def check_added(unadded, mask):
    """Raise `Wrong` if an element brings the whole sum, so that nothing is left to be added.

    Where the reduction takes the larger of two values, what comes out is the most that one element
    brings.
    """
    most = unadded.area(mask)
    if most > SHARE * mask.sum():
        raise Wrong(
            f"a mask of {mask.sum()} ones: a single element brings {most} of them, in a loop "
            "perhaps, and the reduction has nothing left to add: let `map_expr` take one pixel, "
            "and `reduce_expr` join them"
        )


def drawn(random, shape):
    """Return the mask of a random polygon."""
    return reference.mask(workload.polygon(9, shape, random.randrange(10**6)), shape)


def compare(answer, mask, label):
    """Raise `Wrong` unless the area is right, and the device has counted it."""
    right = int(mask.sum())
    got, facts = child.observe(answer.area, mask)
    same(got, right, label)
    device.check_arguments(facts, label)
    device.check_launched(facts, label, "ReductionKernel")
