"""Margins around a device's buffers, which show writes outside a buffer.

Without them, a kernel writes into the driver's memory, which ends the process at once or later.
"""

import sys
from dataclasses import dataclass

import numpy as np
import pyopencl as cl

from ladder.workshop.sandbox.environments import Environment
from ladder.workshop.sandbox.garbage import GARBAGE, damage

MARGIN = 4096  # bytes on either side: a multiple of any device's alignment
UNUSED = 2  # references to an unused buffer: its `GuardedBuffer`, and getrefcount itself
BUFFER = cl.Buffer


@dataclass
class GuardedBuffer:
    """A buffer inside a larger one."""

    context: object
    whole: object
    buffer: object
    size: int

    def read(self):
        """Return the bytes of the larger buffer."""
        memory = np.empty(self.size + 2 * MARGIN, np.uint8)
        cl.enqueue_copy(cl.CommandQueue(self.context), memory, self.whole)
        return memory


class Kind(type):
    """The metaclass of `Buffer`, which makes guarded buffers; all buffers are instances."""

    environment = None

    def __call__(cls, context, flags, size=0, hostbuf=None):
        """Return a buffer with margins."""
        return cls.environment.guarded(context, flags, size, hostbuf)

    def __getattr__(cls, name):
        return getattr(BUFFER, name)

    def __instancecheck__(cls, instance):
        return isinstance(instance, BUFFER)


class Buffer(metaclass=Kind):
    """A replacement for `pyopencl.Buffer`."""


def install():
    """Make all new buffers with margins."""
    Kind.environment = Buffers()
    cl.Buffer = Buffer
    return Kind.environment


class Buffers(Environment):
    """An environment that puts each `pyopencl.Buffer` inside a larger buffer full of garbage."""

    def __init__(self):
        self.buffers = []

    def guarded(self, context, flags, size=0, hostbuf=None):
        """Return a buffer as `pyopencl.Buffer` would, between two margins full of garbage."""
        if flags & cl.mem_flags.USE_HOST_PTR or not (size or hostbuf is not None):
            return BUFFER(context, flags, size, hostbuf)  # in host memory, or a mistake
        contents = b"" if hostbuf is None else np.ascontiguousarray(hostbuf).tobytes()
        size = size or len(contents)
        memory = np.full(size + 2 * MARGIN, GARBAGE, np.uint8)
        memory[MARGIN : MARGIN + len(contents)] = np.frombuffer(contents, np.uint8)
        whole = BUFFER(context, flags & ~cl.mem_flags.COPY_HOST_PTR, memory.nbytes)
        # An explicit copy: with COPY_HOST_PTR, NVIDIA's sub-buffers are not part of the buffer.
        cl.enqueue_copy(cl.CommandQueue(context), whole, memory)
        self.buffers.append(GuardedBuffer(context, whole, whole.get_sub_region(MARGIN, size), size))
        return self.buffers[-1].buffer

    def after(self):
        """Return the writes into margins: (bytes of the buffer, bytes changed, where)."""
        writes = []
        for buffer in self.buffers:
            changes = damage(buffer.read(), buffer.size, MARGIN)
            writes += [(buffer.size, *change) for change in changes]
        self.buffers = [b for b in self.buffers if sys.getrefcount(b.buffer) != UNUSED]
        return writes or None
