"""Start a team of threads, request a mask from a child, and examine which process made it."""

from ladder.openmp import prange
from ladder.registry import reference, workload
from ladder.workshop import concepts
from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed, same, same_mask

UNDER = {"family": {"module": "ladder.openmp.prange"}}
SHAPE = (61, 83)
THREADS = 2


def check(answer, random):
    """Raise `CheckFailed` unless a child makes the mask with the requested number of threads."""
    vertices = workload.polygon(seed=random.randrange(1000), shape=SHAPE)
    child.step("requesting a mask from a child")
    prange.make_mask(vertices, SHAPE, threads=THREADS)  # OpenMP starts its threads in this process
    result, facts = child.observe(answer.mask_in_a_child, vertices, SHAPE, THREADS)
    if not isinstance(result, tuple | list) or len(result) != 3:
        raise CheckFailed(
            "mask_in_a_child must return three values: the mask, the child's process id, threads"
        )
    mask, number, team = result
    same_mask(mask, reference.mask(vertices, SHAPE), "the child's mask")
    check_family(facts["family"], number, team, THREADS)


def check_family(family, number, team, threads):
    """Raise `CheckFailed` unless that process made the mask with the given number of threads."""
    makers = {made["process"]: made for made in family["made"]}
    if family["this"] in (number, *makers):
        raise CheckFailed("the mask was made in this process, not in a child")
    if not makers:
        raise CheckFailed(
            "the mask is right, but no child called `make_mask` of ladder.openmp.prange: call "
            "it in the child"
        )
    if number not in makers:
        raise CheckFailed(
            f"process {min(makers)} made the mask, not process {number}: return the process id of "
            "the child that made it"
        )
    asked, used = makers[number]["asked"], makers[number]["used"]
    if asked != threads:
        raise CheckFailed(
            f"the child made the mask with `threads={asked}`, but {threads} were requested"
        )
    if used != threads:
        raise CheckFailed(
            f"the child should use {threads} threads but has {used}: a forked process has only "
            f"the thread that called fork {concepts.FORK}"
        )
    same(team, used, "the number of threads in the child")
