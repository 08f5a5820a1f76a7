"""The mask on an OpenCL device by the scanline algorithm: a work-group computes some rows.

The host program is that of `polymask.opencl.pixels`, written down again: a rung stands alone. New
are the kernel, whose items share local memory, and how many rows and how much of it a group has.
"""

from importlib import resources

import numpy as np
import pyopencl as cl

from polymask import contract
from polymask.devices import opencl

BLOCK_BYTES = 4 * 65  # local memory for 1024 pixels of a row: two bits each, and a word above


@contract.once
def context():
    """Step 1: a context on a device that works: a GPU if there is one, else a CPU."""
    return cl.Context([opencl.device()])


@contract.once
def program():
    """Step 2: the kernel, built for the context's device; the rule's text takes its line."""
    csrc = resources.files("polymask.csrc")
    rule = (csrc / "inside_polygon.h").read_text()
    kernel = (csrc / "scanline.cl").read_text()
    return cl.Program(context(), kernel.replace('#include "inside_polygon.h"', rule)).build()


def check():
    """Raise `Unavailable` if there is no device that can do it."""
    opencl.device()


def threads_used(**options):
    """How many cores the device has if it is a CPU, else 1: the host's thread that waits."""
    return opencl.cores()


def make_mask(vertices, shape, border_value=True, *, work_group=None, timings=None, events=None):
    """Mask of a polygon; see `polymask.python.tuples.make_mask`.

    A `work_group` is (rows, items that share a row) here; `timings` and `events` as in pixels.py.
    """
    h_vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    device = context().devices[0]
    # A CPU runs a group's items one after the other: to share a row brings nothing there.
    cpu = device.type & cl.device_type.CPU
    height, width = contract.check_shape(work_group or ((16, 1) if cpu else (8, 32)), "work_group")
    limit, most = device.max_work_group_size, device.local_mem_size // BLOCK_BYTES
    if not 1 <= width * height <= limit or height > most:
        text = f"a work-group has 1 to {limit} items in at most {most} rows here"
        raise ValueError(f"{text}, got {height}x{width}")
    h_mask = np.empty((rows, cols), dtype=np.uint8)
    if h_mask.size == 0:
        return h_mask  # a device has no buffer of zero bytes
    bits = cols + 15  # a row begins up to 15 bytes after the aligned address of its first bit
    blocks = min(-(-bits // 1024), most // height)
    global_size = (-(-bits // (1024 * blocks)) * width, -(-rows // height) * height)

    # Step 3: the data. Queue and kernel are this call's own: no other thread sees its arguments.
    queue = cl.CommandQueue(context(), properties=cl.command_queue_properties.PROFILING_ENABLE)
    d_vertices = cl.Buffer(context(), cl.mem_flags.READ_ONLY, h_vertices.nbytes)
    d_mask = cl.Buffer(context(), cl.mem_flags.WRITE_ONLY, h_mask.nbytes)
    send = cl.enqueue_copy(queue, d_vertices, h_vertices, is_blocking=False)

    # Step 4: the launch. Of local memory the host gives the size: each group has its own.
    kernel = cl.Kernel(program(), "polygon_mask")
    kernel.set_args(d_vertices, np.int64(len(h_vertices)), np.int32(border_value),
                    np.int64(rows), np.int64(cols), d_mask,
                    np.int32(blocks), cl.LocalMemory(height * blocks * BLOCK_BYTES))  # fmt: skip
    launch = cl.enqueue_nd_range_kernel(queue, kernel, global_size, (width, height))

    # Step 5: the result. The queue is in order: the copy waits for the kernel, the host for all.
    fetch = cl.enqueue_copy(queue, h_mask, d_mask)
    commands = {"to_device": send, "kernel": launch, "to_host": fetch}
    if events is not None:
        events |= commands
    for name, event in commands.items() if timings is not None else ():
        timings[f"{name}_s"] = 1e-9 * (event.profile.end - event.profile.start)
    return h_mask
