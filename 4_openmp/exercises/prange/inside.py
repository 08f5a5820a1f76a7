"""Counts threads that are no OpenMP's, in the answer's own process."""

import threading


def threads_of_python(module, vertices, shape, threads):
    """Return how many threads of Python begin while a mask is made."""
    begun, start = [], threading.Thread.start

    def counted(self):
        begun.append(self)
        start(self)

    threading.Thread.start = counted
    try:
        module.make_mask(vertices, shape, threads=threads)
    finally:
        threading.Thread.start = start
    return len(begun)
