"""Device memory and copies of bytes, as used by programs without arrays."""

import gc
import weakref

import numpy as np
import pytest
from cases import folded

from ladder import offload
from ladder.offload import handles

TOO_LARGE = 2**70


@folded("nbytes", [0, -1, -(2**70), TOO_LARGE])
def test_sizes_beyond_memory(stream, nbytes):
    with pytest.raises(ValueError, match=r"nbytes must be 1 or more"):
        stream.allocate_device_memory(nbytes)


def test_more_memory_than_there_is(stream, monkeypatch):
    """The driver of an OpenCL device need not fail: some allocate memory at its first use."""
    if stream.device.engine.name == "opencl":
        monkeypatch.setattr("pyopencl.Buffer", lambda *_: pytest.fail("the driver was called"))
    with pytest.raises(offload.OffloadError, match="memory"):
        stream.allocate_device_memory(2**60)
    stream.sync()


def test_alignments_that_are_none_or_that_a_device_has_not(stream):
    for alignment in (0, -64, 3, 100, TOO_LARGE):
        with pytest.raises(ValueError, match="alignment must be"):
            stream.allocate_device_memory(100, alignment=alignment)
    if stream.device.engine.name != "host":
        with pytest.raises(offload.OffloadError, match=r"1048576.*bytes"):
            stream.allocate_device_memory(100, alignment=2**20)


def test_memory_is_aligned(host):
    """The host has addresses; an OpenCL device has none."""
    stream = host.create_stream()
    for power in range(16):
        kept = [stream.allocate_device_memory(7, alignment=2**power) for _ in range(5)]
        for pointer in kept:
            assert stream.translate_device_pointer(pointer) % 2**power == 0
    kept = [stream.allocate_device_memory(size) for size in range(1, 100, 7)]
    assert {stream.translate_device_pointer(pointer) % 64 for pointer in kept} == {0}


def test_memory_goes_with_its_pointer_unless_it_is_sticky(stream):
    pointer = stream.allocate_device_memory(100)
    sticky = stream.allocate_device_memory(100, sticky=True)
    there, stays = weakref.ref(pointer), weakref.ref(sticky)
    before = len(handles._STICKY)
    del pointer, sticky
    gc.collect()
    assert there() is None
    assert stays() is not None
    stream.deallocate_device_memory(stays())
    gc.collect()
    assert stays() is None
    assert len(handles._STICKY) == before - 1


def test_freeing_twice_is_an_error(stream):
    pointer = stream.allocate_device_memory(8)
    stream.deallocate_device_memory(pointer)
    with pytest.raises(offload.OffloadError, match="has been freed"):
        stream.deallocate_device_memory(pointer)


# Copies


def test_within_one_memory(stream):
    a = np.arange(8, dtype=np.uint8)
    pointer = stream.allocate_device_memory(8)
    stream.transfer_host2device(a.ctypes.data, pointer, 8)
    stream.transfer_device2device(pointer, pointer, 4, 0, 4)
    stream.transfer_device2host(pointer, a.ctypes.data, 8)
    stream.sync()
    assert a.tolist() == [0, 1, 2, 3, 0, 1, 2, 3]
    for source, destination in ((0, 0), (0, 3), (3, 0)):
        with pytest.raises(ValueError, match=r"4 bytes .* overlap"):
            stream.transfer_device2device(pointer, pointer, 4, source, destination)


@pytest.fixture
def copies(stream):
    """Functions for each kind of copy of 64 bytes, which take its numbers."""
    a = np.zeros(8)
    one, two = (stream.allocate_device_memory(64) for _ in range(2))
    data = a.ctypes.data

    def host2device(nbytes, offset=0, device_ptr=one, host_ptr=data, **options):
        stream.transfer_host2device(host_ptr, device_ptr, nbytes, offset_device=offset, **options)

    def device2host(nbytes, offset=0, device_ptr=one, host_ptr=data, **options):
        stream.transfer_device2host(device_ptr, host_ptr, nbytes, offset_device=offset, **options)

    def device2device(nbytes, offset=0, device_ptr=one, **options):
        stream.transfer_device2device(two, device_ptr, nbytes, offset_device_dst=offset, **options)

    def device2device_from(nbytes, offset=0, device_ptr=one, **options):
        stream.transfer_device2device(device_ptr, two, nbytes, offset_device_src=offset, **options)

    made = [host2device, device2host, device2device, device2device_from]
    yield made
    stream.sync()
    assert a.tolist() == [0] * 8


