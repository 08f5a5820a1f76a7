"""Checks that a function compiled with Numba, or a CUDA kernel, computed the result."""

from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed

UNDER = {"compiled": {}}
KERNELS = {"simulated": {}}  # Numba's CUDA simulator
SHARE = 0.1  # of the busy seconds: the smallest share of a working thread


def check_called(facts, label, decorator="njit"):
    """Raise `CheckFailed` unless a function was called that Numba compiled for a decorator."""
    notes, right = facts["compiled"], f"{label}: the answer is right, but"
    if not notes:
        fact = f"{right} no function that Numba compiled was called"
        raise CheckFailed(fact, advice="Python or NumPy computed it")
    if decorator not in {note["decorator"] for note in notes}:
        fact = f"{right} a function of `numba.{notes[0]['decorator']}` computed it"
        raise CheckFailed(fact, advice=f"use `numba.{decorator}` here")
    if not all(note["nopython"] for note in notes):
        fact = f"{right} compiled in object mode, in which Python does each operation"
        raise CheckFailed(fact, advice="use `@njit`, which never falls back to Python")


def check_exact():
    """Raise `CheckFailed` if a function uses `fastmath`, although its masks may be right here."""
    if fast := child.environments["compiled"].fast:
        fact = f"the masks are right here, but {', '.join(fast)} is compiled with `fastmath`"
        why = "which lets compilers reorder operations and ignore infinity and NaN"
        raise CheckFailed(f"{fact}, {why}: leave it out")


def check_launched(facts, label):
    """Raise `CheckFailed` unless there was one launch; return its blocks and threads per block."""
    notes = facts["simulated"]
    if not notes:
        fact = f"{label}: the answer is right, but no kernel was launched"
        raise CheckFailed(fact, advice="the host computed it")
    if len(notes) > 1:
        raise CheckFailed(f"{label}: there were {len(notes)} launches, but one is enough")
    return notes[0]["grid"], notes[0]["block"]


def workers(seconds):
    """Return how many threads shared the work, given the busy seconds of each."""
    return sum(busy_s >= SHARE * sum(seconds) for busy_s in seconds)


def check_shared(seconds, label):
    """Raise `CheckFailed` unless several threads worked. Unknown threads are not checked."""
    if seconds and workers(seconds) < 2:
        raise CheckFailed(f"{label}: the answer is right, but one thread does all the work")
