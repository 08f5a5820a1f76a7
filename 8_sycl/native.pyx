# cython: boundscheck=False, wraparound=False
"""The mask on a SYCL device, submitted in compiled code: a queue and memory come from Python.

dpctl's objects have C structures behind them, and its library has functions of C for all that
Python can do. So the ordinary compiler makes this module: SYCL itself stays in that library.
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
from polymask.devices import sycl
from polymask.sycl import kernel as before


def submit(SyclQueue queue, SyclKernel kernel, MemoryUSMShared vertices, int64_t n, int border,
           int64_t rows, int64_t cols, MemoryUSMShared mask, first, size):
    """Put the kernel into the queue; return its event. The memory has to live until it is done."""
    cdef int64_t left = first[0], top = first[1]
    cdef void **arguments = [
        <void *>vertices.get_data_ptr(), <void *>&n, <void *>&border, <void *>&rows,
        <void *>&cols, <void *>mask.get_data_ptr(), <void *>&left, <void *>&top]
    cdef _arg_data_type pointer = _arg_data_type._VOID_PTR, long_ = _arg_data_type._INT64_T
    cdef _arg_data_type *types = [
        pointer, long_, _arg_data_type._INT32_T, long_, long_, pointer, long_, long_]
    cdef size_t *items = [size[1], size[0], 1]  # SYCL's order: the last one is x
    event = DPCTLQueue_SubmitRange(
        kernel.get_kernel_ref(), queue.get_queue_ref(), arguments, types, 8, items, 2, NULL, 0)
    if event is NULL:
        raise dpctl.SyclKernelSubmitError("the queue takes no kernel")
    return SyclEvent._create(event)


@sycl.or_unavailable
def make_mask(vertices, shape, border_value=True, *, events=None):
    """Mask of a polygon; see `polymask.python.tuples.make_mask`. For `events` see sycl.kernel."""
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    if rows * cols == 0:
        return np.empty((rows, cols), dtype=np.uint8)
    queue = before.queue()
    d_vertices = MemoryUSMShared(vertices.nbytes, queue=queue)
    d_mask = MemoryUSMShared(rows * cols, queue=queue)
    np.frombuffer(d_vertices)[:] = vertices.reshape(-1)
    given = before.kernel(), d_vertices, len(vertices), border_value, rows, cols, d_mask
    with sycl.settled(queue):
        done = before.launch(partial(submit, queue, *given), rows, cols, len(vertices), events)
        sycl.finish(done)
    if events is not None:
        events["kernel"] = done
    return np.frombuffer(d_mask, np.uint8).reshape(rows, cols)
