"""A GPU that disappears under CuPy is an OffloadError, and the next call after its return works."""

import numpy as np
import pytest
from cases import folded

from ladder.offload import OffloadError
from ladder.offload.engines import cuda


def back_and_forth(engine, queue):
    """Copy an array to the device and back, which needs a working device."""
    sent, got = np.arange(8.0), np.zeros(8)
    memory = engine.allocate(sent.nbytes, 8)
    queue.copy_in(sent.ctypes.data, memory, sent.nbytes, 0, 0)
    queue.copy_out(memory, got.ctypes.data, sent.nbytes, 0, 0)
    queue.sync()
    np.testing.assert_array_equal(got, sent)


CALLS = {
    "a queue": lambda engine, queue, ticket, array: engine.queue(),
    "memory": lambda engine, queue, ticket, array: engine.allocate(8, 1),
    "a snapshot": lambda engine, queue, ticket, array: queue.snapshot(array[:1]),
    "a mark": lambda engine, queue, ticket, array: queue.mark(),
    "a wait for another stream": lambda engine, queue, ticket, array: queue.wait(ticket),
    "a wait": lambda engine, queue, ticket, array: ticket.wait(),
    "a sync": lambda engine, queue, ticket, array: queue.sync(),
    "copies": lambda engine, queue, ticket, array: back_and_forth(engine, queue),
}


@folded("call", CALLS)
def test_what_meets_a_gpu_that_is_gone_is_told_and_the_next_call_works(gpu, call):
    engine = cuda.CUDA(0)
    queue = engine.queue()
    back_and_forth(engine, queue)
    ticket = queue.mark()
    gpu.gone = True
    with pytest.raises(OffloadError, match=r"failed.*cudaErrorDevicesUnavailable"):
        CALLS[call](engine, queue, ticket, np.arange(8.0))
    gpu.gone = False
    back_and_forth(engine, queue)


def test_a_gpu_without_memory_says_so_and_the_next_call_works(gpu):
    engine = cuda.CUDA(0)
    queue = engine.queue()
    gpu.full = True
    with pytest.raises(OffloadError, match=r"device.*memory"):
        back_and_forth(engine, queue)
    gpu.full = False
    back_and_forth(engine, queue)
