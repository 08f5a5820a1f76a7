"""Whether what Numba compiled did it, or a kernel: what environments saw, in words of the judge."""

import numpy as np

from polymask.workshop.sandbox.failures import Failed
from polymask.workshop.sandbox.wrong import Wrong

UNDER = {"compiled": {}}
KERNELS = {"simulated": {}}  # Numba's CUDA simulator
DOERS = {"compiled": "compiled functions", "simulated": "kernels"}
SHARE = 0.1  # of the busy seconds, the least of a thread that works


def check_arguments(facts, label):
    """Raise `Wrong` if the answer has changed what it was given."""
    if facts["changed"]:
        raise Wrong(f"{label}: an argument has been changed: the arrays are the caller's")


def check_called(facts, label, kind="njit"):
    """Raise `Wrong` unless a function was called that Numba compiled in that way."""
    notes = facts["found"]["compiled"]
    if not notes:
        raise Wrong(
            f"{label}: the answer is right, but no function that Numba compiled was called: Python "
            "or NumPy computed it"
        )
    if kind not in {note["kind"] for note in notes}:
        raise Wrong(
            f"{label}: the answer is right, but made by `{notes[0]['kind']}`; here it is to be a "
            f"function of `numba.{kind}`"
        )
    if not all(note["nopython"] for note in notes):
        raise Wrong(
            f"{label}: the answer is right, but compiled in object mode, in which Python does each "
            "operation: `@njit` says that no Python is wanted"
        )


def check_exact(answer):
    """Raise `Wrong` if a function is compiled with `fastmath`; the answer is under `compiled`.

    Its masks may be right all the same, by this processor and this version of the compiler.
    """
    if fast := answer.found("compiled"):
        raise Wrong(
            f"the masks are right here, but {', '.join(fast)} is compiled with "
            "`fastmath`: the compiler may then change the order of the operations, and take it "
            "that no number is infinite or NaN. Leave it out: a mask has to be right to the byte "
            "by every compiler"
        )


def check_launched(facts, label):
    """Raise `Wrong` unless there was one launch; return its blocks, and the threads of a block."""
    notes = facts["found"]["simulated"]
    if not notes:
        raise Wrong(
            f"{label}: the answer is right, but no kernel was launched: the host computed it"
        )
    if len(notes) > 1:
        raise Wrong(f"{label}: there were {len(notes)} launches, and one is enough")
    return notes[0]["grid"], notes[0]["block"]


def check_work(answer, name, draw, label, same, environment="compiled"):
    """Raise `Wrong` unless compiled functions make the answer, and make it of what was handed in.

    Parameters
    ----------
    answer : Answer
        Under the environment.
    name : str
        The function.
    draw : callable
        Returns arguments, other arrays of the same shapes each time, and what is right for them.
        What is no array is the same each time.
    label : str
    same : callable
        Given what was returned and what is right, raises `Wrong` unless they agree.
    environment : str
        "compiled", or "simulated" where kernels are to do it.
    """
    doers = DOERS[environment]
    arguments, right = draw()
    if agrees(same, called(answer, name, arguments, environment, idle=True), right):
        raise Wrong(
            f"{label}: the answer is right even where {doers} do nothing: none of them has "
            "computed it"
        )
    others, other = draw()
    pairs = [
        (old, new)
        for old, new in zip(arguments, others, strict=True)
        if isinstance(old, np.ndarray)
    ]
    got = called(answer, name, arguments, environment, exchanges=pairs)
    if agrees(same, got, right):
        raise Wrong(
            f"{label}: the {doers} were given other numbers than you handed them, and the answer "
            "is the same: it was computed before, and they only carry it"
        )
    if got is not None and not agrees(same, got, other):
        raise Wrong(
            f"{label}: the {doers} were given other numbers than you handed them, and the answer "
            "is not of these: a part of it is computed outside of them"
        )


def called(answer, name, arguments, environment, **settings):
    """Return what a call gives under other settings; None if it fails then."""
    answer.switch(environment, **settings)
    try:
        return getattr(answer, name)(*arguments)
    except Failed:  # it looks at what was computed: good
        return None
    finally:
        answer.switch(environment)


def agrees(same, got, right):
    """Whether a value is what is right."""
    try:
        same(got, right)
    except Wrong:
        return False
    return True


def workers(seconds):
    """Return how many threads had a share of the work, given how long each was busy."""
    return sum(one >= SHARE * sum(seconds) for one in seconds)


def check_shared(seconds, label):
    """Raise `Wrong` unless several threads were busy; where no thread is known, nothing is."""
    if seconds and workers(seconds) < 2:
        raise Wrong(
            f"{label}: the answer is right, but one thread does it all: is there a loop over "
            "`prange`, and does the decorator say `parallel=True`?"
        )
