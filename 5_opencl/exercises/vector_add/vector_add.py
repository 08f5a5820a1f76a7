"""The sum of two vectors on an OpenCL device, from scratch.

Names with the prefix `h_` refer to host memory, names with `d_` to device memory.
"""

import numpy as np
import pyopencl as cl

from ladder.devices import opencl

GROUP = 64  # work items in a work-group

KERNEL = """
kernel void add(const int n, global const float *a, global const float *b, global float *sum)
{
    const int i = get_global_id(0);
    if (i < n)
        sum[i] = a[i] + b[i];
}
"""

# Step 1: create a context on a working device, and a queue of commands for it.
context = cl.Context([opencl.device()])
queue = cl.CommandQueue(context)


def add(h_a, h_b):
    """Return the sum of two float32 vectors of equal length, at least 1."""
    n = len(h_a)
    # Step 2: build the program for the device.
    kernel = cl.Program(context, KERNEL).build().add
    # Step 3: send the data.
    read_only, write_only = cl.mem_flags.READ_ONLY, cl.mem_flags.WRITE_ONLY
    d_a = cl.Buffer(context, read_only, h_a.nbytes)
    d_b = cl.Buffer(context, read_only, h_b.nbytes)
    d_sum = cl.Buffer(context, write_only, h_a.nbytes)
    cl.enqueue_copy(queue, d_a, h_a)
    cl.enqueue_copy(queue, d_b, h_b)
    # Step 4: launch the kernel in whole groups.
    global_size = -(-n // GROUP) * GROUP
    kernel(queue, (global_size,), (GROUP,), np.int32(n), d_a, d_b, d_sum)
    # Step 5: fetch the result.
    h_sum = np.empty_like(h_a)
    cl.enqueue_copy(queue, h_sum, d_sum)
    return h_sum
