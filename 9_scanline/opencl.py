"""The mask on an OpenCL device by the scanline algorithm: each work-group computes several rows.

The host program is that of `ladder.opencl.pixels`, and passes the kernel two more arguments: the
size of a tile, and local memory, which the items of a work-group share.
"""

import numpy as np
import pyopencl as cl

from ladder.devices import opencl, scanline_tiles
from ladder.opencl.pixels import build, context, fill
from polymask import contract


@opencl.once
def program():
    """Step 2: build the program with the kernel for the context's device."""
    return build("scanline.cl")


def make_mask(vertices, shape, border_value=True, *, work_group=None, events=None):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`.

    `work_group` is (rows, items that share a row); `events` is as in pixels.py.
    """
    h_vertices, shape, border_value = contract.check(vertices, shape, border_value)
    device = context().devices[0]
    # A CPU runs the items of a group one after the other, so sharing a row gains nothing there.
    best = (16, 1) if device.type & cl.device_type.CPU else (8, 32)
    height, width = opencl.check_work_group(work_group or best)
    h_mask = np.empty(shape, dtype=np.uint8)

    # A row that does not fit in local memory is divided into tiles.
    tiles, groups, blocks, local_bytes = scanline_tiles.tiles(shape, height, device.local_mem_size)
    global_size, local_size = (tiles * width, groups * height), (width, height)
    # The host specifies only the size of the local memory: each group has its own.
    more = np.int32(blocks), cl.LocalMemory(local_bytes)
    # To compare a row with an edge takes eight times as long as to write a pixel.
    work = groups * height * (8 * tiles * len(h_vertices) + shape[1])
    commands = fill(h_mask, h_vertices, border_value, program, global_size, local_size, work, *more)
    if events is not None:
        events |= commands
    return h_mask
