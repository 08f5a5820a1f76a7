"""SYCL devices, by dpctl: the first that has shared memory and makes a small mask right.

A driver of OpenCL is one of the backends of SYCL's runtime. Intel's for the processor comes with
the extra, and no loader knows of it: `polymask.devices.intel` names it, when devices are asked for
the first time. PyOpenCL has a loader of its own, which hears nothing of that. PoCL is listed where
the system has it, and has no memory that SYCL could use. Devices are tried in a process of their
own (`polymask.devices.apart`, `sycl_trial`), once a run: child processes inherit the answer.
"""

import contextlib
import ctypes
import importlib.util
import os
import platform
import re
import sys
from collections import Counter

import numpy as np

from polymask import contract, devices
from polymask.common.run_once import once
from polymask.devices import Command, Device, apart, intel, work_group
from polymask.devices.opencl_commands import EMPTY, FEW_BYTES

TRIAL_S = 120.0  # a driver that has no answer then hangs
ANSWER = "POLYMASK_SYCL_DEVICE"  # the variable by which child processes know it
SELECTOR = "ONEAPI_DEVICE_SELECTOR"  # by which a user chooses
READ_BY_DRIVERS = ("CL_", "LD_", "OCL_", "ONEAPI_", "SYCL_", "UR_", "ZE_")
EXTRA = "pip install 'polymask[sycl]'"
TYPES = {"cpu": "CPU", "gpu": "GPU"}
GIVES_UP = re.compile(  # what messages say where a device is out of memory, or gone
    "UR_RESULT_ERROR_(OUT_OF_|DEVICE_LOST|DEVICE_NOT_AVAILABLE|DEVICE_REQUIRES_RESET|"
    "IN_EVENT_LIST_EXEC_STATUS|INVALID_BUFFER_SIZE|INVALID_USM_SIZE|MEM_OBJECT_ALLOCATION_FAILURE)"
    "|SyclQueue.memcpy operation encountered an error"
)
bands = work_group.bands


@once
def device():
    """Return the first device that works, a `dpctl.SyclDevice`: a GPU if there is one, else a CPU.

    If none works, `Unavailable` has the reason of the first.
    """
    look()
    taken = answer()
    wanted, here = Device(**taken["device"]), listed()
    same = [choice for choice, one in here.items() if describe(one) == wanted]
    if not same:
        raise contract.Unavailable(
            f"{wanted.name} works, but dpctl does not list it in this process",
            "ask dpctl for devices after the first mask: it reads its drivers once",
        )
    return here[taken["choice"] if taken["choice"] in same else same[0]]


def check():
    """Raise `Unavailable` if no device works."""
    device()


def look():
    """Raise `Unavailable` if no device works, as `check` does, and import nothing: ask a child."""
    apart.refuse_none(answer())


@once
def answer():
    """Return which device works, or why none does: a dict, for this process and its children."""
    asked = apart.told(READ_BY_DRIVERS)
    return apart.remembered(ANSWER, asked, lambda: works(survey(every=False)))


def survey(every=True):
    """Try devices in the order in which they would be taken; return a `Tried` of each.

    Without `every` it ends with the first that works. Nothing to try is `Unavailable`.
    """
    if importlib.util.find_spec("dpctl") is None:
        raise contract.Unavailable(
            "the package dpctl is not installed", EXTRA if has_packages() else remedy()
        )
    return apart.survey(run_trial, every)


def run_trial(number):
    """Let a process list all devices, and try the one of this number.

    Returns what it found, a dict a device, and why that one cannot be used: an empty text if it
    can. No device, or none that can be listed, is `Unavailable`.
    """
    said, failure = apart.said_by("polymask.devices.sycl_trial", number, TRIAL_S)
    apart.refuse_broken(said, failure, "dpctl", EXTRA if has_packages() else remedy())
    if "nothing" in said:
        raise apart.nothing(said["nothing"], chosen_by_user(), remedy)
    if "found" not in said:
        raise contract.Unavailable(f"SYCL's devices cannot be listed: {failure}", remedy())
    return said["found"], said.get("failure", failure)


def works(tried):
    """Return the first of those tried that works; else raise why none does, and what to do."""
    choice = f"{SELECTOR}={chosen_by_user()}" if chosen_by_user() else ""
    return apart.first_that_works(tried, "SYCL", choice, remedy)


def has_packages():
    """Return whether the extra has packages for this system."""
    return (sys.platform, platform.machine()) == ("linux", "x86_64")


def remedy():
    """Say what brings a device that works to this machine, in one line."""
    if not has_packages():
        return "use Linux on x86-64: the extra sycl has packages for no other system"
    if intel.library():  # and it does not work
        return "use the rungs of OpenCL: Intel's runtime, which SYCL needs, fails on this processor"
    return EXTRA


