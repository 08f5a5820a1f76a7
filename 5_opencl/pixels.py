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


@opencl.once
def context():
    """Step 1: a context on a device that works: a GPU if there is one, else a CPU."""
    return cl.Context([opencl.device()])


@opencl.once
def program():
    """Step 2: the kernel, built for the context's device."""
    return build("mask.cl")


def build(name):
    """Build a file of csrc; the text of the rule takes the line that includes it."""
    csrc = resources.files("polymask.csrc")
    rule = (csrc / "inside_polygon.h").read_text()
    kernel = (csrc / name).read_text()
    return cl.Program(context(), kernel.replace('#include "inside_polygon.h"', rule)).build()


@opencl.or_unavailable
def fill(h_mask, h_vertices, border_value, program, bands, local_size, *more):
    """Steps 3 to 5, for each mask; return the events of the commands."""
    if not h_mask.size:
        return {}  # a device has no buffer of zero bytes

    # Step 3: the data. Queue and kernel are this call's own: no other thread sees its arguments.
    queue = cl.CommandQueue(context(), properties=cl.command_queue_properties.PROFILING_ENABLE)
    d_vertices = cl.Buffer(context(), cl.mem_flags.READ_ONLY, h_vertices.nbytes)
    d_mask = cl.Buffer(context(), cl.mem_flags.WRITE_ONLY, h_mask.nbytes)
    send = cl.enqueue_copy(queue, d_vertices, h_vertices, is_blocking=False)

    # Step 4: the launch, which only puts the kernel into the queue. No kernel is ever stopped. One
    # that would run long is launched in bands of rows, and Python hears Ctrl-C between two of them.
    kernel = cl.Kernel(program(), "polygon_mask")
    n, (rows, cols) = len(h_vertices), h_mask.shape
    kernel.set_args(d_vertices, np.int64(n), np.int32(border_value),
                    np.int64(rows), np.int64(cols), d_mask, *more)  # fmt: skip
    launches = []
    for first, size in bands:
        launches.append(cl.enqueue_nd_range_kernel(queue, kernel, size, local_size, first))
        if len(launches) > 1:
            launches[-2].wait()  # the next is in the queue by then: the device need not wait

    # Step 5: the result. The queue is in order: the copy waits for the kernel, the host for all.
    fetch = cl.enqueue_copy(queue, h_mask, d_mask)
    return {"to_device": send, "kernel": opencl.as_one(launches), "to_host": fetch}


def make_mask(vertices, shape, border_value=True, *, work_group=None, events=None):
    """Mask of a polygon; see `polymask.python.tuples.make_mask`.

    One option: `work_group`, (rows, cols) of a work-group, chosen by the driver if None. A dict
    `events` receives those of the three commands, of which a profiler reads the device's clock.
    """
    h_vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    height, width = opencl.check_work_group(work_group or (1, 1))
    h_mask = np.empty((rows, cols), dtype=np.uint8)

    global_size = (-(-cols // width) * width, -(-rows // height) * height)  # x first, rounded up
    local_size = (width, height) if work_group else None
    bands = opencl.bands(global_size, (height, width), h_mask.size * len(h_vertices))
    commands = fill(h_mask, h_vertices, border_value, program, bands, local_size)
    if events is not None:
        events |= commands
    return h_mask
