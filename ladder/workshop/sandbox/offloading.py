"""Checks of offloaded work, based on the notes of the environment `offloaded`."""

import numpy as np

from ladder.workshop import concepts
from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed, advising, same

UNDER = {"offloaded": {}}
AT_ONCE, LATE = "at once", "late"  # the paces of a device, as in `environments.offloaded`
SLOW = (
    "The device was slow this time: it began only when the host waited for it. Commands run later "
    "than they are put into a stream: which must wait for which?"
)


def notes(facts, *kinds):
    """Return the notes of these kinds of commands, in the order of the host's calls."""
    return [note for note in facts["offloaded"]["notes"] if note["what"] in kinds]


def nbytes(facts, direction):
    """Return the number of bytes copied in one direction."""
    return sum(note["nbytes"] for note in notes(facts, direction))


def check_bytes(facts, direction, needed, label, advice):
    """Raise `CheckFailed` unless exactly the needed bytes were copied in a direction."""
    copied = nbytes(facts, direction)
    if copied != needed:
        where = direction.replace("_", " the ")
        fact = f"{label}: right, but {copied} bytes went {where}, and {needed} are needed"
        raise CheckFailed(fact, advice=advice)


def check_call(function, draw, label, rtol=0.0):
    """Call a function with a known result; return facts about a call on a slow device.

    `draw` returns arguments and the right result, which differ each time, so that leftovers of an
    earlier call in memory are wrong. Raises `CheckFailed` unless the function is right on a device
    of any pace, changes none of its arguments and writes nothing beyond memory of the device.
    """
    child.step(label)
    child.switch("offloaded", pace=AT_ONCE)
    arguments, expected = draw()
    got, facts = child.observe(function, *arguments)
    sizes = {"to_device": next(a.nbytes for a in arguments if isinstance(a, np.ndarray))}
    sizes["to_host"] = (expected if isinstance(expected, np.ndarray) else expected[0]).nbytes
    missing = [
        f"{nbytes(facts, where)} bytes went {where.replace('_', ' the ')}, not {size} or more"
        for where, size in sizes.items()
        if nbytes(facts, where) < size
    ]
    with advising(missing[0] if missing else ""):
        check_result(got, expected, label, rtol)
    child.switch("offloaded", pace=LATE)
    arguments, expected = draw()
    got, facts = child.observe(function, *arguments)
    try:
        check_result(got, expected, label, rtol)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}. {cause(facts) or SLOW} {concepts.QUEUE}") from None
    child.switch("offloaded")
    child.check_arguments(facts, label)
    for size, where in facts["offloaded"]["beyond"]:
        fact = f"{label}: a kernel wrote {where} of a block of {size} bytes"
        raise CheckFailed(fact, advice="which sizes does it get as arguments?")
    return facts


def cause(facts):
    """Return the missing order in a call whose result is wrong, or an empty text."""
    calls = notes(facts, "kernel", "wait", "host waits", "to_host")
    waits = [call for call in calls if call["what"] == "wait"]
    copy = max(i for i, call in enumerate(calls) if call["what"] == "to_host")
    ends = {call.get("of", call["stream"]) for call in calls[copy:] if "wait" in call["what"]}
    if calls[copy]["stream"] not in ends:
        return "The host never waited for the stream that copies the result"
    if len(waits) != 1:
        return ""
    stream, event = waits[0]["of"], waits[0]["behind"]
    if stream == waits[0]["stream"]:
        return "The stream waits for an event of its own: record it in the other stream"
    for call in calls[: calls.index(waits[0])]:
        if call["what"] == "kernel" and (call["stream"], call["behind"] >= event) == (stream, True):
            return f"The event was recorded before `{call['kernel']}` was queued"
    return ""


def check_result(got, expected, label, rtol):
    """Raise `CheckFailed` unless the result, one array or several, is right."""
    if not isinstance(expected, tuple):
        same(got, expected, label, rtol)
        return
    if not isinstance(got, tuple | list) or len(got) != len(expected):
        raise CheckFailed(f"{label}: expected {len(expected)} arrays")
    for number, arrays in enumerate(zip(got, expected, strict=True), start=1):
        same(*arrays, f"{label}, result {number}", rtol)
