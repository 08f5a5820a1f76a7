"""Examine the addresses of counters, to tell which cache lines two threads write to."""

import numpy as np

from ladder.workshop.sandbox import child, garbage
from ladder.workshop.sandbox.check_failed import CheckFailed, check_predicted, same

LINE = 64
RIGHT = {  # the number, and a hint
    "SHARED": (2, "a row takes 24 bytes: which rows lie in bytes 0 to 63, and which in 64 to 127?"),
    "SHARED_OF_8": (3, "thread 0 has bytes 16 to 79, thread 1 bytes 80 to 143: in which lines?"),
}


def check(answer, random):
    """Raise `CheckFailed` if two threads write to the same line, or if a prediction is wrong."""
    for name, (number, hint) in RIGHT.items():
        check_predicted(name, getattr(answer, name, None), number, hint)
    sizes = [(random.randrange(2, 9), random.randrange(1, 40)) for _ in range(30)]
    kept = []  # so that each array has memory of its own
    for size in [(4, 3), (4, 8), (1, 1), (3, 9), *sizes]:
        kept.append(check_lines(answer, *size))


def check_lines(answer, threads, bins):
    """Return the counters; raise `CheckFailed` if two threads share a line."""
    label = f"counters({threads}, {bins})"
    child.step(label)
    garbage.perturb(garbage.GARBAGE)
    array = answer.counters(threads, bins)
    garbage.perturb(0)
    same(array, np.zeros((threads, bins), np.int64), label)
    begins = [row.__array_interface__["data"][0] for row in array]
    lines = [{(begin + array.strides[1] * k) // LINE for k in range(bins)} for begin in begins]
    for t in range(threads - 1):
        if lines[t] & lines[t + 1]:
            raise CheckFailed(
                f"{label}: threads {t} and {t + 1} share a line: row {t} begins at byte "
                f"{begins[t] % LINE} of a line, row {t + 1} {begins[t + 1] - begins[t]} bytes later"
            )
    return array
