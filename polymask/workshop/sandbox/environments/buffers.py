"""Margins around a device's buffers: what a kernel writes beyond its own shows.

Without them it would be written into the driver's memory, and the driver end the process, at once
or much later.
"""

import sys
from dataclasses import dataclass

import numpy as np
import pyopencl as cl

from polymask.workshop.sandbox.environments import Environment
from polymask.workshop.sandbox.garbage import GARBAGE

MARGIN = 4096  # bytes on either side: a multiple of what any device aligns its buffers to
ALONE = 2  # references to an object that only one `Made` has, and whoever counts them
BUFFER = cl.Buffer


@dataclass
class Made:
    """A buffer that was handed out: a part of a larger one."""

    context: object
    whole: object
    buffer: object
    size: int

    def read(self):
        """Return the bytes of the whole."""
        memory = np.empty(self.size + 2 * MARGIN, np.uint8)
        cl.enqueue_copy(cl.CommandQueue(self.context), memory, self.whole)
        return memory

    def has_gone(self):
        """Whether nobody else has it."""
        return sys.getrefcount(self.buffer) == ALONE


class Kind(type):
    """Lets a class make guarded buffers, and take all buffers for its own."""

    environment = None

    def __call__(cls, context, flags, size=0, hostbuf=None):
        """Return a buffer with margins."""
        return cls.environment.guarded(context, flags, size, hostbuf)

    def __getattr__(cls, name):
        return getattr(BUFFER, name)

    def __instancecheck__(cls, thing):
        return isinstance(thing, BUFFER)


class Buffer(metaclass=Kind):
    """Stands for `pyopencl.Buffer`."""


def install():
    """Make buffers with margins from now on."""
    Kind.environment = Buffers()
    cl.Buffer = Buffer
    return Kind.environment


class Buffers(Environment):
    """Lets `pyopencl.Buffer` make parts of larger buffers, which are full of garbage."""

    def __init__(self):
        self.made = []

    def guarded(self, context, flags, size=0, hostbuf=None):
        """Return a buffer as `pyopencl.Buffer` would, between two margins full of garbage."""
        if flags & cl.mem_flags.USE_HOST_PTR or not (size or hostbuf is not None):
            return BUFFER(context, flags, size, hostbuf)  # the host's memory, or a mistake
        held = b"" if hostbuf is None else np.ascontiguousarray(hostbuf).tobytes()
        size = size or len(held)
        memory = np.full(size + 2 * MARGIN, GARBAGE, np.uint8)
        memory[MARGIN : MARGIN + len(held)] = np.frombuffer(held, np.uint8)
        whole = BUFFER(context, flags | cl.mem_flags.COPY_HOST_PTR, hostbuf=memory)
        self.made.append(Made(context, whole, whole.get_sub_region(MARGIN, size), size))
        return self.made[-1].buffer

    def after(self):
        """Return which margins were written to: (bytes of the buffer, bytes changed, where)."""
        found = []
        for one in self.made:
            memory = one.read()
            beyond, before = memory[MARGIN + one.size :] != GARBAGE, memory[:MARGIN] != GARBAGE
            for wrong, where in ((beyond, "behind the end"), (before, "before the beginning")):
                if wrong.any():
                    found.append((one.size, int(np.count_nonzero(wrong)), where))
        self.made = [one for one in self.made if not one.has_gone()]
        return found or None