def test_numbers_that_are_refused(copies):
    for copy in copies:
        for nbytes in (0, -8, TOO_LARGE, -TOO_LARGE):
            with pytest.raises(ValueError, match="nbytes must be 1 or more"):
                copy(nbytes)
        for offset in (-1, -TOO_LARGE, TOO_LARGE):
            with pytest.raises(ValueError, match=r"offset_device\w* must be 0 or more"):
                copy(8, offset)
        for nbytes, offset in ((65, 0), (8, 57), (1, 64), (8, 2**62), (2**62, 0)):
            with pytest.raises(ValueError, match="beyond the 64 bytes that were allocated"):
                copy(nbytes, offset)
        for number in (8.5, "8", None, float("nan"), float("inf"), 1j):
            with pytest.raises(TypeError, match="integer"):
                copy(number)
            with pytest.raises(TypeError, match="integer"):
                copy(8, number)


@folded(
    ("options", "error"),
    [
        ({"offset_host": -1}, ValueError),
        ({"offset_host": TOO_LARGE}, ValueError),
        ({"offset_host": 0.5}, TypeError),
        ({"host_ptr": None}, ValueError),
        ({"host_ptr": 0}, ValueError),
        ({"host_ptr": TOO_LARGE}, ValueError),
        ({"host_ptr": "address"}, TypeError),
    ],
)
def test_addresses_and_offsets_of_the_host_that_are_refused(copies, options, error):
    for copy in copies[:2]:
        with pytest.raises(error):
            copy(8, **options)


@folded("wrong", ["nothing", "a number", "freed", "elsewhere"])
def test_memory_of_another_device_is_refused(copies, stream, another, wrong):
    freed = stream.allocate_device_memory(64)
    stream.deallocate_device_memory(freed)
    elsewhere = another.create_stream().allocate_device_memory(64)
    no_pointer = ValueError, "from allocate_device_memory"
    pointer, error, words = {
        "nothing": (None, *no_pointer),
        "a number": (12345, *no_pointer),
        "freed": (freed, offload.OffloadError, "has been freed"),
        "elsewhere": (elsewhere, offload.OffloadError, f"is of {another}, not of {stream.device}"),
    }[wrong]
    for copy in copies:
        with pytest.raises(error, match=words):
            copy(8, device_ptr=pointer)
    if pointer is not None:  # whose address is 0
        with pytest.raises(error, match=words):
            stream.translate_device_pointer(pointer)


@pytest.mark.slow
@pytest.mark.usefixtures("late_copies")
def test_what_a_copy_is_to_keep_lives_until_it_is_done(stream, gate):
    """In both directions, an array of which only the address is known elsewhere."""
    pointer = stream.allocate_device_memory(80)
    gate.close(stream)
    a, b = np.arange(10.0), np.zeros(10)
    there = [weakref.ref(a), weakref.ref(b)]
    stream.transfer_host2device(a.ctypes.data, pointer, 80, keep=a)
    stream.transfer_device2host(pointer, b.ctypes.data, 80, keep=b)
    del a
    gc.collect()
    assert there[0]() is not None
    gate.open()
    stream.sync()
    assert b.tolist() == list(range(10))
    del b
    gc.collect()
    assert [one() for one in there] == [None, None]


# Addresses on the device


def test_the_kernel_sees_the_translated_address(device, stream, source):
    if device.engine.name == "opencl":
        pytest.skip("an OpenCL device tells no addresses")
    text = "PYMIC_KERNEL void where(uint64_t *a) { PYMIC_FOR(i, 1) a[i] = (uint64_t)a; }\n"
    bound = stream.zeros(1, np.uint64)
    stream.invoke(device.load_library(source(text)).where, bound)
    bound.update_host()
    stream.sync()
    assert int(bound.array[0]) == stream.translate_device_pointer(bound.pointer)
