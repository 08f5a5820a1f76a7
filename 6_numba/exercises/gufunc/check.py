"""Pass single rows, images and stacks of images, also with columns along the memory."""

import numpy as np

from ladder.workshop.sandbox import compiling, known_calls, process_stats
from ladder.workshop.sandbox.check_failed import CheckFailed, same

UNDER = compiling.UNDER
SHAPE, CALLS = (2000, 3000), 20


def check(answer, random):
    """Raise `CheckFailed` at the first result that is wrong, or not from a generalized ufunc."""
    rng = np.random.default_rng(random.randrange(10**6))
    for name, target in {"fill": "cpu", "areas": "parallel"}.items():
        for shape in ((7, 13), (1,), (9,), (1, 1), (3, 4, 21), (2, 3, 2, 5)):
            facts = check_call(answer, name, rng, shape, f"{name}, shape {shape}")
        check_call(answer, name, rng, (5, 8), f"{name}, an image whose columns lie in memory", True)
        if any(note["parallel"] for note in facts["compiled"]) != (target == "parallel"):
            raise CheckFailed(f"{name}: its target must be {target!r}")
    masks = np.ones(SHAPE, np.uint8)
    answer.areas(masks)
    seconds = process_stats.busy_seconds(lambda: answer.areas(masks), CALLS)
    compiling.check_shared(seconds, "areas")


def check_call(answer, name, rng, shape, label, turned=False):
    """Raise `CheckFailed` unless the result is right, from one call to a generalized ufunc."""
    rows = rng.integers(0, 2, shape).astype(np.uint8)
    rows = rows.T if turned else rows
    right = rows.sum(axis=-1, dtype=np.int64)
    if name == "fill":
        right = np.bitwise_xor.accumulate(rows, axis=-1)

    def judge(got, right, label):
        if isinstance(right, np.ndarray):
            same(got, right, label)
        elif got != right or not isinstance(got, np.int64):
            raise CheckFailed(f"{label}: expected {right!r}, got {got!r}")

    call = (rows,), right, label
    facts = known_calls.check_numba(getattr(answer, name), *call, "guvectorize", judge)
    if (n := len(facts["compiled"])) > 1:
        raise CheckFailed(f"{label}: it was called {n} times; let NumPy loop over the rows")
    return facts
