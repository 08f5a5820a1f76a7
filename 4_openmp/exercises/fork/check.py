"""Starts a team of threads, then asks for a mask from a child."""

import os

from polymask import reference, workload
from polymask.openmp import prange
from polymask.workshop.compare import Wrong, same_mask


def check(module, random):
    """Raise `Wrong` unless the child answers. One that was forked never does."""
    vertices, shape = workload.polygon(seed=random.randrange(1000), shape=(61, 83)), (61, 83)
    prange.make_mask(vertices, shape, threads=2)  # starts the threads
    mask, number = module.mask_in_a_child(vertices, shape)
    if number == os.getpid():
        raise Wrong("the mask was made in this process, not in a child")
    same_mask(mask, reference.mask(vertices, shape), "the child's mask")
