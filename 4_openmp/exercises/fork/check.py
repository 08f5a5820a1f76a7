"""Starts a team of threads, then asks for a mask from a child, and looks who made it."""

from polymask.ladder import reference, workload
from polymask.openmp import prange
from polymask.workshop.sandbox import child
from polymask.workshop.sandbox.check_failed import CheckFailed, same, same_mask

UNDER = {"family": {"module": "polymask.openmp.prange"}}
SHAPE = (61, 83)
THREADS = 2


def check(answer, random):
    """Raise `CheckFailed` unless a child makes the mask, by as many threads as it was asked for."""
    vertices = workload.polygon(seed=random.randrange(1000), shape=SHAPE)
    child.step("asking a child for a mask")
    prange.make_mask(vertices, SHAPE, threads=THREADS)  # OpenMP has its threads here, now
    found, facts = child.observe(answer.mask_in_a_child, vertices, SHAPE, THREADS)
    if not isinstance(found, tuple | list) or len(found) != 3:
        raise CheckFailed(
            "mask_in_a_child returns three values: mask, number of the child, threads"
        )
    mask, number, said = found
    same_mask(mask, reference.mask(vertices, SHAPE), "the child's mask")
    check_family(facts["family"], number, said, THREADS)


def check_family(family, number, said, threads):
    """Raise `CheckFailed` unless that process made the mask, by the given number of threads."""
    makers = {made["process"]: made for made in family["made"]}
    if family["this"] in (number, *makers):
        raise CheckFailed("the mask was made in this process, not in a child")
    if not makers:
        raise CheckFailed(
            "no child has called `make_mask` of polymask.openmp.prange, though the mask is right: "
            "whose is it?"
        )
    if number not in makers:
        raise CheckFailed(
            f"process {number} has not made the mask, process {min(makers)} has: return the number "
            "of the child that did"
        )
    asked, used = makers[number]["asked"], makers[number]["used"]
    if asked != threads:
        raise CheckFailed(
            f"the child made the mask with `threads={asked}`, {threads} were asked for"
        )
    if used != threads:
        raise CheckFailed(
            f"the child was asked for {threads} threads and has {used}: a forked process has none "
            "but the one that called fork"
        )
    same(said, used, "the number of threads that the child has")
