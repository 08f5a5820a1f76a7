"""The mask on a SYCL device through dpctl: lesson 5's kernel, a queue, three kinds of memory.

In SYCL, a queue belongs to one device. Unified shared memory (USM) is allocated for a queue, and
addressed by plain pointers. The queue copies data to and from `device` memory; host and device can
both read and write `shared` and `host` memory. Commands are only queued at first: `sycl.recorded`
waits for them at the end of its block. Names with the prefix `h_` refer to host memory, names with
`d_` to USM.
"""

from ctypes import c_int, c_int64

import dpctl
import numpy as np
from dpctl.memory import MemoryUSMDevice, MemoryUSMHost, MemoryUSMShared
from dpctl.program import create_program_from_source

from ladder.devices import sycl
from polymask import contract
from polymask.common.kernel_text import kernel_text

MEMORY = {"device": MemoryUSMDevice, "shared": MemoryUSMShared, "host": MemoryUSMHost}


@sycl.once
def queue():
    """Return an in-order queue, where commands run one after the other, of a working device."""
    return dpctl.SyclQueue(sycl.device(), property=["in_order", "enable_profiling"])


@sycl.once
def kernel():
    """Build the kernel from csrc, which is OpenCL C, for the queue's device."""
    program = create_program_from_source(queue(), kernel_text("mask_bands.cl"))
    return program.get_sycl_kernel("polygon_mask")


@sycl.or_unavailable
def make_mask(vertices, shape, border_value=True, *, memory="device", events=None):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`.

    `memory` is the kind of memory, "device", "shared" or "host"; `events` is as in opencl.pixels.
    """
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    if memory not in [*MEMORY]:
        raise ValueError(f"memory must be one of {', '.join(MEMORY)}, got {memory!r}")
    if rows * cols == 0:
        return np.empty((rows, cols), dtype=np.uint8)  # zero bytes cannot be allocated
    h_vertices, n = vertices.reshape(-1).view(np.uint8), len(vertices)
    d_vertices = MEMORY[memory](h_vertices.nbytes, queue=queue())
    d_mask = MEMORY[memory](rows * cols, queue=queue())
    arguments = d_vertices, c_int64(n), c_int(border_value), c_int64(rows), c_int64(cols), d_mask

    def submit(left, top, width, height):
        # SYCL numbers dimensions from the slowest: id 0 of the kernel, x, is the last of the range.
        band = [*arguments, c_int64(left), c_int64(top)]
        return queue().submit_async(kernel(), band, [height, width])

    with sycl.recorded(events, queue()) as done:
        if memory == "device":
            mask = np.empty(rows * cols, dtype=np.uint8)
            done["to_device"] = queue().memcpy_async(d_vertices, h_vertices, h_vertices.nbytes)
            done["kernel"] = sycl.run(submit, rows, cols, n, events)
            done["to_host"] = queue().memcpy_async(mask, d_mask, mask.nbytes)
        else:  # the host can access the memory: nothing is copied
            mask = np.frombuffer(d_mask, np.uint8)  # a view, which keeps the memory alive
            np.frombuffer(d_vertices, np.uint8)[:] = h_vertices
            done["kernel"] = sycl.run(submit, rows, cols, n, events)
    return mask.reshape(rows, cols)
