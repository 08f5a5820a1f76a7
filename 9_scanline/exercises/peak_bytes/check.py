"""Compare masks, measure the memory that a call allocates, and test the two numbers."""

import numpy as np

from ladder.workshop.sandbox import child, process_stats
from ladder.workshop.sandbox.check_failed import CheckFailed, advising, check_predicted, same_mask

HINTS = {
    "COUNT_BYTES": (8, "print `np.cumsum(np.ones(3, bool)).dtype`"),
    "PEAK_BYTES": (18, "a name keeps its array until the function returns: add all four"),
}
MOST = 0.5  # bytes per pixel beside the toggles: less than any array of the image's size


def check(answer, random):
    """Raise `CheckFailed` unless the mask is right, and made in the memory of the toggles."""
    for name, (right, hint) in HINTS.items():
        check_predicted(name, getattr(answer, name, None), right, hint)
    rng = np.random.default_rng(random.randrange(10**6))
    for rows, cols in ((1, 1), (1, 9), (7, 1), (13, 21), (3, 700)):
        label = f"{rows} x {cols} pixels"
        child.step(f"making a mask of {label}")
        toggles = rng.random(rows * cols + 1) < 0.6
        right = (np.cumsum(toggles)[:-1] % 2).astype(np.uint8).reshape(rows, cols)
        joined = np.logical_or.accumulate(toggles)[:-1]
        causes = {"these are the toggles": toggles[:-1].copy(), "parity is an exclusive or": joined}
        got = answer.finish(toggles, rows, cols)
        alike = [cause for cause, each in causes.items() if np.array_equal(np.ravel(got), each)]
        with advising(alike[0] if alike else ""):
            same_mask(got, right, label)
    rows, cols = 300, 400
    peak = process_stats.peak_bytes(answer.finish, np.zeros(rows * cols + 1, bool), rows, cols)
    if (per_pixel := peak / (rows * cols)) > MOST:
        raise CheckFailed(
            f"the mask is right, but a call allocates {per_pixel:.1f} bytes per pixel: which "
            "operation makes a new array? Use `out=`, and views instead of copies"
        )
