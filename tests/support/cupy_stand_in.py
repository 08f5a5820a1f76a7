"""A stand-in for `cupy.cuda` in the host's memory, with the functions that the engine calls."""

import ctypes
from types import SimpleNamespace

import numpy as np

GONE = "cudaErrorDevicesUnavailable: CUDA-capable device(s) is/are busy or unavailable"


class CUDARuntimeError(RuntimeError):
    """Like CuPy's own."""


class OutOfMemoryError(MemoryError):
    """Like CuPy's own."""


class Manager:
    """An object for `with`."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


class Stream(Manager):
    """A stream of the GPU, whose commands run at once unless the GPU is asleep."""

    ptr = 0

    def __init__(self, gpu):
        self.gpu, self.synchronize = gpu, gpu.wait

    def record(self):
        event = SimpleNamespace(done=False, synchronize=self.gpu.wait)
        self.gpu.put("record", vars(event).update, {"done": True})
        return event

    def wait_event(self, _event):
        self.gpu.put("wait_event", lambda: None)


class GPU:
    """A GPU: nothing works while `gone`, it has no memory while `full`, runs nothing if `asleep`.

    `calls` has the names of the calls.
    """

    def __init__(self):
        self.gone = self.full = self.asleep = False
        self.calls, self.pending = [], []
        self.memory = SimpleNamespace(OutOfMemoryError=OutOfMemoryError)
        kinds = dict.fromkeys(("HostToDevice", "DeviceToHost", "DeviceToDevice"), 0)
        self.runtime = SimpleNamespace(
            getDeviceProperties=lambda _: {"multiProcessorCount": 1, "name": b"a stand-in"},
            memcpyAsync=self.copy,
            **{f"memcpy{kind}": number for kind, number in kinds.items()},
        )

    def put(self, name, command, *arguments):
        """Run a command, or keep it until `wait`."""
        self.must_be_there()
        self.calls.append(name)
        self.pending.append((command, arguments))
        if not self.asleep:
            self.run()

    def run(self):
        while self.pending:
            command, arguments = self.pending.pop(0)
            command(*arguments)

    def wait(self):
        self.must_be_there()
        self.calls.append("wait")
        self.run()

    def must_be_there(self):
        if self.gone:
            raise CUDARuntimeError(GONE)

    def copy(self, to, origin, nbytes, _kind, _stream):
        self.put("memcpyAsync", ctypes.memmove, to, origin, nbytes)

    def kernel(self, function):
        """Return a kernel, which calls a function with the addresses of its arguments."""
        return lambda _grid, _block, pointers: self.put("launch", function, *map(int, pointers))

    def Device(self, _number):  # noqa: N802, CuPy's name
        self.must_be_there()
        return Manager()

    def Stream(self, non_blocking):  # noqa: N802, CuPy's name
        self.must_be_there()
        return Stream(self)

    def alloc(self, nbytes):
        self.must_be_there()
        self.calls.append("alloc")
        if self.full:
            raise OutOfMemoryError(f"Out of memory allocating {nbytes} bytes")
        array = np.zeros(nbytes, np.uint8)
        return SimpleNamespace(array=array, mem=array, ptr=array.ctypes.data)

    def alloc_pinned_memory(self, nbytes):
        return self.alloc(nbytes)
