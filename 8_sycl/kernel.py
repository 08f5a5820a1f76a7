"""The mask on a SYCL device, through dpctl: lesson 5's kernel, a queue, and memory of three kinds.

In SYCL a queue says where: it belongs to one device, and memory is allocated for a queue. Unified
shared memory (USM) is addressed by plain pointers, on the host as on the device; `device` memory
is copied from and to by the queue, `shared` and `host` memory is read and written by both.
"""

from ctypes import c_int, c_int64
from importlib import resources

import dpctl
import numpy as np
from dpctl.memory import MemoryUSMDevice, MemoryUSMHost, MemoryUSMShared
from dpctl.program import create_program_from_source

from polymask import contract
from polymask.devices import sycl

MEMORY = {"device": MemoryUSMDevice, "shared": MemoryUSMShared, "host": MemoryUSMHost}


@sycl.once
def queue():
    """The queue of a device that works. In order: each command waits for the one before it."""
    return dpctl.SyclQueue(sycl.device(), property=["in_order", "enable_profiling"])


@sycl.once
def kernel():
    """The kernel of csrc, built for the queue's device from the text of OpenCL C.

    A launch of dpctl has no offset, so the kernel has two more arguments: the column and the row
    with which it begins.
    """
    csrc = resources.files("polymask.csrc")
    rule = (csrc / "inside_polygon.h").read_text()
    text = (csrc / "mask.cl").read_text().replace('#include "inside_polygon.h"', rule)
    text = text.replace("global uchar *mask", "global uchar *mask, const long left, const long top")
    text = text.replace("x = get_global_id(0)", "x = left + get_global_id(0)")
    text = text.replace("y = get_global_id(1)", "y = top + get_global_id(1)")
    return create_program_from_source(queue(), text).get_sycl_kernel("polygon_mask")


def launch(submit, rows, cols, n, events):
    """Launch the kernel by `submit(first, size)`, (columns, rows) each; return its event.

    No device stops a kernel that it has begun. One that would run long is launched in bands of
    rows, or of columns of a long row, and Python hears Ctrl-C between two of them.
    """
    last = None
    work = 1 if events is not None else rows * cols * n  # whole, one event tells all of its time
    for first, size in sycl.bands((cols, rows), (1, 1), work):
        before, last = last, submit(first, size)
        if before:
            sycl.finish(before)  # the next is in the queue by then: the device need not wait
    return last


@sycl.or_unavailable
def make_mask(vertices, shape, border_value=True, *, memory="device", events=None):
    """Mask of a polygon; see `polymask.python.tuples.make_mask`.

    One option: the kind of `memory`, "device", "shared" or "host". A dict `events` receives those
    of the commands, of which a profiler reads the device's clock.
    """
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    if memory not in [*MEMORY]:
        raise ValueError(f"memory is {', '.join(MEMORY)}, got {memory!r}")
    if rows * cols == 0:
        return np.empty((rows, cols), dtype=np.uint8)  # there is no memory of zero bytes
    h_vertices = vertices.reshape(-1).view(np.uint8)
    d_vertices = MEMORY[memory](h_vertices.nbytes, queue=queue())
    d_mask = MEMORY[memory](rows * cols, queue=queue())
    arguments = [d_vertices, c_int64(len(vertices)), c_int(border_value), c_int64(rows),
                 c_int64(cols), d_mask]  # fmt: skip

    def submit(first, size):
        (left, top), (width, height) = first, size
        # SYCL counts dimensions from the slowest: id 0 of the kernel, x, is the last of the range.
        return queue().submit_async(
            kernel(), [*arguments, c_int64(left), c_int64(top)], [height, width]
        )

    done = {}
    with sycl.settled(queue()):
        if memory == "device":
            done["to_device"] = queue().memcpy_async(d_vertices, h_vertices, h_vertices.nbytes)
        else:
            np.frombuffer(d_vertices, np.uint8)[:] = h_vertices  # nothing is passed to the device
        done["kernel"] = launch(submit, rows, cols, len(vertices), events)
        if memory == "device":
            mask = np.empty(rows * cols, dtype=np.uint8)
            done["to_host"] = queue().memcpy_async(mask, d_mask, mask.nbytes)
        else:
            mask = np.frombuffer(d_mask, np.uint8)  # the array is the device's memory, and keeps it
        sycl.finish(*done.values())
    if events is not None:
        events |= done
    return mask.reshape(rows, cols)
