# cython: boundscheck=False, wraparound=False
"""The mask on a SYCL device, submitted in compiled code: a queue and memory come from Python.

dpctl's objects have C structures behind them, and its library has functions of C for all that
Python can do. So the ordinary compiler makes this module: SYCL itself stays in that library.
"""

import numpy as np

from libc.stdint cimport int64_t

from dpctl._backend cimport DPCTLQueue_SubmitRange, _arg_data_type
from dpctl._sycl_event cimport SyclEvent
from dpctl._sycl_queue cimport SyclQueue
from dpctl.memory._memory cimport MemoryUSMShared
from dpctl.program._program cimport SyclKernel

from polymask import contract
from polymask.sycl import kernel as before


def submit(SyclQueue queue, SyclKernel kernel, MemoryUSMShared vertices, int64_t n, int border,
           int64_t rows, int64_t cols, MemoryUSMShared mask):
    """Put the kernel into the queue; return its event. The memory has to live until it is done."""
    cdef void **arguments = [<void *>vertices.get_data_ptr(), <void *>&n, <void *>&border,
                             <void *>&rows, <void *>&cols, <void *>mask.get_data_ptr()]
    cdef _arg_data_type *types = [
        _arg_data_type._VOID_PTR, _arg_data_type._INT64_T, _arg_data_type._INT32_T,
        _arg_data_type._INT64_T, _arg_data_type._INT64_T, _arg_data_type._VOID_PTR]
    cdef size_t *size = [rows, cols, 1]  # SYCL's order: the last one is x
    return SyclEvent._create(DPCTLQueue_SubmitRange(
        kernel.get_kernel_ref(), queue.get_queue_ref(), arguments, types, 6, size, 2, NULL, 0))


def make_mask(vertices, shape, border_value=True, *, events=None):
    """Mask of a polygon; see `polymask.python.tuples.make_mask`. For `events` see sycl.kernel."""
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    if rows * cols == 0:
        return np.empty((rows, cols), dtype=np.uint8)
    queue = before.queue()
    d_vertices = MemoryUSMShared(vertices.nbytes, queue=queue)
    d_mask = MemoryUSMShared(rows * cols, queue=queue)
    np.frombuffer(d_vertices)[:] = vertices.reshape(-1)
    done = submit(queue, before.kernel(), d_vertices, len(vertices), border_value, rows, cols, d_mask)
    done.wait()
    if events is not None:
        events["kernel"] = done
    return np.frombuffer(d_mask, np.uint8).reshape(rows, cols)
