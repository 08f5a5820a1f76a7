"""Pass the toggles of polygons, and rows with an odd number of toggles."""

import numpy as np

from ladder.workshop.sandbox import cases, device, known_calls
from ladder.workshop.sandbox.check_failed import CheckFailed, same_mask

UNDER = device.UNDER


def check(answer, random):
    """Raise `CheckFailed` at the first mask that is wrong, or that was not made by a scan."""
    rng = np.random.default_rng(random.randrange(10**6))
    for shape in ((1, 9), (31, 64), (130, 250)):
        _, mask = cases.random_mask(random, shape)
        toggles = np.diff(mask, axis=1, prepend=np.uint8(0)) % 2
        check_fill(answer, toggles, f"a polygon's toggles, {shape}")
    for shape in ((1, 1), (7, 1), (5, 8), (3, 5000), (int(rng.integers(2, 99)), 77)):
        toggles = rng.integers(0, 2, shape).astype(np.uint8)
        check_fill(answer, toggles, f"toggles at random, {shape}")


def filled(toggles):
    """Return the mask of toggles."""
    return np.bitwise_xor.accumulate(toggles, axis=1)


def check_fill(answer, toggles, label):
    """Raise `CheckFailed` unless the device computes the right mask from the toggles."""

    def judge(got, right, label):
        in_one_row = filled(toggles.reshape(1, -1)).reshape(right.shape)
        if np.array_equal(got, in_one_row) and not np.array_equal(got, right):
            raise CheckFailed(
                f"{label}: the parity carries over to the next row: where does a segment begin, "
                "and does `scan_expr` use `across_seg_boundary`?"
            )
        same_mask(got, right, label)

    call = (toggles,), filled(toggles), label
    known_calls.check_opencl(answer.fill, *call, "GenericScanKernel", judge)
