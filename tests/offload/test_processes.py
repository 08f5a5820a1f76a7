"""Processes: their end with work in flight, Ctrl-C, and forks."""

import os
import signal
import sys
import threading

import numpy as np
import pytest
from cases import folded
from fresh_python import run

KERNEL = """
#include "pymic_kernel.h"
PYMIC_KERNEL void double_slowly(PYMIC_ARRAY double *a)
{
    PYMIC_FOR(i, 1)
    for (volatile int64_t step = 0; step < 50000000; step = step + 1)
        if (step == 49999999)
            a[i] *= 2;
}
"""


@pytest.fixture
def program(device, tmp_path):
    """Run a program with the device and a kernel defined; it must exit successfully."""
    (tmp_path / "kernel.c").write_text(KERNEL)
    head = f"""
import numpy as np, os, sys
import ladder.offload as mic
device = mic.devices[0]
stream = device.get_default_stream()
kernel = device.load_library({str(tmp_path / "kernel.c")!r}).double_slowly
"""

    def start(text):
        engine = {"POLYMASK_OFFLOAD_DEVICES": device.engine.name}
        cache = {"XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(tmp_path / "cache"))}
        done = run("-c", head + text, cwd=tmp_path, **engine, **cache)
        assert done.returncode == 0, done.stderr
        assert not done.stderr
        return done.stdout.split()

    return start


IN_FLIGHT = """
a = np.memmap("result", dtype=float, mode="w+", shape=1)
a[0] = 21
bound = stream.bind(a)
stream.invoke(kernel, bound)
bound.update_host()
"""
ENDS = {
    "the end of the program": "",
    "globals that go first": "del stream, device, bound, kernel, a\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("end", ENDS)
def test_commands_in_flight_finish_at_exit(program, tmp_path, end):
    program(IN_FLIGHT + ENDS[end])
    assert np.fromfile(tmp_path / "result").tolist() == [42]


# Forks

FORK = """
a = np.array([21.0])
bound = stream.bind(a)
stream.sync()
child = os.fork()
if child == 0:
    told = []
    for use in (
        stream.sync,
        stream.record,
        bound.update_host,
        bound.update_device,
        lambda: stream.invoke(kernel, bound),
        lambda: stream.invoke(kernel, bound, 1.0),
        lambda: stream.bind(a),
        lambda: stream.allocate_device_memory(8),
    ):
        try:
            use()
            told.append("nothing")
        except mic.OffloadError as error:
            told.append(str(error))
    bound.release()
    good = all("forked" in one and "spawn" in one for one in told)
    del stream, bound
    os._exit(not good)  # the threads of some drivers, which the child lacks, would be waited for
stream.invoke(kernel, bound)
bound.update_host()
_, status = os.waitpid(child, 0)
stream.sync()
print(os.waitstatus_to_exitcode(status), a[0])
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_gets_an_error_and_the_parent_continues(program):
    assert program("import warnings\nwarnings.simplefilter('ignore')\n" + FORK) == ["0", "42.0"]


# Ctrl-C


@pytest.mark.skipif(sys.platform == "win32", reason="kill is POSIX's")
@pytest.mark.usefixtures("interruptible")
@folded("wait", ["sync", "event"])
def test_ctrl_c_ends_the_wait_for_any_device(stream, gate, wait):
    """Python handles no signal within a driver: the main thread must wait elsewhere."""
    gate.close(stream)
    event = stream.record()
    interrupt = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    at_last = threading.Timer(20, gate.open)  # otherwise the test might never end
    interrupt.start(), at_last.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            stream.sync() if wait == "sync" else event.wait()
        assert not event.done()
    finally:
        at_last.cancel()
        gate.open()
    stream.sync()
    assert event.done()


# Files and threads


def test_a_cache_that_cannot_be_is_named(tmp_path):
    (tmp_path / "file").touch()
    environment = {"POLYMASK_OFFLOAD_DEVICES": "host", "XDG_CACHE_HOME": str(tmp_path / "file")}
    done = run("-m", "polymask", "run", "offload.copy", "--size", "9", **environment)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"polymask: compiled kernels cannot be cached in {tmp_path}/file/polymask/offload: "
        "Not a directory: let XDG_CACHE_HOME name a writable folder, or unset it\n"
    )


def test_a_kernel_says_from_when_on_its_loop_is_shared_among_threads(tmp_path):
    (tmp_path / "team.c").write_text("""
#include "pymic_kernel.h"
PYMIC_KERNEL void team(int64_t *in_parallel, const int64_t *work)
{
    PYMIC_FOR_IF (i, 4, *work > 100)
        in_parallel[i] = omp_in_parallel();
}
""")
    code = """
import numpy as np
import ladder.offload as mic
device, seen = mic.devices[0], np.empty(4, dtype=np.int64)
team = device.load_library("team.c").team
for work in 100, 101:
    device.get_default_stream().invoke(team, seen, work)
    print(*seen)
"""
    two = {"OMP_NUM_THREADS": "2", "POLYMASK_OFFLOAD_DEVICES": "host"}
    done = run("-c", code, cwd=tmp_path, **two, XDG_CACHE_HOME=str(tmp_path))
    assert done.stdout == "0 0 0 0\n1 1 1 1\n", done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits memory as on Linux")
def test_a_missing_thread_for_a_stream_is_reported(device, program):
    """A thread's stack takes 8 MB of the address space."""
    if device.engine.name != "host":
        pytest.skip("only the host engine starts threads of its own")
    import resource

    if resource.getrlimit(resource.RLIMIT_STACK)[0] != 8 << 20:
        pytest.skip("the stacks of threads have another size here")
    assert program("""
import resource
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (6 << 20), resource.RLIM_INFINITY))
try:
    streams = [device.create_stream() for _ in range(20)]  # glibc keeps stacks of up to 40 MB
except mic.OffloadError as error:
    resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
    print(str(error).partition(":")[0].replace(" ", "_"))
device.create_stream().sync()
""") == ["a_stream_needs_a_thread,_but_none_can_be_started"]
