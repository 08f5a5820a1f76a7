"""The mask on an NVIDIA GPU by the scanline algorithm, with CuPy: scanline.opencl's kernel.

csrc/scanline.cl is one text for OpenCL C and CUDA C++. The host program has the steps of
opencl.pixels, and can leave the mask on the device. Names with the prefix `h_` refer to host
memory, names with `d_` to device memory.
"""

import cupy
import numpy as np

from ladder.devices import cuda as device
from ladder.devices import scanline_tiles
from ladder.devices.cuda_commands import command
from polymask import contract
from polymask.common.kernel_text import kernel_text

BLOCK = (8, 32)  # rows, and the threads that share a row: a warp
OPTIONS = "-std=c++17", "--fmad=false"  # no fused multiply-add: masks are equal to the bit


@device.once
def kernel():
    """Compile the kernel for the device."""
    device.check()
    module = cupy.RawModule(code=kernel_text("scanline.cl"), options=OPTIONS)
    return module.get_function("polygon_mask")


@device.or_unavailable
def leave_mask(vertices, shape, border_value=True, *, work_group=None, events=None):
    """Return the mask as a CuPy array, which stays on the device; see `make_mask`."""
    h_vertices, shape, border_value = contract.check(vertices, shape, border_value)
    height, width = device.check_work_group(work_group or BLOCK)
    tiles, groups, blocks, shared = scanline_tiles.tiles(shape, height, device.SHARED_BYTES)
    stream = cupy.cuda.Stream(ptds=True)  # the default stream of the calling thread
    with stream:  # CuPy's commands use this stream
        d_mask = cupy.empty(shape, np.uint8)
        with command("to_device", stream, events, cupy.cuda.Event):
            d_vertices = cupy.asarray(h_vertices)
        n, rows, cols = map(np.int64, (len(h_vertices), *shape))
        more = np.int32(blocks), np.int32(0)  # local memory is no argument in CUDA: see device.h
        arguments = d_vertices, n, np.int32(border_value), rows, cols, d_mask, *more
        with command("kernel", stream, events, cupy.cuda.Event):
            kernel()(device.grid(tiles, groups), (width, height), arguments, shared_mem=shared)
    stream.synchronize()
    return d_mask


@device.or_unavailable
def make_mask(vertices, shape, border_value=True, *, work_group=None, events=None):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`.

    `work_group` is (rows, threads that share a row); `events` is as in numba.gpu.
    """
    d_mask = leave_mask(vertices, shape, border_value, work_group=work_group, events=events)
    h_mask = np.empty(d_mask.shape, np.uint8)
    stream = cupy.cuda.Stream(ptds=True)
    with command("to_host", stream, events, cupy.cuda.Event):
        d_mask.get(stream, out=h_mask, blocking=False)
    stream.synchronize()
    return h_mask
