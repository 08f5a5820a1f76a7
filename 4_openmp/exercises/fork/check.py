"""Start a team of threads, request a mask from a child, and compare it and the reported facts."""

import os

from ladder.openmp import prange
from ladder.workshop import concepts
from ladder.workshop.sandbox import cases, child
from ladder.workshop.sandbox.check_failed import CheckFailed, same_mask

SHAPE = (61, 83)
THREADS = 2


def check(answer, random):
    """Raise `CheckFailed` unless a child makes the mask with the requested number of threads."""
    vertices, right = cases.random_mask(random, SHAPE, 24)
    child.step("requesting a mask from a child")
    prange.make_mask(vertices, SHAPE, threads=THREADS)  # OpenMP starts its threads in this process
    result = answer.mask_in_a_child(vertices, SHAPE, THREADS)
    if not isinstance(result, tuple | list) or len(result) != 3:
        raise CheckFailed(
            "mask_in_a_child must return three values: the mask, the child's process id, threads"
        )
    mask, number, team = result
    same_mask(mask, right, "the child's mask")
    if number == os.getpid():
        raise CheckFailed("the mask was made in this process, not in a child")
    if team != THREADS:
        raise CheckFailed(
            f"the child should use {THREADS} threads but has {team}: a forked process has only "
            f"the thread that called fork {concepts.FORK}"
        )
