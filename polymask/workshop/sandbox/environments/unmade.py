"""Nothing can be made: each ``__cinit__`` raises, while the answer is imported and after."""

from polymask.workshop.sandbox import counters
from polymask.workshop.sandbox.environments import Environment


def install(file, names):
    """Let the functions of those names in C make nothing, in the module of a file."""
    counters.watch(file, names, True)
    return Environment()
