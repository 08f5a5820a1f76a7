"""Combine masks of random polygons, and test whether the device computes the result."""

import numpy as np

from ladder.workshop.sandbox import cases, child, device, known_calls
from ladder.workshop.sandbox.check_failed import CheckFailed, same_mask
from ladder.workshop.sandbox.environments import pieces

UNDER = device.UNDER


def check(answer, random):
    """Raise `CheckFailed` at the first result that is wrong, or that the host computed."""
    for shape in ((1, 1), (7, 13), (31, 64)):
        (_, a), (_, b) = (cases.random_mask(random, shape) for _ in range(2))
        call = (a, b), a ^ b, f"masks of shape {shape}"
        known_calls.check_opencl(answer.either, *call, "ElementwiseKernel", same_mask)
    # If every other element does nothing, about half of the pixels that should be 1 are right.
    rng = np.random.default_rng(random.randrange(10**6))
    a, b = rng.integers(0, 2, (2, 61, 83)).astype(np.uint8)
    with pieces.exchanged(only="i % 2 == 0"):
        got = child.again().either(a, b)
    # the result may overwrite a or b, in which one group of pixels is 1 already
    shares = [np.mean(got[pixels] == 1) for pixels in (a > b, b > a)]
    if min(shares) > 0.75 or max(shares) < 0.25:
        amount = "all" if min(shares) > 0.75 else "hardly any"
        raise CheckFailed(
            f"every other element was skipped, but {amount} of the pixels are right: compute only "
            "pixel `i` in an element; PyOpenCL supplies the loop"
        )
