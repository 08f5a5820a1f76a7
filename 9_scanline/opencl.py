"""The mask on an OpenCL device by the scanline algorithm: each work-group computes several rows.

The host program is that of `ladder.opencl.pixels`. The kernel is new: its items share local
memory. The number of rows and the amount of local memory per group are also new.
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
    h_vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    device = context().devices[0]
    # A CPU runs the items of a group one after the other, so sharing a row gains nothing there.
    best = (16, 1) if device.type & cl.device_type.CPU else (8, 32)
    most = device.local_mem_size // scanline_tiles.BLOCK_BYTES
    height, width = opencl.check_work_group(work_group or best, most)
    h_mask = np.empty((rows, cols), dtype=np.uint8)

    tiles, blocks, local_bytes = scanline_tiles.tiles(cols, height, device.local_mem_size)
    global_size = (tiles * width, -(-rows // height) * height)
    local_size = (width, height)
    # The host specifies only the size of the local memory: each group has its own.
    more = np.int32(blocks), cl.LocalMemory(local_bytes)
    # In each tile, every row is compared with every edge, and toggles a bit where they cross, which
    # takes longer than writing a pixel. Rows below the image take as long.
    work = global_size[1] * (8 * tiles * len(h_vertices) + cols)
    commands = fill(h_mask, h_vertices, border_value, program, global_size, local_size, work, *more)
    if events is not None:
        events |= commands
    return h_mask
