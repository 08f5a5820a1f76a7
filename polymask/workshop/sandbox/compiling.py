"""Whether what Numba compiled did it, or a kernel: what environments saw, in words of the judge."""

from polymask.workshop.sandbox import child
from polymask.workshop.sandbox.wrong import Wrong

UNDER = {"compiled": {}}
KERNELS = {"simulated": {}}  # Numba's CUDA simulator
SHARE = 0.1  # of the busy seconds, the least of a thread that works


def check_called(facts, label, kind="njit"):
    """Raise `Wrong` unless a function was called that Numba compiled in that way."""
    notes = facts["compiled"]
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


def check_exact():
    """Raise `Wrong` if a function is compiled with `fastmath`; the answer is under `compiled`.

    Its masks may be right all the same, by this processor and this version of the compiler.
    """
    if fast := child.environments["compiled"].fast:
        raise Wrong(
            f"the masks are right here, but {', '.join(fast)} is compiled with "
            "`fastmath`: the compiler may then change the order of the operations, and take it "
            "that no number is infinite or NaN. Leave it out: a mask has to be right to the byte "
            "by every compiler"
        )


def check_launched(facts, label):
    """Raise `Wrong` unless there was one launch; return its blocks, and the threads of a block."""
    notes = facts["simulated"]
    if not notes:
        raise Wrong(
            f"{label}: the answer is right, but no kernel was launched: the host computed it"
        )
    if len(notes) > 1:
        raise Wrong(f"{label}: there were {len(notes)} launches, and one is enough")
    return notes[0]["grid"], notes[0]["block"]


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
