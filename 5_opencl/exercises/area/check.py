"""Counts the pixels of random polygons, and looks whether all items of the device do it."""

import numpy as np

from polymask.ladder import reference, workload
from polymask.workshop.sandbox import child, device, known_calls
from polymask.workshop.sandbox.check_failed import CheckFailed
from polymask.workshop.sandbox.environments import pieces

UNDER = device.UNDER
LARGE = [
    ((100, 70), "its sum is beyond a byte"),
    ((251, 317), "its sum is beyond 16 bits"),
    ((4099, 4099), "its sum is beyond the whole numbers that a float of 32 bits has"),
]


def check(answer, random):
    """Raise `CheckFailed` at the first number that is not right, or is the host's."""
    for shape in ((1, 3), (31, 64), (130, 250)):

        def draw(shape=shape):
            polygon = workload.polygon(9, shape, random.randrange(10**6))
            mask = reference.mask(polygon, shape)
            return (mask,), int(mask.sum())

        known_calls.check_opencl(answer.area, draw, f"a mask of shape {shape}", "ReductionKernel")
    for shape, beyond in LARGE:
        case = (np.ones(shape, np.uint8),), shape[0] * shape[1]
        known_calls.check_call(
            answer.area, lambda case=case: case, f"a mask of ones, {shape}: {beyond}"
        )
    # Where a reduction takes the larger of two values, the most that one element brings remains.
    ones = np.ones((61, 83), np.uint8)
    with pieces.exchanged(join="a > b ? a : b"):
        most = child.again().area(ones)
    if most > ones.size / 2:
        raise CheckFailed(
            f"a mask of {ones.size} ones: a single element brings {most} of them, in a loop "
            "perhaps, and the reduction has nothing left to add: let `map_expr` take one pixel, "
            "and `reduce_expr` join them"
        )
