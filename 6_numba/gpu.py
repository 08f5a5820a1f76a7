"""The mask on an NVIDIA GPU, a thread per pixel, with a kernel that is written in Python.

Numba compiles the kernel for the device when it is first launched. The host program has the steps
of opencl.pixels. Names with the prefix `h_` refer to host memory, names with `d_` to device memory.
"""

import numpy as np
from numba import cuda

from ladder.devices import cuda as device
from ladder.devices.cuda_commands import command
from ladder.python import tuples
from polymask import contract

BLOCK = (8, 32)  # rows and columns; a warp, 32 threads that step together, writes adjacent pixels

# The rule of python.tuples, unchanged. It is inlined, so it is compiled as a part of the kernel.
inside_polygon = cuda.jit(device=True, inline="always")(tuples.inside_polygon)


@cuda.jit
def polygon_mask(vertices, border_value, mask):
    """Compute the thread's pixel, or several if the grid has fewer rows than the image."""
    x, y = cuda.grid(2)
    rows, cols = mask.shape
    if x >= cols:  # the grid is rounded up to whole blocks
        return
    while y < rows:
        mask[y, x] = inside_polygon(x, y, vertices, border_value)
        y += cuda.gridsize(2)[1]


@device.or_unavailable
def run(kernel, vertices, shape, border_value, work_group, events):
    """Compute a mask: copy, launch and copy back, in a stream that only this call uses."""
    h_vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    height, width = device.check_work_group(work_group or BLOCK)
    h_mask = np.empty((rows, cols), dtype=np.uint8)
    if not h_mask.size:
        return h_mask  # a device has no array of zero bytes
    grid = (-(-cols // width), min(-(-rows // height), device.MOST_BLOCKS))  # x first, rounded up
    stream = cuda.stream()
    with command("to_device", stream, events):
        d_vertices = cuda.to_device(h_vertices, stream=stream)
    d_mask = cuda.device_array((rows, cols), np.uint8, stream=stream)
    with command("kernel", stream, events):
        kernel[grid, (width, height), stream](d_vertices, border_value, d_mask)
    with command("to_host", stream, events):
        d_mask.copy_to_host(h_mask, stream=stream)
    stream.synchronize()  # until here, the commands were only queued
    return h_mask


def make_mask(vertices, shape, border_value=True, *, work_group=None, events=None):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`.

    `work_group` is the size of a block, (rows, columns), 8x32 if None. The dict `events` receives
    the events of the three commands, from which a profiler reads their times.
    """
    device.ready()  # raises Unavailable without a GPU, or Numba's simulator of one
    return run(polygon_mask, vertices, shape, border_value, work_group, events)
