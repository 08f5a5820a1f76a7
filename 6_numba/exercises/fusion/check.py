"""Compares bits, counts the bytes that a call takes at once, and asks what was counted."""

import numpy as np

from polymask.workshop.sandbox import child, compiling, peaks
from polymask.workshop.sandbox.wrong import Wrong, same

UNDER = compiling.UNDER
COUNTS = {  # what is right, and what to think of
    "BY_NUMPY": (10, "`b - a` reads two arrays and writes one; what do the three other lines do?"),
    "BY_ONE_LOOP": (3, "what lies between a, b and the result stays in registers"),
}
LARGE = 300, 400


def check(answer, random):
    """Raise `Wrong` unless one compiled loop blends, without an array in between."""
    rng = np.random.default_rng(random.randrange(10**6))
    for shape in ((1, 1), (1, 9), (7, 1), (13, 21)):
        for t in (0.0, 0.375, 1.0, -1.5, 2.5):
            label = f"images of {shape[0]} x {shape[1]}, t = {t}"
            child.step(label)
            arguments, right = drawn(rng, shape, t)
            got, facts = child.observe(answer.fused, *arguments)
            same(got, right, label)
            compiling.check_arguments(facts, label)
    check_kind(facts, label)
    compiling.check_idle(
        answer.fused,
        lambda: drawn(rng, (11, 5), 0.375),
        label,
        lambda got, right: same(got, right, label),
    )
    (a, b, t), right = drawn(rng, LARGE, 0.375)
    arrays = peaks.peak(answer.fused, a, b, t) / right.nbytes
    if arrays > 1.5:
        raise Wrong(
            f"a call takes {arrays:.1f} times the memory of its result: there are arrays in "
            "between, each written once and read again; compute one pixel to its end"
        )
    counts(answer)
    if not hasattr(answer, "passes"):
        return None
    before = peaks.peak(answer.passes, a, b, t) / right.nbytes
    return f"seen: arrays at once, NumPy's passes {before:.1f}, one loop {arrays:.1f}"


def check_kind(facts, label):
    """Raise `Wrong` unless a compiled function was called, of any kind: a ufunc is one loop."""
    notes = facts["compiled"]
    compiling.check_called(facts, label, notes[0]["kind"] if notes else "njit")


def drawn(rng, shape, t):
    """Return the arguments of a call, and what is right, some of it beyond 0 and 1."""
    a, b = rng.uniform(0, 1, shape), rng.uniform(0, 1, shape)
    return (a, b, t), np.clip(a + t * (b - a), 0.0, 1.0)


def counts(answer):
    """Raise `Wrong` unless the arrays that are read and written were counted."""
    for name, (right, hint) in COUNTS.items():
        said = getattr(answer, name, None)
        if said is None:
            raise Wrong(f"{name} is still None: how many arrays are read, and how many written?")
        if said != right:
            raise Wrong(f"{name}: it is not {said}: {hint}")
