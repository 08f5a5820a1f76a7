"""Count the pixels of random polygons, and of masks that are too large for small types."""

import numpy as np

from ladder.workshop.sandbox import cases, device, known_calls
from ladder.workshop.sandbox.check_failed import CheckFailed

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
        of_none = answer.area(np.zeros(shape, np.uint8))
        if of_none and answer.area(mask) == mask.sum() + of_none:
            raise CheckFailed(f"{of_none} pixels too many: the neutral element must change no sum")
        known_calls.check_opencl(answer.area, *call, "ReductionKernel")
    for shape, beyond in LARGE:
        ones = np.ones(shape, np.uint8)
        known_calls.check_call(
            answer.area, (ones,), ones.size, f"a mask of ones, {shape}: {beyond}"
        )
