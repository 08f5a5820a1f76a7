"""Compare bits, measure the memory that a call uses, and test the counts."""

import numpy as np

from ladder.workshop.sandbox import compiling, known_calls, process_stats
from ladder.workshop.sandbox.check_failed import CheckFailed, check_predicted

UNDER = compiling.UNDER
COUNTS = {  # the right number, and a hint
    "BY_NUMPY": (10, "`b - a` reads two arrays and writes one; what do the other three lines do?"),
    "BY_ONE_LOOP": (3, "intermediate values stay in registers"),
}


def check(answer, random):
    """Raise `CheckFailed` unless one compiled loop blends without intermediate arrays."""
    rng = np.random.default_rng(random.randrange(10**6))

    def draw(shape=(300, 400), t=0.375):
        a, b = rng.uniform(0, 1, (2, *shape))
        return (a, b, t), np.clip(a + t * (b - a), 0.0, 1.0)  # clips some values

    for shape in ((1, 1), (1, 9), (7, 1), (13, 21)):
        for t in (0.0, 0.375, 1.0, -1.5, 2.5):
            call = *draw(shape, t), f"images of {shape[0]} x {shape[1]}, t = {t}"
            known_calls.check_call(answer.fused, *call)
    arguments, right = draw()
    known_calls.check_numba(answer.fused, arguments, right, "images of 300 x 400")
    arrays = process_stats.peak_bytes(answer.fused, *arguments) / right.nbytes
    if arrays > 1.5:
        fact = f"a call takes {arrays:.1f} times the memory of its result"
        advice = "it writes intermediate arrays and reads them again: compute each pixel completely"
        raise CheckFailed(fact, advice=advice)
    for name, (right_count, hint) in COUNTS.items():
        check_predicted(name, getattr(answer, name, None), right_count, hint)
    if not hasattr(answer, "passes"):
        return None
    before = process_stats.peak_bytes(answer.passes, *arguments) / right.nbytes
    return f"seen: arrays in memory, NumPy's passes {before:.1f}, one loop {arrays:.1f}"
