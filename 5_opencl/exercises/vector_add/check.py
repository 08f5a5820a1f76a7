"""Adds vectors of lengths that are no multiples of a work-group."""

import numpy as np
import pyopencl as cl

from polymask.workshop.sandbox import poison
from polymask.workshop.sandbox.buffers import Buffers
from polymask.workshop.sandbox.launches import Launches
from polymask.workshop.sandbox.wrong import Wrong, same


def check(module, random):
    """Raise `Wrong` at the first sum that is not right, or is the host's."""
    if not hasattr(module, "add"):
        raise Wrong("vector_add.py has no function add")
    for n in (64, 1, 63, 65, random.randrange(100, 5000)):
        rng = np.random.default_rng(random.randrange(10**6))
        a, b = rng.random((2, n), dtype=np.float32)
        poison.memory((n, 4))
        with Launches(cl.Kernel, module) as seen, Buffers() as guarded:
            got = module.add(a, b)
        same(got, a + b, f"vectors of length {n}")
        guarded.check(f"vectors of length {n}")
        seen.need(f"vectors of length {n}")
