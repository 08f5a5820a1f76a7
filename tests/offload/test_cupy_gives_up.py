"""A GPU that disappears under CuPy is an OffloadError, and the next call after its return works.

The GPU is a stand-in with the CuPy functions that the engine calls, in the host's memory.
"""

import contextlib
import ctypes
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from cases import folded

from polymask.offload import OffloadError
from polymask.offload.engines import cuda

GONE = "cudaErrorDevicesUnavailable: CUDA-capable device(s) is/are busy or unavailable"


class CUDARuntimeError(RuntimeError):
    """Like CuPy's own."""


class OutOfMemoryError(MemoryError):
    """Like CuPy's own."""


class GPU:
    """A stand-in for `cupy.cuda`: nothing works while `gone`, and it has no memory while `full`."""

    def __init__(self):
        self.gone = self.full = False
        self.memory = SimpleNamespace(OutOfMemoryError=OutOfMemoryError)
        copied = dict.fromkeys(("HostToDevice", "DeviceToHost", "DeviceToDevice"), 0)
        self.runtime = SimpleNamespace(
            getDeviceProperties=lambda _: {"multiProcessorCount": 1, "name": b"a stand-in"},
            memcpyAsync=self.copy,
            **{f"memcpy{kind}": number for kind, number in copied.items()},
        )

    def must_be_there(self, *_):
        if self.gone:
            raise CUDARuntimeError(GONE)

    def copy(self, to, origin, nbytes, _kind, _stream):
        self.must_be_there()
        ctypes.memmove(to, origin, nbytes)

    def Device(self, _number):  # noqa: N802, CuPy's name
        self.must_be_there()
        return contextlib.nullcontext()

    def Stream(self, non_blocking):  # noqa: N802, CuPy's name
        self.must_be_there()
        return SimpleNamespace(
            ptr=0,
            record=self.record,
            synchronize=self.must_be_there,
            wait_event=self.must_be_there,
        )

    def record(self):
        self.must_be_there()
        return SimpleNamespace(synchronize=self.must_be_there, done=True)

    def alloc(self, nbytes):
        self.must_be_there()
        if self.full:
            raise OutOfMemoryError(f"Out of memory allocating {nbytes} bytes")
        array = np.zeros(nbytes, np.uint8)
        return SimpleNamespace(array=array, ptr=array.ctypes.data, copy_from_host=self.copied_in)

    def copied_in(self, *_):
        self.must_be_there()


@pytest.fixture
def gpu(monkeypatch):
    module = ModuleType("cupy")
    module.__spec__ = ModuleSpec("cupy", None)
    module.cuda = GPU()
    monkeypatch.setitem(sys.modules, "cupy", module)
    return module.cuda


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
    "a snapshot": lambda engine, queue, ticket, array: engine.snapshot(array),
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
