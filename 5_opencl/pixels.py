"""The mask on an OpenCL device, one work item per pixel.

The five steps of a host program: find a device and make a context; build the program; move the
data; launch the kernel; fetch the result. The first two are done once, the others for each mask.
Names that begin with `h_` live in the host's memory, with `d_` in the device's.
"""

from importlib import resources

import numpy as np
import pyopencl as cl

from polymask import contract
from polymask.devices import opencl


@contract.once
def context():
    """Step 1: a context on a device that works: a GPU if there is one, else a CPU."""
    return cl.Context([opencl.device()])


@contract.once
def program():
    """Step 2: the kernel, built for the context's device; the rule's text takes its line."""
    csrc = resources.files("polymask.csrc")
    rule = (csrc / "inside_polygon.h").read_text()
    kernel = (csrc / "mask.cl").read_text()
    return cl.Program(context(), kernel.replace('#include "inside_polygon.h"', rule)).build()


def check():
    """Raise `Unavailable` if there is no device that can do it."""
    opencl.device()


def threads_used(**options):
    """How many cores the device has if it is a CPU, else 1: the host's thread that waits."""
    return opencl.cores()


def make_mask(vertices, shape, border_value=True, *, work_group=None, timings=None, events=None):
    """Mask of a polygon; see `polymask.python.tuples.make_mask`.

    One option: `work_group`, (rows, cols) of a work-group, chosen by the driver if None. Two dicts
    receive what is asked for: `timings` seconds by the device's clock, to_device_s, kernel_s and
    to_host_s; `events` the events of the three commands.
    """
    h_vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    height, width = contract.check_shape(work_group or (1, 1), "work_group")
    limit = context().devices[0].max_work_group_size
    if not 1 <= width * height <= limit:
        raise ValueError(f"a work-group has 1 to {limit} items here, got {height}x{width}")
    h_mask = np.empty((rows, cols), dtype=np.uint8)
    if h_mask.size == 0:
        return h_mask  # a device has no buffer of zero bytes
    global_size = (-(-cols // width) * width, -(-rows // height) * height)  # x first, rounded up

    # Step 3: the data. Queue and kernel are this call's own: no other thread sees its arguments.
    queue = cl.CommandQueue(context(), properties=cl.command_queue_properties.PROFILING_ENABLE)
    d_vertices = cl.Buffer(context(), cl.mem_flags.READ_ONLY, h_vertices.nbytes)
    d_mask = cl.Buffer(context(), cl.mem_flags.WRITE_ONLY, h_mask.nbytes)
    send = cl.enqueue_copy(queue, d_vertices, h_vertices, is_blocking=False)

    # Step 4: the launch, which only puts the kernel into the queue.
    kernel = cl.Kernel(program(), "polygon_mask")
    kernel.set_args(d_vertices, np.int64(len(h_vertices)), np.int32(border_value),
                    np.int64(rows), np.int64(cols), d_mask)  # fmt: skip
    local_size = (width, height) if work_group else None
    launch = cl.enqueue_nd_range_kernel(queue, kernel, global_size, local_size)

    # Step 5: the result. The queue is in order: the copy waits for the kernel, the host for all.
    fetch = cl.enqueue_copy(queue, h_mask, d_mask)
    commands = {"to_device": send, "kernel": launch, "to_host": fetch}
    if events is not None:
        events |= commands
    for name, event in commands.items() if timings is not None else ():
        timings[f"{name}_s"] = 1e-9 * (event.profile.end - event.profile.start)
    return h_mask
