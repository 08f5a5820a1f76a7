"""The engine for NVIDIA's GPUs, with CuPy: its memory pool, its streams, and NVRTC for kernels.

CuPy is imported on demand. Freed memory returns to its pool, in the order of the stream.
"""

import contextlib
import math
import time

import numpy as np

from ladder.devices import Device
from ladder.offload.engines import source
from ladder.offload.engines.cuda_snapshots import Snapshot, Snapshots
from ladder.offload.engines.waiting import interruptibly
from polymask.common.errors import OffloadError
from polymask.contract import Unavailable
from polymask.cuda.cupy_library import cupy

BLOCK, BLOCKS_PER_UNIT = 256, 32  # threads; the defaults
OPTIONS = ("-std=c++17", "--fmad=false")  # no fused multiply-add: masks are equal to the bit


@contextlib.contextmanager
def offload_errors():
    """Convert CuPy's errors, such as those of a GPU that is gone, to `OffloadError`s."""
    try:
        yield
    except OffloadError:
        raise
    except RuntimeError as error:  # CuPy's are RuntimeErrors
        raise OffloadError(f"the device failed: {error}") from error


class Ticket:
    """A command in a stream."""

    def __init__(self, began, ended, queued, first):
        self.began, self.ended, self.queued, self.first = began, ended, queued, first

    def done(self):
        return self.ended.done

    def wait(self):
        with offload_errors():
            interruptibly(self.ended.synchronize)

    def times(self):
        """Return the times, computed from the distances of events to the stream's first event."""
        since, event = self.first
        elapsed = cupy().cuda.get_elapsed_time  # milliseconds
        return (
            self.queued,
            since + 1e-3 * elapsed(event, self.began),
            since + 1e-3 * elapsed(event, self.ended),
        )


class Queue:
    """A stream's commands."""

    def __init__(self, engine):
        self.engine, self.cuda, self.failed = engine, cupy().cuda, None
        with offload_errors(), self.cuda.Device(engine.number):
            self.stream = self.cuda.Stream(non_blocking=True)
            first = self.stream.record()
            first.synchronize()
            self.snapshots = Snapshots(engine, self.cuda)
        self.first = time.perf_counter(), first

    def put(self, command, *arguments):
        """Put a command into the stream, and return its ticket; `sync` raises a failure."""
        queued = time.perf_counter()
        with offload_errors(), self.cuda.Device(self.engine.number):
            began = self.stream.record()
            try:
                command(*arguments)
            except (RuntimeError, ValueError) as error:
                self.failed = self.failed or str(error)
            return Ticket(began, self.stream.record(), queued, self.first)

    def move(self, destination, origin, nbytes, kind):
        runtime = self.cuda.runtime
        kind = getattr(runtime, f"memcpy{kind}")
        return self.put(runtime.memcpyAsync, destination, origin, nbytes, kind, self.stream.ptr)

    def copy_in(self, host, memory, nbytes, offset_host, offset_device):
        return self.move(memory.ptr + offset_device, host + offset_host, nbytes, "HostToDevice")

    def copy_out(self, memory, host, nbytes, offset_device, offset_host):
        return self.move(host + offset_host, memory.ptr + offset_device, nbytes, "DeviceToHost")

    def copy(self, source, destination, nbytes, offset_source, offset_destination):
        to = destination.ptr + offset_destination
        return self.move(to, source.ptr + offset_source, nbytes, "DeviceToDevice")

    def snapshot(self, array):
        with offload_errors(), self.cuda.Device(self.engine.number):
            return self.snapshots.send(array, self.stream)

    def call(self, kernel, memories, grid, block):
        arrays = [m for m in memories if not (m is None or isinstance(m, Snapshot))]
        items = max((m.mem.size for m in arrays), default=1)
        blocks = min(math.ceil(items / BLOCK), BLOCKS_PER_UNIT * self.engine.units)
        pointers = tuple(np.uint64(m.ptr if m is not None else 0) for m in memories)
        return self.put(self.launch, kernel, grid or (blocks,), block or (BLOCK,), pointers)

    def launch(self, kernel, grid, block, pointers):
        with self.stream:
            kernel(tuple(grid), tuple(block), pointers)

    def mark(self):
        return self.put(lambda: None)

    def wait(self, ticket):
        return self.put(self.stream.wait_event, ticket.ended)

    def sync(self):
        try:
            interruptibly(self.stream.synchronize)
        except RuntimeError as error:
            self.failed = self.failed or str(error)
        failed, self.failed = self.failed, None
        if failed:
            raise OffloadError(f"the device failed: {failed}")


class CUDA:
    """A GPU."""

    name = "cuda"
    suffixes = ".cu", ".c"

    def __init__(self, number=0):
        self.number = number
        self.properties = cupy().cuda.runtime.getDeviceProperties(number)
        self.units = self.properties["multiProcessorCount"]

    @staticmethod
    def count():
        runtime = cupy().cuda.runtime
        try:
            return runtime.getDeviceCount()
        except RuntimeError as error:
            reason = f"CUDA finds no device ({error})"
            raise Unavailable(reason, "install NVIDIA's driver") from None

    def queue(self):
        return Queue(self)

    def describe(self):
        driver = str(cupy().cuda.runtime.driverGetVersion())
        return Device("CUDA", driver, self.properties["name"].decode(), driver, "GPU", self.units)

    def allocate(self, nbytes, alignment):
        if alignment > 256:
            raise OffloadError(f"the device has no memory aligned to {alignment} bytes")
        try:
            with offload_errors(), cupy().cuda.Device(self.number):
                return cupy().cuda.alloc(nbytes)
        except cupy().cuda.memory.OutOfMemoryError as error:
            raise OffloadError(f"the device cannot allocate this memory: {error}") from None

    @staticmethod
    def address(memory):
        return memory.ptr

    def load(self, file, defines):
        if file.suffix not in self.suffixes:
            raise OffloadError(f"a GPU needs a source file, .c or .cu, not {file}")
        options = [f"-I{folder}" for folder in source.folders(file)]
        options += (f"-D{name}={value}" for name, value in defines.items())
        with offload_errors(), cupy().cuda.Device(self.number):
            raw = cupy().RawModule(code=source.text(file), options=(*OPTIONS, *options))
            try:
                return raw.module  # a RawModule's own functions are not looked up until called
            except cupy().cuda.compiler.CompileException as error:
                raise OffloadError(f"{file.name} cannot be compiled:\n{error}") from None

    @staticmethod
    def find(library, name):
        try:
            return library.get_function(name)
        except RuntimeError:  # unknown to the driver
            return None
