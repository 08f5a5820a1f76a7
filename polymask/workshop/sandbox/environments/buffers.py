"""Margins around a device's buffers: what a kernel writes beyond its own shows.

Without them it would be written into the driver's memory, and the driver end the process, at once
or much later.
"""

import numpy as np
import pyopencl as cl

from polymask.workshop.sandbox.environments import Environment
from polymask.workshop.sandbox.poison import RUBBISH

MARGIN = 4096  # bytes on either side: a multiple of what any device aligns its buffers to


def install():
    """Make buffers with margins while a call is observed."""
    return Buffers()


class Buffers(Environment):
    """Lets `pyopencl.Buffer` make parts of larger buffers, which are full of rubbish."""

    def __init__(self):
        self.made, self.own = [], cl.Buffer

    def before(self, arguments):
        """Begin."""
        self.made, cl.Buffer = [], self.guarded

    def guarded(self, context, flags, size=0, hostbuf=None):
        """Return a buffer as `pyopencl.Buffer` would, between two margins full of rubbish."""
        if flags & cl.mem_flags.USE_HOST_PTR or not (size or hostbuf is not None):
            return self.own(context, flags, size, hostbuf)  # the host's memory, or a mistake
        held = b"" if hostbuf is None else np.ascontiguousarray(hostbuf).tobytes()
        size = size or len(held)
        memory = np.full(size + 2 * MARGIN, RUBBISH, np.uint8)
        memory[MARGIN : MARGIN + len(held)] = np.frombuffer(held, np.uint8)
        whole = self.own(context, flags | cl.mem_flags.COPY_HOST_PTR, hostbuf=memory)
        self.made.append((context, whole, size))
        return whole.get_sub_region(MARGIN, size)

    def after(self):
        """Return which margins were written to: (bytes of the buffer, bytes changed, where)."""
        cl.Buffer, found = self.own, []
        for context, whole, size in self.made:
            memory = np.empty(size + 2 * MARGIN, np.uint8)
            cl.enqueue_copy(cl.CommandQueue(context), memory, whole)
            beyond, before = memory[MARGIN + size :] != RUBBISH, memory[:MARGIN] != RUBBISH
            for wrong, where in ((beyond, "behind the end"), (before, "before the beginning")):
                if wrong.any():
                    found.append((size, int(np.count_nonzero(wrong)), where))
        self.made = []
        return found or None
