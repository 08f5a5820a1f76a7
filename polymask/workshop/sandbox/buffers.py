"""Puts margins around a device's buffers: what a kernel writes beyond its own shows.

Without them it would be written into the driver's memory, and the driver end the process, at once
or much later.
"""

import numpy as np
import pyopencl as cl

from polymask.workshop.sandbox.poison import RUBBISH
from polymask.workshop.sandbox.wrong import Wrong

MARGIN = 4096  # bytes on either side: a multiple of what any device aligns its buffers to


class Buffers:
    """A context in which `pyopencl.Buffer` makes buffers with margins, parts of larger ones."""

    def __enter__(self):
        self.made, self.own = [], cl.Buffer
        cl.Buffer = self.guarded
        return self

    def __exit__(self, *error):
        cl.Buffer = self.own

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

    def check(self, label):
        """Raise `Wrong` if a margin was written to."""
        for context, whole, size in self.made:
            memory = np.empty(size + 2 * MARGIN, np.uint8)
            cl.enqueue_copy(cl.CommandQueue(context), memory, whole)
            beyond, before = memory[MARGIN + size :] != RUBBISH, memory[:MARGIN] != RUBBISH
            for wrong, where in ((beyond, "behind the end"), (before, "before the beginning")):
                if wrong.any():
                    raise Wrong(
                        f"{label}: the kernel wrote {np.count_nonzero(wrong)} bytes {where} of a "
                        f"buffer of {size} bytes: which items are there, and what holds them back?"
                    )
