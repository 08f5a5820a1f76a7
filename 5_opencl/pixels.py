"""The mask on an OpenCL device, with one work item per pixel.

A host program has five steps: find a device and create a context; build the program; send the
data; launch the kernel; fetch the result. The first two run once, the others for each mask.
Names with the prefix `h_` refer to host memory, names with `d_` to device memory.
"""

import numpy as np
import pyopencl as cl

from ladder.devices import opencl
from polymask import contract
from polymask.common.kernel_text import kernel_text


@opencl.once
def context():
    """Step 1: create a context on a device that works, a GPU before a CPU."""
    return cl.Context([opencl.device()])


@opencl.once
def program():
    """Step 2: let the driver compile the kernel's text for the device."""
    return cl.Program(context(), kernel_text("mask.cl")).build()


@opencl.or_unavailable
def make_mask(vertices, shape, border_value=True, *, work_group=None, events=None):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`.

    `work_group` is the size of a work-group, (rows, cols); the driver chooses it if None. The dict
    `events` receives the events of the three commands, from which a profiler reads their times.
    """
    h_vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    height, width = opencl.check_work_group(work_group or (1, 1))  # None: nothing is rounded up
    h_mask = np.empty((rows, cols), dtype=np.uint8)
    if not h_mask.size:
        return h_mask  # a device has no buffer of zero bytes

    # Step 3: send the data. The queue is in order: each command waits for the previous one.
    queue = cl.CommandQueue(context(), properties=cl.command_queue_properties.PROFILING_ENABLE)
    d_vertices = cl.Buffer(context(), cl.mem_flags.READ_ONLY, h_vertices.nbytes)
    d_mask = cl.Buffer(context(), cl.mem_flags.WRITE_ONLY, h_mask.nbytes)
    send = cl.enqueue_copy(queue, d_vertices, h_vertices, is_blocking=False)

    # Step 4: launch the kernel. `run` calls cl.enqueue_nd_range_kernel, which only queues it.
    kernel = cl.Kernel(program(), "polygon_mask")
    n, *size = map(np.int64, (len(h_vertices), rows, cols))  # a long of OpenCL C has 64 bits
    kernel.set_args(d_vertices, n, np.int32(border_value), *size, d_mask)
    global_size = (-(-cols // width) * width, -(-rows // height) * height)  # x first, rounded up
    local_size = (width, height) if work_group else None
    work = h_mask.size * len(h_vertices)  # a long launch is divided: kernels cannot be stopped
    run = opencl.run(queue, kernel, global_size, local_size, work)

    # Step 5: fetch the result. This call returns when the copy is done.
    fetch = cl.enqueue_copy(queue, h_mask, d_mask)
    if events is not None:
        events |= {"to_device": send, "kernel": run, "to_host": fetch}
    return h_mask
