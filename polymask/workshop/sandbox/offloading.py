"""How an answer offloads its work: what its environment `offloaded` saw, in words of the judge."""

from polymask.workshop.sandbox import child
from polymask.workshop.sandbox.check_failed import CheckFailed, same

UNDER = {"offloaded": {}}
AT_ONCE, LATE = "at once", "late"  # the paces of a device, as in `environments.offloaded`
SLOW = (
    "The device was slow this time: it began only when somebody waited for it. What is handed over "
    "is done later: who waits for what, and in which order?"
)


def notes(facts, *what):
    """Return the notes of these kinds of commands, in the order in which the host gave them."""
    found = facts["offloaded"]["notes"]
    return [note for note in found if note["what"] in what]


def nbytes(facts, what):
    """Return how many bytes were copied in one direction."""
    return sum(note["nbytes"] for note in notes(facts, what))


def observed(function, draw, label, rtol=0.0):
    """Call a function whose result is known; return facts of a call on a device that is late.

    `draw` returns arguments and the right result: others each time, so that leftovers of an earlier
    call in memory are wrong. Raises `CheckFailed` unless the function is right on a device of any
    pace, changes none of its arguments and writes nothing beyond memory of the device.
    """
    child.step(label)
    child.switch("offloaded", pace=AT_ONCE)
    arguments, right = draw()
    held(function(*arguments), right, label, rtol)
    child.switch("offloaded", pace=LATE)
    arguments, right = draw()
    got, facts = child.observe(function, *arguments)
    try:
        held(got, right, label, rtol)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}. {SLOW}") from None
    child.switch("offloaded")
    child.check_arguments(facts, label)
    for size, where in facts["offloaded"]["beyond"]:
        raise CheckFailed(
            f"{label}: a kernel wrote {where} of memory of {size} bytes: which numbers does it get "
            "for the sizes?"
        )
    return facts


def held(got, right, label, rtol):
    """Raise `CheckFailed` unless what was returned, an array or several, is right."""
    if not isinstance(right, tuple):
        same(got, right, label, rtol)
        return
    if not isinstance(got, tuple | list) or len(got) != len(right):
        raise CheckFailed(f"{label}: expected {len(right)} arrays")
    for number, (one, other) in enumerate(zip(got, right, strict=True), start=1):
        same(one, other, f"{label}, result {number}", rtol)
