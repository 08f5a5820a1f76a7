"""The mask's own checks: what an answer's `make_mask` gives is held against what is right."""

import contextlib
import itertools
import random as randoms

import numpy as np

from polymask.ladder import reference
from polymask.workshop.sandbox import cases, single
from polymask.workshop.sandbox.failures import Failed
from polymask.workshop.sandbox.wrong import Wrong, same_mask

PARAMETERS = ["vertices", "shape", "border_value"]
GUARDED = {"guards": {}}  # the environment in which masks are made
MEND = "call contract.check before anything else"
SINGLE = (
    "; these are the pixels of single precision (`float`, float32): coordinates and crossing have "
    "to be in double precision (`double`, float64)"
)
RING, LONGEST_RING = 160, 256  # masks of one shape that live at once
TINY = (16, 64)  # the image of the many calls
CALLS, SECONDS = 10_000, 0.6
STOPS = [0.25, 0.5, 0.75, 1.0]  # of the calls: where memory is read
LEAK = 0.25  # of a mask's bytes, lost in each call: far more than an allocator's noise
LEAST_LEAK = 3e6  # bytes in all


def check(answer, all_cases, expected, random):
    """Raise `Wrong` at the first mask that is not right, or is not the caller's own."""
    check_signature(answer)
    check_masks(answer, all_cases, expected)
    check_many(answer, random)


def check_signature(answer):
    """Raise `Wrong` if there is no `make_mask` of the right arguments."""
    if not hasattr(answer, "make_mask"):
        raise Wrong(f"{answer.begun().exercise.main} has no function make_mask")
    names = answer.begun().ask("parameters", name="make_mask")
    if names is None:
        return  # a built-in that does not tell: the calls will
    if names[: len(PARAMETERS)] != PARAMETERS:
        raise Wrong(f"make_mask must take ({', '.join(PARAMETERS)}), it takes ({', '.join(names)})")


def check_masks(answer, all_cases, expected):
    """Raise `Wrong` at the first mask that is not right, or that a later call changed."""
    kept = []
    for case, right in zip(all_cases, expected, strict=True):
        answer.doing(f"making a mask of {case.label}")
        arguments = case.vertices, case.shape, case.border_value
        got, facts = answer.observe("make_mask", *arguments, keep=True)
        try:
            check_one(got, facts, right, case.label)
        except Wrong as wrong:
            if wrong.got is not None and is_single(answer, case, wrong.got):
                raise Wrong(f"{wrong}{SINGLE}", got, right) from None
            raise
        kept.append((case, facts["kept"], right))
    for case, number, right in kept:
        if not np.array_equal(answer.begun().ask("kept", number=number), right):
            raise Wrong(f"{case.label}: a later call changed this mask: each needs its own array")
    answer.begun().ask("release")
    check_one_array(answer)
    check_refusals(answer)


def is_single(answer, case, got):
    """Whether a wrong mask, and another that rounding decides, are those of single precision."""
    if not (alike := single.variants(got, case)):
        return False
    another = cases.rounded(randoms.Random(1))
    answer.doing(f"making a mask of {another.label}")
    with contextlib.suppress(Failed):
        got, _ = answer.observe("make_mask", another.vertices, another.shape, another.border_value)
        return bool(alike & single.variants(got, another))
    return False


def check_one(got, facts, right, label):
    """Raise `Wrong` unless a call gave the right mask, in memory of its own, and did no harm."""
    check_margins(facts, label)
    same_mask(got, right, label)
    if 0 in facts["changed"]:
        raise Wrong(f"{label}: the vertices have been changed: they are the caller's")
    if facts["shares"] is not None:
        raise Wrong(
            f"{label}: the mask lies in the memory of an earlier one, which the caller still has: "
            "each needs its own array"
        )
    if not got.flags.writeable:
        raise Wrong(f"{label}: the mask cannot be written to, and it is the caller's")
    if not facts["c_order"]:
        raise Wrong(f"{label}: the rows of the mask do not lie one behind the other (C order)")


def check_margins(facts, label):
    """Raise `Wrong` if something was written beside an array."""
    for n_bytes, n, where in facts["found"].get("guards", ()):
        raise Wrong(
            f"{label}: something was written {where} of an array of {n_bytes} bytes "
            f"(bytes changed: {n}): an index leaves it"
        )


def check_one_array(answer):
    """Raise `Wrong` if a mask depends on what was done to vertices or masks of calls before."""
    vertices, shape = np.array(cases.BOX, float), (9, 13)
    held = answer.kept_here(vertices)
    for label in (
        "an array of vertices",
        "the same again, after the first mask was written to",
        "the same array, other vertices written into it",
        "the same array, its vertices moved by a millionth of a pixel",
        "the same array, its last vertex elsewhere",
    ):
        answer.doing(f"making a mask of {label}")
        if label.startswith("the same array"):
            vertices[-1 if "last" in label else 0 :] += 2.0**-20 if "moved" in label else 3
            answer.rewrite(held, vertices)
        got, facts = answer.observe("make_mask", held, shape, keep=True)
        check_one(got, facts, reference.mask(vertices, shape), label)
        answer.begun().ask("write", number=facts["kept"], value=7)
    answer.begun().ask("release")


def check_refusals(answer):
    """Raise `Wrong` at the first bad input that is taken, or refused in other words."""
    for case in cases.refused():
        answer.doing(f"refusing {case.label}, which is for `contract.check`")
        try:
            answer.observe("make_mask", case.vertices, case.shape, case.border_value)
        except (ValueError, TypeError):
            continue
        except Failed as error:
            raise Wrong(
                f"{case.label}: {error.said['type']} instead of ValueError or TypeError: {MEND}"
            ) from error
        raise Wrong(f"{case.label}: it has to be refused, and a mask was returned: {MEND}")


def check_many(answer, random):
    """Raise `Wrong` if masks that live at once share memory, or those that are gone keep it."""
    answer.doing(f"making {CALLS:,} masks one after the other")
    keep = random.randrange(RING, LONGEST_RING)
    vertices = np.array([(1.0, 1.0), (TINY[1] - 3.0, 2.0), (4.0, TINY[0] - 2.0)])
    found = answer.begun().ask(
        "curve", name="make_mask", vertices=vertices, shape=TINY, keep=keep, calls=CALLS,
        stops=STOPS, seconds=SECONDS,
    )  # fmt: skip
    if found["distinct"] != keep:
        raise Wrong(
            f"{keep} masks were asked for and kept, and they lie in {found['distinct']} places: "
            "each call needs an array of its own"
        )
    curve = found["curve"]
    calls, lost = (end - begin for begin, end in zip(curve[0], curve[-1], strict=True))
    rises = [b - a for (_, a), (_, b) in itertools.pairwise(curve)]
    if lost > max(LEAST_LEAK, LEAK * TINY[0] * TINY[1] * calls) and min(rises) > 0:
        raise Wrong(
            f"{calls:,} masks were made and let go, and {lost / 1e6:.0f} MB of memory did not come "
            "back: what keeps them?"
        )
