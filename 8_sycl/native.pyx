# cython: boundscheck=False, wraparound=False
"""The mask on a SYCL device, submitted by compiled code: the queue and the memory are from Python.

dpctl's objects wrap C structures, and its library has C functions for everything that its Python
interface can do. An ordinary compiler can therefore compile this module, which contains no SYCL.

Compiled code converts the arguments and submits the kernel some 9 µs faster than sycl.kernel, with
the same kind of memory. For an image of 1024 x 1024 pixels, this is 0.2 % of the call.
"""

from functools import partial

import dpctl
import numpy as np

from libc.stdint cimport int64_t

from dpctl._backend cimport DPCTLQueue_SubmitRange, _arg_data_type
from dpctl._sycl_event cimport SyclEvent
from dpctl._sycl_queue cimport SyclQueue
from dpctl.memory._memory cimport MemoryUSMShared
from dpctl.program._program cimport SyclKernel

from polymask import contract
from ladder.devices import sycl
from ladder.sycl import kernel as sycl_kernel


def submit(SyclQueue queue, SyclKernel kernel, MemoryUSMShared vertices, int64_t n, int border,
           int64_t rows, int64_t cols, MemoryUSMShared mask,
           int64_t left, int64_t top, size_t width, size_t height):
    """Submit the kernel and return its event. The memory must stay alive until the kernel ends."""
    cdef void **arguments = [
        <void *>vertices.get_data_ptr(), <void *>&n, <void *>&border, <void *>&rows,
        <void *>&cols, <void *>mask.get_data_ptr(), <void *>&left, <void *>&top]
    cdef _arg_data_type pointer = _arg_data_type._VOID_PTR, long_ = _arg_data_type._INT64_T
    cdef _arg_data_type *types = [
        pointer, long_, _arg_data_type._INT32_T, long_, long_, pointer, long_, long_]
    # The call copies the numbers, so that addresses of local variables are enough.
    cdef size_t *items = [height, width, 1]  # in SYCL's order, y and x
    event = DPCTLQueue_SubmitRange(
        kernel.get_kernel_ref(), queue.get_queue_ref(), arguments, types, 8, items, 2, NULL, 0)
    if event is NULL:
        raise dpctl.SyclKernelSubmitError("the queue rejected the kernel")
    return SyclEvent._create(event)


@sycl.or_unavailable
def make_mask(vertices, shape, border_value=True, *, events=None):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask` and sycl.kernel."""
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    if rows * cols == 0:
        return np.empty((rows, cols), dtype=np.uint8)
    queue = sycl_kernel.queue()
    d_vertices = MemoryUSMShared(vertices.nbytes, queue=queue)
    d_mask = MemoryUSMShared(rows * cols, queue=queue)
    np.frombuffer(d_vertices)[:] = vertices.reshape(-1)
    arguments = sycl_kernel.kernel(), d_vertices, len(vertices), border_value, rows, cols, d_mask
    with sycl.recorded(events, queue) as done:
        done["kernel"] = sycl.run(
            partial(submit, queue, *arguments), rows, cols, len(vertices), events)
    return np.frombuffer(d_mask, np.uint8).reshape(rows, cols)