def line(tried):
    """Say what came of trying a device, in one line."""
    device, works = tried.device, "works" if not tried.failure else f"fails: {tried.failure}"
    return f"{device.name} ({device.platform}; {SELECTOR}={tried.choice}) {works}"


def chosen_by_user():
    """Return what chooses the devices that are listed, or an empty text."""
    return os.environ.get(SELECTOR, "")


@once
def listed():
    """Return all devices, GPUs first, each by what chooses it."""
    import dpctl

    with intel.named():  # the loader reads it when it is first asked
        devices = dpctl.get_devices()
    seen, found = Counter(), {}
    for one in devices:
        backend = one.backend.name
        found[f"{backend}:{seen[backend]}"] = one
        seen[backend] += 1
    return dict(sorted(found.items(), key=lambda item: not item[1].is_gpu))


def describe(device):
    """Return the `Device` of a `dpctl.SyclDevice`."""
    return Device(
        platform=device.sycl_platform.name.strip(),
        version=device.sycl_platform.version.strip(),
        name=device.name.strip(),
        driver=device.driver_version.strip(),
        type=TYPES.get(device.device_type.name, "other"),
        compute_units=device.max_compute_units,
    )


class Failed(RuntimeError):
    """A command that the device has not carried out."""


def or_unavailable(function):
    """Decorate what uses the device: `Unavailable` where that is out of memory, or gone."""
    return devices.or_unavailable(function, gives_up, lambda: describe(device()).name)


def gives_up(error):
    """Return whether an error of dpctl's or dpnp's says that the device is out of memory, or gone.

    dpctl gives no reason where it cannot submit.
    """
    import dpctl
    from dpctl.memory import USMAllocationError

    kinds = Failed, USMAllocationError, dpctl.SyclKernelSubmitError
    return isinstance(error, kinds) or bool(GIVES_UP.search(str(error)))


def finish(*events):
    """Wait for commands, `dpctl.SyclEvent`s; raise `Failed` where one has not been carried out.

    dpctl's own wait returns as if nothing had been, and the mask is what memory held before.
    """
    for event in events:
        event.wait()
        try:
            status = event.execution_status.name
        except ValueError:  # the driver's number of an error
            status = "failed"
        if status != "complete":
            raise Failed(f"a command is {status} after it was waited for")


@contextlib.contextmanager
def settled(queue):
    """Within this, wait for all commands of a queue before an error ends the call, or Ctrl-C.

    The call's memory is freed then, whoever still reads and writes it.
    """
    try:
        yield
    except BaseException:
        # That of a device that is gone cannot be had: the first error is the one to tell. A queue's
        # own wait would end the process there.
        with contextlib.suppress(RuntimeError, ValueError):
            queue.submit_barrier().wait()
        raise


def chosen():
    """Return the `Device` that this process has taken, or None where it has taken none."""
    return describe(device()) if device.cache_info().currsize else None


def cores():
    """Return how many cores the device has if it is a CPU, else 1: the host's thread that waits."""
    taken = describe(device())
    return taken.compute_units if taken.is_cpu else 1


def commands(events):
    """Return the `Command`s of a dict of `dpctl.SyclEvent`s, of a queue with profiling.

    SYCL notes no time at which a command was queued, so that is the one at which it was submitted.
    """
    first = min((event.profiling_info_submit for event in events.values()), default=0)
    found = []
    for name, event in events.items():
        times = event.profiling_info_submit, event.profiling_info_start, event.profiling_info_end
        submit, start, end = (1e-9 * (time - first) for time in times)
        found.append(Command(name, submit, submit, start, end))
    return found


class Between:
    """What ran between two events, as if it were one: a `dpctl.SyclTimer` brackets a block so."""

    def __init__(self, first, last):
        self.profiling_info_submit = first.profiling_info_submit
        self.profiling_info_start = first.profiling_info_end
        self.profiling_info_end = last.profiling_info_start


def launch():
    """Return name to a function that does one of what the host program does for each mask."""
    import dpctl
    from dpctl.memory import MemoryUSMDevice
    from dpctl.program import create_program_from_source

    queue = dpctl.SyclQueue(device(), property=["in_order", "enable_profiling"])
    kernel = create_program_from_source(queue, EMPTY).get_sycl_kernel("empty")
    h_data, d_data = np.zeros(FEW_BYTES, np.uint8), MemoryUSMDevice(FEW_BYTES, queue=queue)
    one, long_one = ctypes.c_int(1), ctypes.c_int64(1)
    arguments = [d_data, long_one, one, long_one, long_one, d_data]

    def round_trip():
        queue.memcpy_async(d_data, h_data, FEW_BYTES)
        queue.submit_async(kernel, arguments, [1])
        queue.memcpy_async(h_data, d_data, FEW_BYTES).wait()

    return {
        "sycl_memory_s": lambda: MemoryUSMDevice(FEW_BYTES, queue=queue),
        "sycl_round_trip_s": round_trip,
    }
