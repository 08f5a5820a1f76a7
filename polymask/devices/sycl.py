"""SYCL devices, by dpctl: the first that has shared memory and makes a small mask right.

A driver of OpenCL is one of the backends of SYCL's runtime. Intel's for the processor comes with
the extra, and no loader knows of it: `polymask.devices.intel` names it, when devices are asked for
the first time. PyOpenCL has a loader of its own, which hears nothing of that. PoCL is listed where
the system has it, and has no memory that SYCL could use.
"""

import contextlib
import ctypes
import platform
import re
import sys
from collections import Counter

import numpy as np

from polymask.common import run_once
from polymask.devices import Command, Device, intel, work_group
from polymask.devices.opencl_commands import EMPTY, FEW_BYTES
from polymask.devices.search import Search

EXTRA = "pip install 'polymask[sycl]'"
FAILS_HERE = "Intel's runtime, which SYCL needs, fails on this processor"
TYPES = {"cpu": "CPU", "gpu": "GPU"}
GIVES_UP = re.compile(  # what messages say where a device is out of memory, or gone
    "UR_RESULT_ERROR_(OUT_OF_|DEVICE_LOST|DEVICE_NOT_AVAILABLE|DEVICE_REQUIRES_RESET|"
    "IN_EVENT_LIST_EXEC_STATUS|INVALID_BUFFER_SIZE|INVALID_USM_SIZE|MEM_OBJECT_ALLOCATION_FAILURE)"
    "|SyclQueue.memcpy operation encountered an error"
)


class Failed(RuntimeError):
    """A command that the device has not carried out."""


class Sycl(Search):
    """A GPU if there is one, else a CPU, as a `dpctl.SyclDevice`."""

    kind, package, trial = "SYCL", "dpctl", "polymask.devices.sycl_trial"
    answer_variable, chooser = "POLYMASK_SYCL_DEVICE", "ONEAPI_DEVICE_SELECTOR"
    read_by_drivers = ("CL_", "LD_", "OCL_", "ONEAPI_", "SYCL_", "UR_", "ZE_")
    device_format = "{device.platform}; ONEAPI_DEVICE_SELECTOR={choice}"

    @property
    def install_hint(self):
        """The extra, which has packages for one system."""
        if (sys.platform, platform.machine()) != ("linux", "x86_64"):
            return "use Linux on x86-64: the extra sycl has packages for no other system"
        return EXTRA

    def remedy(self, failure=""):
        """Name the extra, or what runs instead."""
        if self.install_hint == EXTRA and intel.library():  # and it does not work
            return f"use the rungs of OpenCL: {FAILS_HERE}"
        return self.install_hint

    def _listed(self):
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

    def describe(self, device):
        """Return the `Device` of a `dpctl.SyclDevice`."""
        return Device(
            platform=device.sycl_platform.name.strip(),
            version=device.sycl_platform.version.strip(),
            name=device.name.strip(),
            driver=device.driver_version.strip(),
            type=TYPES.get(device.device_type.name, "other"),
            compute_units=device.max_compute_units,
        )

    def gives_up(self, error):
        """Return whether an error of dpctl's or dpnp's says that memory is out, or the device gone.

        dpctl gives no reason where it cannot submit.
        """
        import dpctl
        from dpctl.memory import USMAllocationError

        kinds = Failed, USMAllocationError, dpctl.SyclKernelSubmitError
        return isinstance(error, kinds) or bool(GIVES_UP.search(str(error)))


once = run_once.once  # for what rungs make a single time
search = Sycl()
device, chosen, cores, check, check_apart = (
    search.device, search.chosen, search.cores, search.check, search.check_apart
)  # fmt: skip
survey, works, line = search.survey, search.works, search.line
or_unavailable, bands = search.or_unavailable, work_group.bands


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
