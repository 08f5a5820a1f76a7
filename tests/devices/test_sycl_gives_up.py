"""A SYCL device that runs out of memory or fails during a mask: reported, and the next works.

dpctl and dpnp document little of that: a driver with refusing functions showed what they do.
"""

import importlib.util
from types import SimpleNamespace

import pytest
from cases import folded
from every_rung import SHAPE, TRIANGLE, assert_mask, load
from fresh_python import run

from ladder import registry
from ladder.devices import sycl
from ladder.registry import reference
from polymask import contract

RUNGS = [rung for rung in registry.RUNGS if rung.device == "sycl"]
each_rung = pytest.mark.parametrize(
    "key", [pytest.param(rung.key, marks=pytest.mark.extra(rung.extra)) for rung in RUNGS]
)
EXPECTED = reference.by_rule(TRIANGLE, SHAPE)
MEMORY = [("sycl.kernel", {"memory": kind}) for kind in ("device", "shared", "host")]


def load_or_skip(key):
    """Return a rung's function; skip if it cannot run."""
    rung = registry.get(key)
    if rung.extra == "dpnp" and importlib.util.find_spec("dpnp") is None:
        pytest.skip("the package dpnp is not installed")
    make_mask, error = load(rung)
    if error:
        pytest.skip(str(error))
    return make_mask


@each_rung
@folded("shape", [(1 << 24, 1 << 24), (1 << 62, 1)])
def test_a_mask_beyond_its_memory_is_unavailable_and_the_next_is_right(key, shape):
    make_mask = load_or_skip(key)
    with pytest.raises(contract.Unavailable, match=r"gives up: USM .*: a smaller image") as error:
        make_mask(TRIANGLE, shape)
    assert "\n" not in str(error.value)
    assert_mask(make_mask(TRIANGLE, SHAPE), EXPECTED)


@pytest.mark.extra("sycl")
@pytest.mark.parametrize(("key", "options"), MEMORY)
def test_memory_of_each_kind_may_be_unavailable(key, options):
    make_mask = load_or_skip(key)
    with pytest.raises(contract.Unavailable, match="gives up: USM"):
        make_mask(TRIANGLE, (1 << 24, 1 << 24), **options)
    assert_mask(make_mask(TRIANGLE, SHAPE, **options), EXPECTED)


# The driver's functions are in a table, and each of its objects begins with a pointer to it.
PROGRAM = """
import ctypes, sys
from polymask.contract import Unavailable
from ladder.devices import sycl
from ladder import registry
from ladder.registry import reference

PLACES = {"clWaitForEvents": 41, "clGetEventInfo": 42, "clEnqueueNDRangeKernel": 59}  # CL/cl_icd.h
OUT_OF_RESOURCES, EXECUTION_STATUS, PLATFORM_NAME = -5, 0x11D3, 0x0902

key, name = sys.argv[1:]
make_mask, triangle = registry.get(key).load(), [(1, 2), (9, 4), (3, 8)]
right = reference.by_rule(triangle, (11, 16))
assert (make_mask(triangle, (11, 16)) == right).all()

maps = open("/proc/self/maps").read().split()
opencl = ctypes.CDLL(next(path for path in maps if "/libOpenCL.so" in path))
count = ctypes.c_uint()
opencl.clGetPlatformIDs(0, None, ctypes.byref(count))
platforms = (ctypes.c_void_p * count.value)()
opencl.clGetPlatformIDs(count, platforms, None)
for platform in platforms:
    text = ctypes.create_string_buffer(999)
    opencl.clGetPlatformInfo(ctypes.c_void_p(platform), PLATFORM_NAME, 999, text, None)
    if text.value.decode() == sycl.device().sycl_platform.name:
        table = ctypes.c_void_p.from_address(platform).value
ctypes.CDLL(None).mprotect(ctypes.c_void_p(table & ~4095), 8192, 3)  # make it writable

Function = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 9)
ask = Function(ctypes.c_void_p.from_address(table + 8 * PLACES["clGetEventInfo"]).value)


@Function
def refuse(*_):
    return OUT_OF_RESOURCES


@Function
def fail(event, name, size, answer, *more):
    code = ask(event, name, size, answer, *more)
    if name == EXECUTION_STATUS:
        ctypes.c_int.from_address(answer).value = OUT_OF_RESOURCES
    return code


others = {name: refuse}
if name == "clWaitForEvents":  # the command has failed
    others["clGetEventInfo"] = fail
entries = {place: ctypes.c_void_p.from_address(table + 8 * PLACES[place]) for place in others}
before = {place: entry.value for place, entry in entries.items()}
for place, entry in entries.items():
    entry.value = ctypes.cast(others[place], ctypes.c_void_p).value
try:
    print("made", make_mask(triangle, (11, 16)).tolist())
except Unavailable as unavailable:
    print(unavailable)
for place, entry in entries.items():
    entry.value = before[place]
assert (make_mask(triangle, (11, 16)) == right).all()
"""


@each_rung
@folded("function", ["clEnqueueNDRangeKernel", "clWaitForEvents"])
def test_a_refusal_of_the_driver_is_unavailable_and_the_next_mask_is_right(key, function):
    """A launch, and a wait, whose failure dpctl does not report."""
    load_or_skip(key)
    if sycl.device().backend.name != "opencl":
        pytest.skip("the device's driver is not OpenCL's")
    completed = run("-c", PROGRAM, key, function)
    assert (completed.returncode, completed.stderr) == (0, "")
    assert " gives up: " in completed.stdout
    assert len(completed.stdout.splitlines()) == 1
    assert completed.stdout.endswith("`polymask doctor` lists them\n")


# The pieces, without a device


def event(status):
    """A command's event as in dpctl; a driver's error is a status unknown to dpctl."""

    class Event:
        waited = False

        def wait(self):
            self.waited = True

        @property
        def execution_status(self):
            if status is None:
                raise ValueError("Unknown event status.")
            return SimpleNamespace(name=status)

    return Event()


@pytest.mark.parametrize("status", ["submitted", "running", None])
def test_incomplete_commands_have_failed(status):
    complete = event("complete")
    sycl.finish(complete)
    assert complete.waited
    with pytest.raises(sycl.Failed, match=status or "failed"):
        sycl.finish(event("complete"), event(status))


class Queue:
    """A queue with a barrier that records waiting, or with an error."""

    def __init__(self, barrier):
        self.barrier = barrier

    def submit_barrier(self):
        if isinstance(self.barrier, Exception):
            raise self.barrier
        return self.barrier


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_an_exception_waits_for_commands_before_memory_is_freed(error):
    barrier = event("complete")
    with pytest.raises(error), sycl.settled(Queue(barrier)):
        raise error
    assert barrier.waited


def test_where_the_queue_takes_no_command_the_first_error_is_raised():
    with pytest.raises(MemoryError), sycl.settled(Queue(ValueError("no event"))):
        raise MemoryError
