"""A launch through dpctl: one work item for each pixel, and a reversed range."""

from ctypes import c_long

import dpctl
import numpy as np
from dpctl.memory import MemoryUSMShared
from dpctl.program import create_program_from_source

from ladder.devices import sycl

# OpenCL C, as in lesson 5: dimension 0 is x, the column.
TEXT = """
kernel void number(const long rows, const long cols, const long first, global int *out)
{
    const long x = get_global_id(0), y = get_global_id(1);
    if (x < cols && y < rows)
        out[y * cols + x] = first + 1000 * y + x;
}
"""

queue = dpctl.SyclQueue(sycl.device())


def numbered(rows, cols, first):
    """Return an int32 image whose pixel (x, y) is first + 1000 y + x, from the kernel above."""
    kernel = create_program_from_source(queue, TEXT).get_sycl_kernel("number")
    memory = MemoryUSMShared(4 * rows * cols, queue=queue)
    image = np.frombuffer(memory, np.int32).reshape(rows, cols)
    image[:] = -1  # the value of pixels that no work item writes
    arguments = [c_long(rows), c_long(cols), c_long(first), memory]
    queue.submit(kernel, arguments, [rows, cols])
    return image.copy()


def untouched(rows, cols):
    """Return the number of pixels that no work item would write if the range were [cols, rows]."""
    return rows * cols - min(rows, cols) ** 2
