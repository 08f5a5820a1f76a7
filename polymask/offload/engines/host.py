"""The host as a device: each stream is a C++ thread, and kernels are functions of shared libraries.

A kernel's loops are shared among OpenMP's threads. A library is loaded as it is, or compiled from
its source, once: what was made is kept in the user's cache, under a digest of all that it is of.
"""

import _ctypes
import contextlib
import ctypes
import hashlib
import os
import platform
import shlex
import subprocess
import tempfile
import weakref
from importlib import resources
from pathlib import Path

import numpy as np

import polymask
from polymask import devices
from polymask.offload import source
from polymask.offload.engines import worker_queue
from polymask.offload.error import OffloadError

LANGUAGES = {".c": ("CC", "cc"), ".cpp": ("CXX", "c++ -std=c++20")}  # suffix to the compiler
OPENMP = "libgomp.so.1", "libomp.so.5", "libiomp5.so", "libomp.dylib"


class Memory:
    """Some bytes of the host's memory, aligned."""

    def __init__(self, array, alignment=1):
        self.array = array
        self.address = array.__array_interface__["data"][0]
        self.address += -self.address % alignment


class Library:
    """A shared library, closed when nothing refers to it any more."""

    def __init__(self, file):
        try:
            self.functions = ctypes.CDLL(str(file))
        except OSError as error:
            raise OffloadError(f"{file} cannot be loaded: {error}") from None
        keep_openmp()
        closing = weakref.finalize(self, _ctypes.dlclose, self.functions._handle)
        closing.atexit = False  # kernels may still run then: the process closes it itself


def keep_openmp():
    """Never unload OpenMP with a library that brought it: its threads wait in its code."""
    for name in OPENMP:
        with contextlib.suppress(OSError):  # not loaded
            ctypes.CDLL(name, mode=os.RTLD_NOLOAD | os.RTLD_NODELETE)


class Queue(worker_queue.Queue):
    """A stream's commands."""

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

    def __init__(self, number=0):
        devices.load_openmp().check_team_of_environment()  # its kernels bring OpenMP
        self.queue = Queue

    @staticmethod
    def count():
        return 1

    @staticmethod
    def describe():
        version, cores = polymask.__version__, os.cpu_count()
        return devices.Device("polymask.offload", version, "host", "", "CPU", cores)

    @staticmethod
    def allocate(nbytes, alignment):
        try:
            return Memory(np.empty(nbytes + alignment - 1, dtype=np.uint8), alignment)
        except MemoryError:
            raise OffloadError(f"the host has no {nbytes} bytes of memory") from None

    snapshot = staticmethod(Memory)

    @staticmethod
    def address(memory):
        return memory.address

    @staticmethod
    def load(file, defines):
        return Library(compiled(file, defines) if file.suffix in LANGUAGES else file)

    @staticmethod
    def find(library, name):
        try:
            function = getattr(library.functions, name)
        except AttributeError:
            return None
        return ctypes.cast(function, ctypes.c_void_p).value


def compiled(file, defines):
    """Return the shared library of a source file, which is compiled if that has not been done."""
    variable, compiler = LANGUAGES[file.suffix]
    exact = (resources.files("polymask.csrc") / "engine/exact_flags.txt").read_text().split()
    command = [
        *shlex.split(os.environ.get(variable) or compiler),
        *("-O3", *exact, "-fopenmp", "-fPIC", "-shared"),
        *(f"-I{folder}" for folder in source.FOLDERS),
        *(f"-D{name}={value}" for name, value in defines.items()),
    ]
    made_of = "\0".join([*command, platform.machine(), source.text(file)])
    library = cache() / f"{file.stem}-{hashlib.sha256(made_of.encode()).hexdigest()[:32]}.so"
    if library.exists():
        return library
    try:
        library.parent.mkdir(parents=True, exist_ok=True)
        apart = tempfile.TemporaryDirectory(dir=library.parent)
    except OSError as error:
        raise OffloadError(
            f"compiled kernels cannot be kept in {library.parent}: {error.strerror}: let "
            "XDG_CACHE_HOME be a folder of yours, or unset it"
        ) from None
    with apart as folder:
        part = Path(folder, library.name)
        try:
            done = subprocess.run(
                [*command, "-o", part, file, "-lm"], capture_output=True, text=True, check=False
            )
        except OSError as error:
            raise OffloadError(
                f"{file.name} needs a compiler, and {command[0]} does not start "
                f"({error.strerror}): install gcc, or name one by {variable}"
            ) from None
        if done.returncode:
            raise OffloadError(f"{file.name} cannot be compiled:\n{done.stderr.strip()}")
        part.replace(library)  # in one step: others may want it at the same time
    return library


def cache():
    """Return the folder in which compiled libraries are kept."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home, "polymask", "offload")
