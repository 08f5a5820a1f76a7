"""Combine masks of random polygons, and test whether the device computes the result."""

import numpy as np

from ladder.workshop.sandbox import cases, device, known_calls
from ladder.workshop.sandbox.check_failed import advising, same_mask

UNDER = device.UNDER


def check(answer, random):
    """Raise `CheckFailed` at the first result that is wrong, or that the host computed."""
    for shape in ((1, 1), (7, 13), (31, 64)):
        (_, a), (_, b) = (cases.random_mask(random, shape) for _ in range(2))
        call = (a, b), a ^ b, f"masks of shape {shape}"

        def judge(got, right, label, union=a | b):
            with advising("a pixel in both masks must be 0" * np.array_equal(got, union)):
                same_mask(got, right, label)

        known_calls.check_opencl(answer.either, *call, "ElementwiseKernel", judge)
