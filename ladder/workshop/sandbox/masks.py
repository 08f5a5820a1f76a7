"""The checks of masks, which compare the results of an answer's `make_mask` with right masks."""

import gc
import inspect
import itertools
import random
from time import process_time

import numpy as np

from ladder.registry import reference
from ladder.workshop.sandbox import cases, child, likely_causes, process_stats
from ladder.workshop.sandbox.check_failed import CheckFailed, same_mask

PARAMETERS = ["vertices", "shape", "border_value"]
GUARDED = {"guards": {}}  # the environment in which masks are made
ADVICE = "call contract.check before anything else"
RING, LONGEST_RING = 160, 256  # live masks of one shape
TINY = (16, 64)  # the image for many calls
CALLS, SECONDS = 10_000, 0.6
STOPS = [0.25, 0.5, 0.75, 1.0]  # shares of the calls, after which memory is read
LEAK = 0.25  # of a mask's bytes lost in each call, far above an allocator's noise
LEAST_LEAK = 3e6  # bytes in all


def check(answer, seed):
    """Raise `CheckFailed` at the first mask that is wrong, or does not belong to the caller."""
    check_signature(answer)
    check_masks(answer, with_masks([*cases.fixed_cases(), *cases.random_cases(seed)]))
    check_many(answer, random.Random(seed).randrange(RING, LONGEST_RING))


def with_masks(polygons):
    """Return each polygon with its right mask."""
    return [(c, reference.mask(c.vertices, c.shape, c.border_value)) for c in polygons]


def check_signature(answer):
    """Raise `CheckFailed` unless `make_mask` takes the right arguments."""
    make_mask = answer.make_mask
    try:
        names = list(inspect.signature(make_mask).parameters)
    except (TypeError, ValueError):
        return  # a built-in without a signature: the calls will show its arguments
    if names[: len(PARAMETERS)] != PARAMETERS:
        raise CheckFailed(f"make_mask takes {names}, but must take {PARAMETERS}, in this order")


def check_masks(answer, cases_and_masks):
    """Raise `CheckFailed` at the first mask that is wrong, or that a later call changed."""
    kept = []
    for case, expected in cases_and_masks:
        child.step(f"making a mask of {case.label}")
        arguments = case.vertices, case.shape, case.border_value
        got, facts = child.observe(answer.make_mask, *arguments)
        try:
            check_one(got, facts, expected, case.label, [mask for _, mask, _ in kept])
        except CheckFailed as failure:
            if failure.got is None:
                raise
            cause = likely_causes.of(case, got, expected)
            message, vertices = f"{failure}{cause}", np.array(case.vertices, float).tolist()
            raise CheckFailed.of(message, failure.fact, (got, expected), vertices) from None
        kept.append((case, got, expected))
    for case, got, expected in kept:
        if not np.array_equal(got, expected):
            raise CheckFailed(f"{case.label}: a later call changed it: each needs its own array")
    check_one_array(answer)
    check_refusals(answer)


def check_one(got, facts, expected, label, earlier=()):
    """Raise `CheckFailed` unless a call gave the right mask, in memory of its own."""
    check_margins(facts, label, got, expected)
    same_mask(got, expected, label)
    if 0 in facts["changed"]:
        raise CheckFailed(f"{label}: the vertices have been changed: they belong to the caller")
    if any(overlap(got, mask) for mask in earlier):
        fact = f"{label}: the mask lies in the memory of an earlier one, which the caller still has"
        raise CheckFailed(fact, advice="each call needs its own array")
    if not got.flags.writeable:
        raise CheckFailed(f"{label}: the mask is read-only, although it belongs to the caller")
    if not got.flags.c_contiguous:
        raise CheckFailed(f"{label}: the rows of the mask do not follow in memory (C order)")


