"""Compares bits, measures the memory that a call takes, and asks what was counted."""

import numpy as np

from polymask.workshop.sandbox import compiling, known_calls, peak_memory
from polymask.workshop.sandbox.check_failed import CheckFailed

UNDER = compiling.UNDER
COUNTS = {  # what is right, and what to think of
    "BY_NUMPY": (10, "`b - a` reads two arrays and writes one; what do the three other lines do?"),
    "BY_ONE_LOOP": (3, "what lies between a, b and the result stays in registers"),
}


def check(answer, random):
    """Raise `CheckFailed` unless one compiled loop blends, without an array in between."""
    rng = np.random.default_rng(random.randrange(10**6))

    def draw(shape=(300, 400), t=0.375):
        a, b = rng.uniform(0, 1, (2, *shape))
        return (a, b, t), np.clip(a + t * (b - a), 0.0, 1.0)  # some of it beyond 0 and 1

    for shape in ((1, 1), (1, 9), (7, 1), (13, 21)):
        for t in (0.0, 0.375, 1.0, -1.5, 2.5):
            label = f"images of {shape[0]} x {shape[1]}, t = {t}"
            facts = known_calls.check_call(answer.fused, lambda at=(shape, t): draw(*at), label)
    kind = next((note["kind"] for note in facts["compiled"]), "njit")  # a ufunc is one loop, too
    known_calls.check_numba(answer.fused, draw, "images of 300 x 400", kind)
    arguments, right = draw()
    arrays = peak_memory.measure(answer.fused, *arguments) / right.nbytes
    if arrays > 1.5:
        raise CheckFailed(
            f"a call takes {arrays:.1f} times the memory of its result: there are arrays in "
            "between, each written once and read again; compute one pixel to its end"
        )
    for name, (right_count, hint) in COUNTS.items():
        said = getattr(answer, name, None)
        if said is None:
            raise CheckFailed(
                f"{name} is still None: how many arrays are read, and how many written?"
            )
        if said != right_count:
            raise CheckFailed(f"{name}: it is not {said}: {hint}")
    if not hasattr(answer, "passes"):
        return None
    before = peak_memory.measure(answer.passes, *arguments) / right.nbytes
    return f"seen: arrays at once, NumPy's passes {before:.1f}, one loop {arrays:.1f}"
