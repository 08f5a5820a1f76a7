"""Pass the toggles of polygons, and rows with an odd number of toggles."""

import numpy as np

from ladder.workshop.sandbox import cases, device, known_calls
from ladder.workshop.sandbox.check_failed import advising, same_mask

UNDER = device.UNDER


def check(answer, random):
    """Raise `CheckFailed` at the first mask that is wrong, or that was not made by a scan."""
    rng = np.random.default_rng(random.randrange(10**6))
    for shape in ((31, 64), (1, 9), (130, 250)):
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
        rows, flat = len(toggles), toggles.ravel()
        by_rows = np.hstack([filled(flat[None, i : i + rows]) for i in range(0, flat.size, rows)])
        causes = {
            "the parity carries over to the next row: where does a segment begin, and does "
            "`scan_expr` use `across_seg_boundary`?": filled(flat[None]),
            "these are the toggles: within a row, `scan_expr` must join `a` and `b`": toggles,
            "a segment begins after `rows` elements, but a row has `cols`": by_rows,
            "parity changes at each toggle, by `^`": np.maximum.accumulate(right, axis=1),
        }
        same = [
            text for text, mask in causes.items() if np.array_equal(np.ravel(got), mask.ravel())
        ]
        with advising(same[0] if same else ""):
            same_mask(got, right, label)

    call = (toggles,), filled(toggles), label
    known_calls.check_opencl(answer.fill, *call, "GenericScanKernel", judge)
