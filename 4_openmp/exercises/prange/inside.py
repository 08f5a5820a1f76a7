"""Looks whose threads an answer starts, in its own process."""

import threading
from pathlib import Path

TEAMS = (
    b"GOMP_parallel",
    b"__kmpc_fork_call",
)  # functions of OpenMP that start threads: GCC, Clang


def of_openmp(module):
    """Whether the module asks for a function of OpenMP's that starts threads."""
    held = Path(module.__file__).read_bytes()
    return any(name in held for name in TEAMS)


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
