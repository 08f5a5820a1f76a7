"""A pipeline: the host prepares the next frame while a kernel works on the previous one."""

from ctypes import c_int

import numpy as np
from dpctl.memory import MemoryUSMShared
from dpctl.program import create_program_from_source

TEXT = """
kernel void brighten(const int by, global int *frame)
{
    frame[get_global_id(0)] += by;
}
"""


def brightened(queue, prepare, n, size, by):
    """Return n results, int32 arrays: frame i is `prepare(i)`, of that size, and the kernel adds.

    `prepare` is work of the host. The device computes frame i - 1 during `prepare(i)`.
    """
    kernel = create_program_from_source(queue, TEXT).get_sycl_kernel("brighten")
    memory = MemoryUSMShared(4 * size, queue=queue)
    view = np.frombuffer(memory, np.int32)  # the same bytes, for the host
    results, event = [], None
    for i in range(n):
        frame = prepare(i)
        if i > 0:
            event.wait()
            results.append(view.copy())
        view[:] = frame
        event = queue.submit_async(kernel, [c_int(by), memory], [size])
    event.wait()
    results.append(view.copy())
    return results
