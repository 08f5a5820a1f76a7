"""Whether a device did it, and did no more: what the environments saw, in words of the judge."""

import numpy as np

from polymask.workshop.sandbox.answer import Failed
from polymask.workshop.sandbox.wrong import Wrong

UNDER = {"launches": {}}


def check_margins(facts, label):
    """Raise `Wrong` if a kernel wrote beyond a buffer; the answer is under `buffers`."""
    for size, n, where in facts["found"].get("buffers", ()):
        raise Wrong(
            f"{label}: the kernel wrote {n} bytes {where} of a buffer of {size} bytes: which items "
            "are there, and what holds them back?"
        )


def check_launched(facts, label, kind="Kernel"):
    """Raise `Wrong` if nothing was launched; the answer is under `launches`."""
    if not facts["found"]["launches"].get(kind):
        kind = "kernel" if kind == "Kernel" else kind
        raise Wrong(
            f"{label}: the answer is right, but no {kind} was launched: the host computed it"
        )


def check_idle(answer, name, arguments, right, label):
    """Raise `Wrong` if the answer is right though its launches do nothing.

    Parameters
    ----------
    answer : Answer
        Under `launches`.
    name : str
        The function.
    arguments : sequence
        Such as no call had before, or what a call before left behind would be right.
    right : ndarray or number
        What is right, and not what fresh memory holds.
    label : str
    """
    answer.switch("launches", idle=True)
    try:
        got = getattr(answer, name)(*arguments)
    except Failed:  # it looks at what was computed: good
        return
    finally:
        answer.switch("launches", idle=False)
    if np.array_equal(got, right):
        raise Wrong(
            f"{label}: the answer is right even where launches do nothing: the host computed it"
        )
