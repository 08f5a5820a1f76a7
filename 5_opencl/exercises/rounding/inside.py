"""Hands a device's memory to the answer, and fetches it again."""

import numpy as np
import pyopencl as cl

from polymask.opencl import pixels
from polymask.workshop.sandbox.environments import launches


def inverted(module, h_memory, shape, pitch, group):
    """Return a device's memory after `invert` had it."""
    queue, d_memory = sent(h_memory)
    module.invert(queue, d_memory, shape, pitch, group)
    h_after = np.empty_like(h_memory)
    cl.enqueue_copy(queue, h_after, d_memory)
    return h_after


def waits(module, h_memory, shape, pitch, group):
    """Return whether `invert` comes back when its launches, which are held, are done."""
    queue, d_memory = sent(h_memory)
    module.invert(queue, d_memory, shape, pitch, group)
    waited = launches.waited()
    queue.finish()
    return waited


def sent(h_memory):
    """Return a queue, and a buffer of the device's with that memory's contents."""
    queue = cl.CommandQueue(pixels.context())
    d_memory = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, h_memory.nbytes)
    cl.enqueue_copy(queue, d_memory, h_memory)
    return queue, d_memory
