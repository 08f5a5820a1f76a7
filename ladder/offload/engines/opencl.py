"""The engine for the working device of `ladder.devices.opencl`, with PyOpenCL."""

import ctypes
import math
import time

import numpy as np
import pyopencl as cl

from ladder.devices import INSTEAD, opencl, opencl_fork
from ladder.offload.engines import source
from ladder.offload.engines.waiting import interruptibly
from polymask.common.errors import OffloadError
from polymask.contract import Unavailable

BLOCK, BLOCKS_PER_UNIT = 64, 32  # work items; the defaults


class Ticket:
    """A command in a queue."""

    def __init__(self, event, queued):
        self.event, self.queued = event, queued

    def done(self):
        return self.event.command_execution_status <= cl.command_execution_status.COMPLETE

    def wait(self):
        interruptibly(self.event.wait)

    def times(self):
        ns = self.event.profile
        first = ns.queued
        return tuple(self.queued + 1e-9 * (t - first) for t in (ns.queued, ns.start, ns.end))


opencl_fork.HOLDERS.append(Ticket)


class DeviceGaveUp(OffloadError, Unavailable):
    """The error for a device that is out of memory, or gone; another one may do the work."""


def failure(sentence, error):
    """Return the runtime's error for an error of the driver."""
    if opencl.gives_up(error):
        return DeviceGaveUp(f"{sentence}: {error}", INSTEAD)
    return OffloadError(f"{sentence}: {error}")


class Queue:
    """A stream's commands."""

    def __init__(self, engine):
        self.engine = engine
        profiling = cl.command_queue_properties.PROFILING_ENABLE
        self.queue = cl.CommandQueue(engine.context, properties=profiling)
        self.failed = None

    def put(self, command, *arguments, **options):
        """Put a command into the queue, and return its ticket; `sync` raises a failure."""
        queued = time.perf_counter()
        try:
            event = command(self.queue, *arguments, **options)
            self.queue.flush()  # some drivers start commands only now
        except cl.Error as error:
            self.fail(f"the device failed: {command.__name__}", error)
            try:
                event = cl.enqueue_marker(self.queue)
            except cl.Error:  # a device that is gone accepts no commands
                self.raise_failure()
        return Ticket(event, queued)

    def copy_in(self, host, memory, nbytes, offset_host, offset_device):
        data = (ctypes.c_char * nbytes).from_address(host + offset_host)
        return self.put(cl.enqueue_copy, memory, data, is_blocking=False, dst_offset=offset_device)

    def copy_out(self, memory, host, nbytes, offset_device, offset_host):
        data = (ctypes.c_char * nbytes).from_address(host + offset_host)
        return self.put(cl.enqueue_copy, data, memory, is_blocking=False, src_offset=offset_device)

    def copy(self, source, destination, nbytes, offset_source, offset_destination):
        offsets = {"src_offset": offset_source, "dst_offset": offset_destination}
        return self.put(cl.enqueue_copy, destination, source, byte_count=nbytes, **offsets)

    def snapshot(self, array):
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        return self.engine.buffer(flags, hostbuf=np.atleast_1d(array))

    def call(self, kernel, memories, grid, block):
        program, name = kernel
        own_kernel = cl.Kernel(program, name)  # so that no other thread sets its arguments
        if own_kernel.num_args != len(memories):
            raise ValueError(f"{name} takes {own_kernel.num_args} arguments, not {len(memories)}")
        for number, memory in enumerate(memories):
            try:
                own_kernel.set_arg(number, memory)
            except cl.Error as error:
                fact = f"{name}: argument {number} is not a pointer"
                raise OffloadError(f"{fact}, as a kernel needs: {error}") from None
        local = tuple(block) if block else (BLOCK,)
        items = max((memory.size for memory in memories if memory is not None), default=1)
        maximum = BLOCKS_PER_UNIT * self.engine.device.max_compute_units
        blocks = tuple(grid) if grid else (min(math.ceil(items / BLOCK), maximum),)
        size = tuple(g * b for g, b in zip(blocks, local, strict=True))
        return self.put(cl.enqueue_nd_range_kernel, own_kernel, size, local)

    def mark(self):
        return self.put(cl.enqueue_marker)

    def wait(self, ticket):
        return self.put(cl.enqueue_barrier, wait_for=[ticket.event])

    def sync(self):
        try:
            interruptibly(self.queue.finish)
        except cl.Error as error:
            self.fail("the device failed", error)
        self.raise_failure()

    def fail(self, sentence, error):
        """Keep the first failure."""
        self.failed = self.failed or failure(sentence, error)

    def raise_failure(self):
        """Raise the first failure since the last call."""
        failed, self.failed = self.failed, None
        if failed:
            raise failed


class OpenCL:
    """An OpenCL device."""

    name = "opencl"
    suffixes = ".cl", ".c"

    def __init__(self, number=0):
        self.device = opencl.device()
        self.context = cl.Context([self.device])

    @staticmethod
    def count():
        opencl.check()
        return 1

    def queue(self):
        return Queue(self)

    def describe(self):
        return opencl.describe(self.device)

    def allocate(self, nbytes, alignment):
        if alignment > self.device.mem_base_addr_align // 8:
            raise OffloadError(f"the device has no memory aligned to {alignment} bytes")
        if nbytes > self.device.global_mem_size:  # some drivers allocate memory at its first use
            raise DeviceGaveUp(f"the device has no such memory: {nbytes} bytes", INSTEAD)
        return self.buffer(cl.mem_flags.READ_WRITE, nbytes)

    def buffer(self, *arguments, **options):
        try:
            return cl.Buffer(self.context, *arguments, **options)
        except cl.Error as error:
            raise failure("the device cannot allocate this memory", error) from None

    @staticmethod
    def address(memory):
        return memory.int_ptr

    def load(self, file, defines):
        if file.suffix not in self.suffixes:
            raise OffloadError(f"an OpenCL device needs a source file, .c or .cl, not {file}")
        options = [f"-D{name}={value}" for name, value in defines.items()]
        for folder in source.folders(file):
            options += ["-I", str(source.without_blanks(folder))]
        try:
            return cl.Program(self.context, source.text(file)).build(options)
        except cl.Error as error:
            raise OffloadError(f"{file.name} cannot be compiled:\n{error}") from None

    @staticmethod
    def find(library, name):
        names = library.kernel_names.split(";")
        return (library, name) if name in names else None
