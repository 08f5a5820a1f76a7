"""A mask by OpenMP in a child process, after the parent has used OpenMP itself."""

import multiprocessing
import os

from polymask.openmp.prange import make_mask


def mask_in_a_child(vertices, shape):
    """The mask, made in a process of its own, and that process's number."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return pool.apply(make_mask, (vertices, shape)), pool.apply(os.getpid)