def check_margins(facts, label, got, expected):
    """Raise `CheckFailed` if the answer wrote outside an array."""
    for n_bytes, n, where in facts.get("guards", ()):
        cause = likely_causes.of_mask(got, expected) if np.shape(got) == expected.shape else ""
        array = f"an array of {n_bytes} bytes (bytes changed: {n}){cause}"
        raise CheckFailed(f"{label}: an index out of bounds changed memory {where} of {array}")


def overlap(a, b):
    """Whether two arrays share memory; true if that takes too long to compute."""
    try:
        return np.may_share_memory(a, b) and np.shares_memory(a, b, max_work=100_000)
    except np.exceptions.TooHardError:
        return True


def check_one_array(answer):
    """Raise `CheckFailed` if a mask depends on the vertices or masks of earlier calls."""
    vertices, shape, kept = np.array(cases.BOX, float), (9, 13), []
    for label, first, by in (  # the vertices from `first` on are moved before the call
        ("an array of vertices", 0, 0),
        ("the same again, after the first mask was written to", 0, 0),
        ("the same array, with other vertices written into it", 0, 3),
        ("the same array, with its vertices moved by a millionth of a pixel", 0, 2.0**-20),
        ("the same array, with its last vertex elsewhere", -1, 3),
    ):
        child.step(f"making a mask of {label}")
        vertices[first:] += by
        got, facts = child.observe(answer.make_mask, vertices, shape)
        check_one(got, facts, reference.mask(vertices, shape), label, kept)
        kept.append(got)
        got[...] = 7  # the caller may write to it


def check_refusals(answer):
    """Raise `CheckFailed` at the first bad input that raises no ValueError or TypeError."""
    for case in cases.refused():
        child.step(f"rejecting {case.label} (as `contract.check` does)")
        try:
            child.observe(answer.make_mask, case.vertices, case.shape, case.border_value)
        except (ValueError, TypeError):
            continue
        except Exception as error:
            fact = f"{case.label}: {type(error).__name__} instead of ValueError or TypeError"
            raise CheckFailed(fact, advice=ADVICE) from error
        raise CheckFailed(f"{case.label}: it must be rejected, but a mask was returned: {ADVICE}")


def check_many(answer, keep):
    """Raise `CheckFailed` if live masks share memory, or deleted ones keep it."""
    child.step(f"making {CALLS:,} masks one after the other")
    distinct, curve = make_many(answer.make_mask, keep)
    if distinct != keep:
        fact = f"{keep} masks were made and kept, but they lie in {distinct} arrays"
        raise CheckFailed(fact, advice="each call needs an array of its own")
    calls, lost = (end - begin for begin, end in zip(curve[0], curve[-1], strict=True))
    rises = [b - a for (_, a), (_, b) in itertools.pairwise(curve)]
    if lost > max(LEAST_LEAK, LEAK * TINY[0] * TINY[1] * calls) and min(rises) > 0:
        fact = f"{calls:,} masks were made and deleted, but {lost / 1e6:.0f} MB were not freed"
        raise CheckFailed(fact, advice="what keeps them?")


def make_many(make_mask, keep):
    """Make masks of different vertices; return the number of distinct arrays, and a memory curve.

    The first `keep` masks live at the same time, and their addresses are counted. The curve has
    points (calls, bytes of the process), until all calls are made or `SECONDS` are over.
    """
    vertices, shape = np.array([(1.0, 1.0), (TINY[1] - 3.0, 2.0), (4.0, TINY[0] - 2.0)]), TINY
    kept = [make_mask(vertices + i * 2.0**-20, shape) for i in range(keep)]
    places = {mask.__array_interface__["data"][0] for mask in kept if type(mask) is np.ndarray}
    kept.clear()
    gc.collect()
    curve, done = [], keep
    for stop in STOPS:
        stretch = process_time() + SECONDS / len(STOPS)
        while done < stop * CALLS and process_time() < stretch:
            make_mask(vertices + done * 2.0**-20, shape)
            done += 1
        gc.collect()
        curve.append((done, process_stats.memory_bytes()[1]))
    return len(places), curve
