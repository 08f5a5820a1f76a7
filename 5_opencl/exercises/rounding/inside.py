"""Hands a device's memory to the answer, and fetches it again."""

import numpy as np
import pyopencl as cl

from polymask.opencl import pixels


def inverted(module, h_memory, shape, pitch, group):
    """Return a device's memory after `invert` had it."""
    queue = cl.CommandQueue(pixels.context())
    d_memory = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, h_memory.nbytes)
    cl.enqueue_copy(queue, d_memory, h_memory)
    module.invert(queue, d_memory, shape, pitch, group)
    h_after = np.empty_like(h_memory)
    cl.enqueue_copy(queue, h_after, d_memory)
    return h_after
