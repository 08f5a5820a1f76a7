"""The mask on an OpenCL device by the scanline algorithm: each work-group computes several rows.

The host program has the five steps of `ladder.opencl.pixels`, and passes the kernel two more
arguments: the size of a tile, and local memory, which the items of a work-group share.
"""

import numpy as np
import pyopencl as cl

from ladder.devices import opencl, scanline_tiles
from ladder.opencl.pixels import context
from polymask import contract
from polymask.common.kernel_text import kernel_text


@opencl.once
def program():
    """Step 2: let the driver compile the kernel's text for the device."""
    return cl.Program(context(), kernel_text("scanline.cl")).build()


@opencl.or_unavailable
def make_mask(vertices, shape, border_value=True, *, work_group=None, events=None):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`.

    `work_group` is (rows, items that share a row); `events` is as in pixels.py.
    """
    h_vertices, shape, border_value = contract.check(vertices, shape, border_value)
    device = context().devices[0]
    # A CPU runs the items of a group one after the other, so sharing a row gains nothing there.
    best = (16, 1) if device.type & cl.device_type.CPU else (8, 32)
    height, width = opencl.check_work_group(work_group or best)
    # A row that does not fit in local memory is divided into tiles, each of `blocks` x 1024 pixels.
    tiles, groups, blocks, local_bytes = scanline_tiles.tiles(shape, height, device.local_mem_size)
    h_mask = np.empty(shape, dtype=np.uint8)
    if not h_mask.size:
        return h_mask  # a device has no buffer of zero bytes

    # Step 3: send the data.
    queue = cl.CommandQueue(context(), properties=cl.command_queue_properties.PROFILING_ENABLE)
    d_vertices = cl.Buffer(context(), cl.mem_flags.READ_ONLY, h_vertices.nbytes)
    d_mask = cl.Buffer(context(), cl.mem_flags.WRITE_ONLY, h_mask.nbytes)
    send = cl.enqueue_copy(queue, d_vertices, h_vertices, is_blocking=False)

    # Step 4: launch the kernel. The host specifies only the size of a group's local memory.
    kernel = cl.Kernel(program(), "polygon_mask")
    n, *size = map(np.int64, (len(h_vertices), *shape))
    more = np.int32(blocks), cl.LocalMemory(local_bytes)
    kernel.set_args(d_vertices, n, np.int32(border_value), *size, d_mask, *more)
    global_size, local_size = (tiles * width, groups * height), (width, height)
    # The work of the launch: comparing a row with an edge counts as writing eight pixels.
    work = groups * height * (8 * tiles * len(h_vertices) + shape[1])
    run = opencl.run(queue, kernel, global_size, local_size, work)

    # Step 5: fetch the result.
    fetch = cl.enqueue_copy(queue, h_mask, d_mask)
    if events is not None:
        events |= {"to_device": send, "kernel": run, "to_host": fetch}
    return h_mask
