"""Memory, devices, streams and events of the stand-in, under CuPy's names."""

import ctypes
import itertools
import threading
import time
import weakref
from types import SimpleNamespace

import numpy as np

RED_ZONE, ALIGNMENT, GARBAGE = 512, 512, 0xA5
SHARED_MEMORY = 48 << 10  # bytes of a block, unless a kernel asks for more
LIMITS = SimpleNamespace(devices=1, nbytes=4 << 30)  # a test may set them


class CUDARuntimeError(RuntimeError):
    """Like CuPy's own."""


class OutOfMemoryError(MemoryError):
    """Like CuPy's own."""


addresses = itertools.count(0x1000)  # of streams
living = weakref.WeakSet()  # the memories in use
lock = threading.Lock()  # of that set


class Memory:
    """Memory of the current device, between two red zones."""

    def __init__(self, size):
        if Pool().used_bytes() + size > LIMITS.nbytes:
            raise OutOfMemoryError(f"Out of memory allocating {size:,} bytes")
        self.bytes = np.full(size + 2 * RED_ZONE + ALIGNMENT, GARBAGE, np.uint8)
        self.begin = RED_ZONE + -(self.bytes.ctypes.data + RED_ZONE) % ALIGNMENT
        self.ptr, self.size = self.bytes.ctypes.data + self.begin, size
        self.device_id = Device().id
        with lock:
            living.add(self)

    def intact(self):
        """Return whether nothing has been written to the red zones."""
        zones = self.bytes[: self.begin], self.bytes[self.begin + self.size :]
        return all((zone == GARBAGE).all() for zone in zones)


def in_use():
    """Return the memories in use, which other threads may change meanwhile."""
    with lock:
        return list(living)


class Pool:
    """The memories in use."""

    def used_bytes(self):
        return sum(memory.size for memory in in_use())

    def free_all_blocks(self, stream=None):
        pass


class UnownedMemory:
    """Memory that another object keeps alive."""

    def __init__(self, ptr, size, owner, device_id=0):
        self.ptr, self.size, self.device_id, self.owner = ptr, size, device_id, owner


class MemoryPointer:
    """An address in a memory."""

    def __init__(self, mem, offset):
        self.mem, self.ptr, self.device_id = mem, mem.ptr + offset, mem.device_id

    def copy_from_host(self, mem, size):
        ctypes.memmove(self.ptr, mem, size)

    def memset_async(self, value, size, stream=None):
        ctypes.memset(self.ptr, value, size)


def alloc(size):
    return MemoryPointer(Memory(size), 0)


def alloc_pinned_memory(size):
    memory = ctypes.create_string_buffer(size)
    return SimpleNamespace(ptr=ctypes.addressof(memory), memory=memory)


def at(owner, interface):
    """Return an array of NumPy's in the memory that an array interface describes."""
    keys = ("shape", "typestr", "data", "strides")
    described = {key: interface.get(key) for key in keys} | {"version": 3}
    return np.asarray(SimpleNamespace(__array_interface__=described, owner=owner))


def attributes(ptr):
    """Like pointerGetAttributes: type 2 is a device's memory, 0 is the host's."""
    for memory in in_use():
        if memory.ptr <= ptr < memory.ptr + memory.size:
            return SimpleNamespace(type=2, device=memory.device_id, devicePointer=ptr)
    return SimpleNamespace(type=0, device=-2, devicePointer=0)


class Current(threading.local):
    """The devices and streams that were entered, the current ones last."""

    def __init__(self):
        self.devices, self.streams = [0], [Stream.null]


class Device:
    """A device, or the current device."""

    def __init__(self, device=None):
        self.id = current.devices[-1] if device is None else int(device)

    def __enter__(self):
        if not 0 <= self.id < LIMITS.devices:
            raise CUDARuntimeError("cudaErrorInvalidDevice: invalid device ordinal")
        current.devices.append(self.id)
        return self

    def __exit__(self, *_):
        current.devices.pop()


class Event:
    """A time."""

    done = True

    def __init__(self, block=False, disable_timing=False, interprocess=False):
        self.time = None

    def record(self, stream=None):
        self.time = time.perf_counter()

    def synchronize(self):
        pass


class ExternalStream:
    """A stream with the address of another library's."""

    done = True

    def __init__(self, ptr, device_id=-1):
        self.ptr, self.device_id = ptr, Device().id if device_id < 0 else device_id

    def __enter__(self):
        current.streams.append(self)
        return self

    def __exit__(self, *_):
        current.streams.pop()

    def __cuda_stream__(self):
        return 0, self.ptr

    def record(self, event=None):
        event = event or Event()
        event.record(self)
        return event

    def synchronize(self):
        pass

    def wait_event(self, event):
        pass


class Stream(ExternalStream):
    """A stream with an address of its own, or the default stream."""

    def __init__(self, null=False, non_blocking=False, ptds=False, priority=None):
        super().__init__(0 if null else next(addresses), 0 if null else -1)


Stream.null = Stream(null=True)
current = Current()


def properties(device):
    """Return some of the device's properties, with CUDA's names."""
    names = {"name": b"PoCL as a GPU", "major": 9, "minor": 0, "warpSize": 32}
    sizes = {"sharedMemPerBlock": SHARED_MEMORY, "sharedMemPerBlockOptin": 227 << 10}
    limits = {"multiProcessorCount": 4, "maxThreadsPerBlock": 1024, "totalGlobalMem": LIMITS.nbytes}
    return names | sizes | limits


def copy(dst, src, size, kind, stream=None):
    ctypes.memmove(dst, src, size)


KINDS = ("HostToHost", "HostToDevice", "DeviceToHost", "DeviceToDevice", "Default")
runtime = SimpleNamespace(
    driverGetVersion=lambda: 13000,
    getDevice=lambda: Device().id,
    getDeviceCount=lambda: LIMITS.devices,
    getDeviceProperties=properties,
    memcpyAsync=copy,
    pointerGetAttributes=attributes,
    **{f"memcpy{kind}": number for number, kind in enumerate(KINDS)},
)
