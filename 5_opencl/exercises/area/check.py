"""Count the pixels of random polygons, and of masks that are too large for small types."""

import numpy as np

from ladder.workshop.sandbox import cases, device, known_calls
from ladder.workshop.sandbox.check_failed import CheckFailed, advising, same

UNDER = device.UNDER
LARGE = {"a byte": (100, 70), "16 bits": (251, 317), "a float32": (4099, 4099)}


def check(answer, random):
    """Raise `CheckFailed` at the first number that is wrong, or that the host computed."""
    for shape in ((1, 3), (31, 64), (130, 250)):
        _, mask = cases.random_mask(random, shape)
        call = (mask,), int(mask.sum()), f"a mask of shape {shape}"

        def judge(got, right, label, shape=shape):
            if isinstance(got, int) and got - right == answer.area(np.zeros(shape, np.uint8)) != 0:
                raise CheckFailed(f"{got - right} too many: the neutral element must change no sum")
            with advising("`map_expr` must be the value of pixel i" * bool(got == np.prod(shape))):
                same(got, right, label)

        known_calls.check_opencl(answer.area, *call, "ReductionKernel", judge)
    for kind, shape in LARGE.items():
        ones, label = np.ones(shape, np.uint8), f"a mask of ones, {shape}: too many for {kind}"
        known_calls.check_call(answer.area, (ones,), ones.size, label)
