"""A device for each engine that works here, streams, kernels, and a gate that blocks a stream."""

import threading
from pathlib import Path

import numpy as np
import pytest

from ladder import offload
from ladder.offload import engines
from ladder.offload.engines import host_compiler
from polymask import contract

KERNELS = Path(__file__).with_name("kernels.c")
USERS_CACHE = host_compiler.cache
NAP = """
#include "pymic_kernel.h"
#include <unistd.h>
PYMIC_KERNEL void nap(const uint64_t *address) /* until the number is not 0, at most a minute */
{
    const volatile int64_t *open = (const volatile int64_t *)(uintptr_t)*address;
    for (int i = 0; i < 60000 && !*open; i++)
        usleep(1000);
}
"""


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory):
    """Compile kernels in this session: no library from an earlier one can hide an error."""
    folder = tmp_path_factory.mktemp("compiled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(host_compiler, "cache", lambda: folder)
        yield


@pytest.fixture
def users_cache(monkeypatch, tmp_path):
    """Cache the host's libraries where programs do, and return that folder."""
    monkeypatch.setattr(host_compiler, "cache", USERS_CACHE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "polymask" / "offload"


@pytest.fixture(scope="session", params=engines.NAMES)
def device(request):
    """The first device of each engine; skip if there is none."""
    for candidate in offload.devices.values():
        if candidate.engine.name == request.param:
            return candidate
    try:
        engines.engine(request.param).count()
    except (contract.Unavailable, ModuleNotFoundError) as reason:
        pytest.skip(f"no device for the engine {request.param}: {reason}")
    pytest.fail(f"{request.param} works here, but is not among the devices")


@pytest.fixture(scope="session")
def host():
    """The host as a device."""
    return next(d for d in offload.devices.values() if d.engine.name == "host")


@pytest.fixture
def stream(device):
    """Return a new stream, and check for errors at the end."""
    new = device.create_stream()
    yield new
    new.sync()


@pytest.fixture
def another(device):
    """Return a device with the same engine and another number."""
    return offload.OffloadDevice(device.device_id + 100, device.engine)


@pytest.fixture
def late_copies(device):
    """Skip if a copy of ordinary memory waits for the commands that come before it."""
    if device.engine.name == "cuda":
        pytest.skip("CUDA copies ordinary memory at once, after the commands before it")


@pytest.fixture(scope="session")
def kernels(device):
    """Return the library of the tests' kernels."""
    return device.load_library(KERNELS)


@pytest.fixture
def doubles(kernels):
    """Return a function that checks that a stream is usable: its kernel doubles an array."""

    def doubles(stream):
        a = np.ones(100)
        bound = stream.bind(a)
        stream.invoke(kernels.double_it, bound, a.size)
        bound.update_host()
        stream.sync()
        return set(a) == {2.0}

    return doubles


@pytest.fixture
def source(tmp_path):
    """Return a function that writes a kernel's source and returns the file."""

    def write(text, name="kernel.c"):
        file = tmp_path / name
        file.write_text('#include "pymic_kernel.h"\n' + text)
        return file

    return write


class Gate:
    """A command that blocks a stream until the gate is opened."""

    def __init__(self, nap):
        self.nap, self.openers = nap, []

    def close(self, stream):
        """Block the stream from here on."""
        name = stream.device.engine.name
        self.openers.append(getattr(self, name)(stream))

    def open(self):
        """Let all streams continue."""
        while self.openers:
            self.openers.pop()()

    def host(self, stream):
        opened = np.zeros(1, dtype=np.int64)
        stream.invoke(self.nap.nap, np.uint64(opened.ctypes.data))

        def opener(keep=opened):
            keep[0] = 1
            stream.sync()  # the kernel reads the array, which must exist until it ends

        return opener

    @staticmethod
    def opencl(stream):
        import pyopencl as cl

        event = cl.UserEvent(stream.device.engine.context)
        cl.enqueue_barrier(stream._queue.queue, wait_for=[event])
        return lambda: event.set_status(cl.command_execution_status.COMPLETE)

    @staticmethod
    def cuda(stream):
        opened = threading.Event()
        stream._queue.stream.launch_host_func(lambda _: opened.wait(60), None)
        return opened.set


@pytest.fixture(scope="session")
def nap(host, tmp_path_factory):
    """Return the library of a kernel for the host that naps."""
    file = tmp_path_factory.mktemp("nap") / "nap.c"
    file.write_text(NAP)
    return host.load_library(file)


@pytest.fixture
def gate(nap):
    """Return a gate, which is always opened at the end."""
    new = Gate(nap)
    yield new
    new.open()
