"""Count the pixels of random polygons, and test whether all items of the device take part."""

import numpy as np

from ladder.workshop.sandbox import cases, child, device, known_calls
from ladder.workshop.sandbox.check_failed import CheckFailed
from ladder.workshop.sandbox.environments import pieces

UNDER = device.UNDER
LARGE = [
    ((100, 70), "its sum does not fit in a byte"),
    ((251, 317), "its sum does not fit in 16 bits"),
    ((4099, 4099), "its sum exceeds the consecutive integers of a float of 32 bits"),
]


def check(answer, random):
    """Raise `CheckFailed` at the first number that is wrong, or that the host computed."""
    for shape in ((1, 3), (31, 64), (130, 250)):
        _, mask = cases.random_mask(random, shape)
        call = (mask,), int(mask.sum()), f"a mask of shape {shape}"
        known_calls.check_opencl(answer.area, *call, "ReductionKernel")
    for shape, beyond in LARGE:
        ones = np.ones(shape, np.uint8)
        known_calls.check_call(
            answer.area, (ones,), ones.size, f"a mask of ones, {shape}: {beyond}"
        )
    ones = np.ones((61, 83), np.uint8)
    with pieces.exchanged(join="a + b + 1000000000L"):  # a larger sum than memory has pixels
        if child.again().area(ones) < 2**32:
            raise CheckFailed("a sum of more than 2**31 does not fit: use a type of 64 bits")
    # A reduction that takes the larger of two values returns the largest value of one element.
    with pieces.exchanged(join="a > b ? a : b"):
        most = child.again().area(ones)
    if most > ones.size / 2:
        raise CheckFailed(
            f"a mask of {ones.size} ones: {most} of them are counted without the reduction: "
            "the answer is not its result, or a single element counts in a loop. Let `map_expr` "
            "return one pixel, and `reduce_expr` add two values"
        )
