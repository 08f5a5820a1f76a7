"""Whether a device did it, and did no more: what the environments saw, in words of the judge."""

import numpy as np

from polymask.workshop import concepts
from polymask.workshop.sandbox.failures import Failed
from polymask.workshop.sandbox.in_bytes import holds
from polymask.workshop.sandbox.wrong import Wrong

UNDER = {"buffers": {}, "launches": {}}
INSTEAD = "PyOpenCL has a function for it, and it was called; write the {kind} yourself"


def words(kind):
    """Return how a kind of launch is called in a message."""
    return "kernel" if kind == "Kernel" else kind


def check_margins(facts, label):
    """Raise `Wrong` if a kernel wrote beyond a buffer; the answer is under `buffers`."""
    for size, n, where in facts["found"].get("buffers", ()):
        raise Wrong(
            f"{label}: the kernel wrote {n} bytes {where} of a buffer of {size} bytes",
            advice=f"which items are there, and what holds them back? {concepts.GUARD}",
        )


def check_arguments(facts, label):
    """Raise `Wrong` if the answer has changed what it was given."""
    if facts["changed"]:
        raise Wrong(f"{label}: an argument has been changed: the arrays are the caller's")


def launches(facts, kind="Kernel"):
    """Return the launches of a kind; the answer is under `launches`."""
    return [launch for launch in facts["found"]["launches"] if launch["kind"] == kind]


def check_launched(facts, label, kind="Kernel"):
    """Raise `Wrong` if nothing of that kind was launched; the answer is under `launches`."""
    if launches(facts, kind):
        return
    if launches(facts, "PyOpenCL"):
        raise Wrong(f"{label}: the answer is right, but {INSTEAD.format(kind=words(kind))}")
    raise Wrong(
        f"{label}: the answer is right, but no {words(kind)} was launched: the host computed it"
    )


def check_work(answer, name, drawn, compute, label, kind="Kernel", result=True):
    """Raise `Wrong` unless it is the launches that make the answer of what was handed in.

    Parameters
    ----------
    answer : Answer
        Under `buffers` and `launches`.
    name : str
        The function.
    drawn : callable
        Returns arguments, arrays of one shape, others each time, such as no call had before: or
        what a call before left behind would be right.
    compute : callable
        Returns of these what is right, and not what fresh memory holds.
    label : str
    kind : str
        Of the launches that have to do the work.
    result : bool
        Whether the answer is found in a buffer as it is. Where an answer's memory is no buffer's,
        such as that of a pool, nothing can be looked for.
    """
    arguments = drawn()
    right = compute(*arguments)
    check_idle(answer, name, arguments, right, label, kind)
    answer.switch("launches", looks=True)
    try:
        _, facts = answer.observe(name, *arguments)
    finally:
        answer.switch("launches")
    check_launched(facts, label, kind)
    there = [held for launch in launches(facts, kind) for held in launch["before"]]
    for number, sent in enumerate(arguments, start=1):
        if there and not any(holds(held, sent) for held in there):
            raise Wrong(
                f"{label}: the device never saw argument {number} as it was handed in: the host "
                f"has computed with it before the {words(kind)}"
            )
    made = [held for launch in launches(facts, kind) for held in launch["after"]]
    if result and made and not any(holds(held, right) for held in made):
        raise Wrong(
            f"{label}: the answer is right, but no {words(kind)} has made it: it is in no buffer "
            "after the launch"
        )
    if there:
        check_follows(answer, name, arguments, drawn(), compute, label, kind)


def check_follows(answer, name, arguments, others, compute, label, kind="Kernel"):
    """Raise `Wrong` unless other arguments on the device, and there alone, make another answer.

    An answer that was sent along is still that of what was handed in.
    """
    got = with_others(answer, name, arguments, others)
    if got is not None and not np.array_equal(got, compute(*others)):
        raise Wrong(
            f"{label}: the device's buffers were given other contents before the launch, and what "
            f"came back is not of these: the host has computed the answer, or a part of it, and "
            f"sent that along; the {words(kind)} has to compute it"
        )


def with_others(answer, name, arguments, others, spared=0):
    """Return the answer where the device has other arguments than the host, from a launch on.

    None if the answer looks at what was computed, and finds that it cannot be.
    """
    exchanges = list(zip(arguments, others, strict=True))
    answer.switch("launches", exchanges=exchanges, spared=spared)
    try:
        return getattr(answer, name)(*arguments)
    except Failed:
        return None
    finally:
        answer.switch("launches")


def check_idle(answer, name, arguments, right, label, kind="Kernel"):
    """Raise `Wrong` if the answer is right though its launches of a kind do nothing."""
    answer.switch("launches", idle=kind)
    try:
        got = getattr(answer, name)(*arguments)
    except Failed:  # it looks at what was computed: good
        return
    finally:
        answer.switch("launches")
    if np.array_equal(got, right):
        raise Wrong(
            f"{label}: the answer is right even where launches do nothing: no {words(kind)} has "
            "computed it"
        )
