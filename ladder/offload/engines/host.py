"""The host as a device: each stream is a C++ thread, and kernels are in shared libraries.

OpenMP's threads share a kernel's loops. A library is loaded directly, or compiled from its source
(`host_compiler`).
"""

import _ctypes
import contextlib
import ctypes
import os
import shutil
import tempfile
import weakref

import numpy as np

import polymask
from ladder import devices
from ladder.offload.engines import host_compiler, worker_queue
from polymask.common.errors import OffloadError
from polymask.masks import container

OPENMP = "libgomp.so.1", "libomp.so.5", "libiomp5.so", "libomp.dylib"


class Memory:
    """An aligned block of the host's memory."""

    def __init__(self, array, alignment=1):
        self.array = array
        self.address = array.__array_interface__["data"][0]
        self.address += -self.address % alignment


class Library:
    """A shared library, closed with its last reference."""

    def __init__(self, file):
        self.functions = load_copy(file)
        keep_openmp()
        closing = weakref.finalize(self, _ctypes.dlclose, self.functions._handle)
        closing.atexit = False  # kernels may still run then: the process closes it itself


def load_copy(file):
    """Load a copy of a shared library.

    The system identifies loaded libraries by their files, so it would return the old code for a
    rebuilt library, and rebuilding a loaded file in place would change running code.
    """
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(OSError):
        return ctypes.CDLL(shutil.copy(file, folder))
    try:
        return ctypes.CDLL(str(file))  # for a library that needs other files in its folder
    except OSError as error:
        raise OffloadError(f"{file} cannot be loaded: {error}") from None


def keep_openmp():
    """Keep OpenMP loaded after a library that loaded it, as OpenMP's threads wait in its code."""
    for name in OPENMP:
        with contextlib.suppress(OSError):  # not loaded
            ctypes.CDLL(name, mode=os.RTLD_NOLOAD | os.RTLD_NODELETE)


class Queue(worker_queue.Queue):
    """A stream's commands."""

    snapshot = staticmethod(Memory)

    def copy_in(self, host, memory, nbytes, offset_host, offset_device):
        return self.copy_bytes(memory.address + offset_device, host + offset_host, nbytes)

    def copy_out(self, memory, host, nbytes, offset_device, offset_host):
        return self.copy_bytes(host + offset_host, memory.address + offset_device, nbytes)

    def copy(self, source, destination, nbytes, offset_source, offset_destination):
        to = destination.address + offset_destination
        return self.copy_bytes(to, source.address + offset_source, nbytes)

    def call(self, kernel, memories, grid, block):
        return self.call_function(kernel, [m.address if m is not None else 0 for m in memories])

    def sync(self):
        self.mark().wait()
        if failure := self.failure():
            raise OffloadError(f"a kernel failed: {failure}")


class Host:
    """The processor that Python runs on."""

    name = "host"
    suffixes = ".so", *host_compiler.LANGUAGES

    def __init__(self, number=0):
        devices.load_openmp().check_team_of_environment()  # its kernels bring OpenMP
        self.queue = Queue

    @staticmethod
    def count():
        return 1

    @staticmethod
    def describe():
        version, cores = polymask.__version__, container.cores()
        return devices.Device("ladder.offload", version, "host", "", "CPU", cores)

    @staticmethod
    def allocate(nbytes, alignment):
        try:
            return Memory(np.empty(nbytes + alignment - 1, dtype=np.uint8), alignment)
        except MemoryError:
            raise OffloadError(f"the host cannot allocate {nbytes} bytes of memory") from None

    @staticmethod
    def address(memory):
        return memory.address

    @staticmethod
    def load(file, defines):
        if file.suffix in host_compiler.LANGUAGES:
            file = host_compiler.compiled(file, defines)
        return Library(file)

    @staticmethod
    def find(library, name):
        try:
            function = library.functions[name]  # not an attribute, as ctypes has its own ones
        except AttributeError:
            return None
        return ctypes.cast(function, ctypes.c_void_p).value
