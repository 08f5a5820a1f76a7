"""Make masks with threads that wait for each other between two steps of a row."""

import ctypes

import numpy as np

from ladder.registry import reference, workload
from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed, advising, same_mask

SHAPE = (20, 31)  # an even number of rows, so that two threads always meet


def check(answer, random):
    """Raise `CheckFailed` unless two threads work at once, and do not disturb each other."""
    library = ctypes.CDLL(answer.__file__)
    meet, met = (ctypes.c_ssize_t.in_dll(library, f"polymask_{name}") for name in ("meet", "met"))
    for threads, n in ((1, 9), (2, 9), (2, 40), (4, 25)):
        label = f"{n} vertices, {threads} threads"
        child.step(f"making a mask: {label}")
        vertices = 0.25 + np.array(workload.polygon(n, SHAPE, random.randrange(10**6)))
        meet.value, met.value = threads > 1, 0
        got = answer.make_mask(vertices, SHAPE, threads)
        if threads > 1 and not met.value:
            fact = f"{label}: no two threads worked at the same time: share the rows with `prange`"
            raise CheckFailed(f"{fact}, and let no thread wait for another")
        with advising("which memory do two threads write to?" if threads > 1 else ""):
            same_mask(got, reference.mask(vertices, SHAPE), label)
