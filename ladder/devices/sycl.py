"""SYCL devices, with dpctl: the first with shared memory that computes a small mask correctly.

SYCL's runtime uses OpenCL drivers, among other backends. Intel's driver for the processor comes
with the extra `sycl`, but no loader finds it: `ladder.devices.intel` names it when devices are
first listed. This does not affect PyOpenCL's own loader. PoCL is listed if it is installed, but it
has no memory that SYCL can use.
"""

import contextlib
import ctypes
import platform
import re
import sys
from collections import Counter

import numpy as np

from ladder.devices import Command, Device, intel, work_group
from ladder.devices.opencl_commands import EMPTY, FEW_BYTES
from ladder.devices.search import Search
from polymask.common import run_once

EXTRA = "pip install 'polymask[sycl]'"
FAILS_HERE = "Intel's runtime, which SYCL needs, fails on this processor"
TYPES = {"cpu": "CPU", "gpu": "GPU"}
GIVES_UP = re.compile(  # in messages about a device that is out of memory, or gone
    "UR_RESULT_ERROR_(OUT_OF_|DEVICE_LOST|DEVICE_NOT_AVAILABLE|DEVICE_REQUIRES_RESET|"
    "IN_EVENT_LIST_EXEC_STATUS|INVALID_BUFFER_SIZE|INVALID_USM_SIZE|MEM_OBJECT_ALLOCATION_FAILURE)"
    "|SyclQueue.memcpy operation encountered an error"
)
TIMES = ("submit", "submit", "start", "end")  # the first one replaces the time "queued"


class Failed(RuntimeError):
    """The error for a command that the device did not complete."""


class Sycl(Search):
    """The search for a GPU, else a CPU, as a `dpctl.SyclDevice`."""

    kind, package, trial = "SYCL", "dpctl", "ladder.devices.sycl_trial"
    answer_variable, chooser = "POLYMASK_SYCL_DEVICE", "ONEAPI_DEVICE_SELECTOR"
    read_by_drivers = ("CL_", "LD_", "OCL_", "ONEAPI_", "SYCL_", "UR_", "ZE_")
    device_format = "{device.platform}; ONEAPI_DEVICE_SELECTOR={choice}"

    @property
    def install_hint(self):
        """The command that installs the extra, which has packages for one system only."""
        if (sys.platform, platform.machine()) != ("linux", "x86_64"):
            return "use Linux on x86-64: the extra sycl has packages for no other system"
        return EXTRA

    def remedy(self, failure=""):
        """Return the extra to install, or an alternative."""
        if self.install_hint == EXTRA and intel.library():  # installed, but fails
            return f"use the OpenCL rungs: {FAILS_HERE}"
        return self.install_hint

    def _listed(self):
        """Map the choice of each device to the device, GPUs first."""
        import dpctl

        with intel.named():  # the loader reads the variable in its first call
            devices = dpctl.get_devices()
        counts, by_choice = Counter(), {}
        for device in devices:
            backend = device.backend.name
            by_choice[f"{backend}:{counts[backend]}"] = device
            counts[backend] += 1
        return dict(sorted(by_choice.items(), key=lambda item: not item[1].is_gpu))

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
        """Return whether an error of dpctl or dpnp means that the device is out of memory, or gone.

        dpctl gives no reason for a kernel that it cannot submit.
        """
        import dpctl
        from dpctl.memory import USMAllocationError

        kinds = Failed, USMAllocationError, dpctl.SyclKernelSubmitError
        return isinstance(error, kinds) or bool(GIVES_UP.search(str(error)))

    def commands(self, events):
        """Convert a dict of `dpctl.SyclEvent`s of a queue with profiling to `Command`s.

        SYCL does not record when a command was queued: the time of submission replaces it.
        """
        first = min((event.profiling_info_submit for event in events.values()), default=0)
        return [
            Command(name, *(1e-9 * (getattr(event, f"profiling_info_{t}") - first) for t in TIMES))
            for name, event in events.items()
        ]

    def launch(self):
        import dpctl
        from dpctl.memory import MemoryUSMDevice
        from dpctl.program import create_program_from_source

        queue = dpctl.SyclQueue(self.device(), property=["in_order", "enable_profiling"])
        kernel = create_program_from_source(queue, EMPTY).get_sycl_kernel("empty")
        h_data, d_data = np.zeros(FEW_BYTES, np.uint8), MemoryUSMDevice(FEW_BYTES, queue=queue)
        c_int, c_long = ctypes.c_int(1), ctypes.c_int64(1)
        arguments = [d_data, c_long, c_int, c_long, c_long, d_data]

        def round_trip():
            queue.memcpy_async(d_data, h_data, FEW_BYTES)
            queue.submit_async(kernel, arguments, [1])
            queue.memcpy_async(h_data, d_data, FEW_BYTES).wait()

        return {
            "sycl_memory_s": lambda: MemoryUSMDevice(FEW_BYTES, queue=queue),
            "sycl_round_trip_s": round_trip,
        }


KIND = Sycl()
once, device, or_unavailable = run_once.once, KIND.device, KIND.or_unavailable  # for rungs


def finish(*events):
    """Wait for commands, `dpctl.SyclEvent`s; raise `Failed` if a command did not complete.

    dpctl's own wait returns without an error, and the mask would contain old memory.
    """
    for event in events:
        event.wait()
        try:
            status = event.execution_status.name
        except ValueError:  # the driver's error number
            status = "failed"
        if status != "complete":
            raise Failed(f"a command is {status} after the wait for it")


def run(submit, rows, cols, n, events):
    """Launch a kernel by `submit(left, top, width, height)`; return its last event.

    A running kernel cannot be stopped. A long one is launched in bands of rows, or of columns of a
    long row, and Python handles Ctrl-C between two bands.
    """
    last = None
    work = 1 if events is not None else rows * cols * n  # one event must cover the whole launch
    for first, size in work_group.bands((cols, rows), (1, 1), work):
        before, last = last, submit(*first, *size)
        if before:
            finish(before)  # the next band is already in the queue, so the device never idles
    return last


@contextlib.contextmanager
def recorded(events, queue):
    """Yield a dict for a block's commands; wait for them, then add them to the dict `events`.

    An error or Ctrl-C also waits for the queue: the memory that its commands use is freed then.
    """
    done = {}
    try:
        yield done
        finish(*done.values())
    except BaseException:
        # If the device is gone, the barrier fails, and the first error is raised. The queue's own
        # wait would end the process.
        with contextlib.suppress(RuntimeError, ValueError):
            queue.submit_barrier().wait()
        raise
    if events is not None:
        events |= done


class Between:
    """The time between two events, such as those of a `dpctl.SyclTimer`, as one event."""

    def __init__(self, first, last):
        self.profiling_info_submit = first.profiling_info_submit
        self.profiling_info_start = first.profiling_info_end
        self.profiling_info_end = last.profiling_info_start
