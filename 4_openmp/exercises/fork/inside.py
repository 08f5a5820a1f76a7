"""What has to be done and asked in the answer's own process, which is the parent."""

import os

from polymask.openmp import prange


def start_team(module, vertices, shape):
    """Let OpenMP start its threads here; return the number of the process."""
    prange.make_mask(vertices, shape, threads=2)
    return os.getpid()
