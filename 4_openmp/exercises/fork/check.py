"""Starts a team of threads, then asks for a mask from a child."""

import os

from polymask.ladder import reference, workload
from polymask.openmp import prange
from polymask.workshop.sandbox.wrong import Wrong, same_mask


def check(module, random):
    """Raise `Wrong` unless the child answers, and has threads. One that was forked has one."""
    vertices, shape = workload.polygon(seed=random.randrange(1000), shape=(61, 83)), (61, 83)
    prange.make_mask(vertices, shape, threads=2)  # starts the threads
    mask, number, threads = module.mask_in_a_child(vertices, shape, 2)
    if number == os.getpid():
        raise Wrong("the mask was made in this process, not in a child")
    if threads != 2:
        raise Wrong(
            f"the child was asked for 2 threads and has {threads}: a forked process has none but "
            "the one that called fork"
        )
    same_mask(mask, reference.mask(vertices, shape), "the child's mask")
