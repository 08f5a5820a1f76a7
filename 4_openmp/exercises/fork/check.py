"""Starts a team of threads, then asks for a mask from a child."""

from polymask.ladder import reference, workload
from polymask.workshop.sandbox.wrong import Wrong, same_mask


def check(answer, random):
    """Raise `Wrong` unless the child answers, and has threads. One that was forked has one."""
    vertices, shape = workload.polygon(seed=random.randrange(1000), shape=(61, 83)), (61, 83)
    parent = answer.inside("start_team", vertices, shape)
    found = answer.mask_in_a_child(vertices, shape, 2)
    if not isinstance(found, tuple | list) or len(found) != 3:
        raise Wrong("mask_in_a_child returns three values: mask, number of the child, threads")
    mask, number, threads = found
    if number == parent:
        raise Wrong("the mask was made in this process, not in a child")
    if threads != 2:
        raise Wrong(
            f"the child was asked for 2 threads and has {threads}: a forked process has none but "
            "the one that called fork"
        )
    same_mask(mask, reference.mask(vertices, shape), "the child's mask")
