"""A mask made with OpenMP in a child process, after the parent has used OpenMP itself."""

import multiprocessing
import os

from ladder.openmp.prange import make_mask, threads_used


def mask_in_a_child(vertices, shape, threads):
    """Return the mask from a child, the process id of the child, and the number of its threads."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        mask = pool.apply(make_mask, (vertices, shape), {"threads": threads})
        return mask, pool.apply(os.getpid), pool.apply(threads_used, (threads,))
