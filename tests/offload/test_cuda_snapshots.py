"""Scalars that `invoke` sends to a GPU, a stand-in: no call waits for a running kernel."""

import ctypes

import numpy as np

from ladder.offload import OffloadDevice
from ladder.offload.engines import cuda, cuda_snapshots
from ladder.offload.library import Kernel


def started():
    """Return a device and a stream of the stand-in."""
    device = OffloadDevice(0, cuda.CUDA(0))
    return device, device.create_stream()


def test_a_scalar_needs_no_call_that_may_wait(gpu):
    device, stream = started()
    values = []

    def note(pointer):
        values.append(ctypes.c_int64.from_address(pointer).value)

    kernel = Kernel("note", gpu.kernel(note), device, None)
    gpu.asleep = True
    gpu.calls.clear()
    for number in range(3):
        stream.invoke(kernel, number)
    assert gpu.calls == ["memcpyAsync", "record", "launch", "record"] * 3
    assert values == []
    stream.sync()
    assert values == [0, 1, 2]


def test_a_block_is_used_again_after_its_kernel_and_no_earlier(gpu, monkeypatch):
    monkeypatch.setattr(cuda_snapshots, "BLOCKS", 2)
    device, stream = started()
    addresses = []
    kernel = Kernel("note", gpu.kernel(addresses.append), device, None)
    gpu.asleep = True
    gpu.calls.clear()
    for number in range(4):
        stream.invoke(kernel, number)
    assert gpu.calls.count("alloc") == 2  # more blocks, on both sides
    stream.sync()
    for number in range(4):
        stream.invoke(kernel, number)
    stream.sync()
    assert gpu.calls.count("alloc") == 2
    assert len(set(addresses[:4])) == 4
    assert set(addresses) == set(addresses[:4])


def test_the_largest_scalar_fits_a_block():
    largest = max(np.dtype(code).itemsize for code in "?bhilqpBHILQPefdgFDG")
    assert largest <= cuda_snapshots.BLOCK_BYTES
