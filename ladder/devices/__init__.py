"""The devices of rungs: one interface to find, try, describe and time devices of all kinds.

Driver, report, explain, profile and doctor ask a `Kind` of device, and know no others. Each kind is
one object, in the module of that name.
"""

import importlib
import os
from dataclasses import dataclass, field

from polymask.contract import Unavailable, check_openmp_setting
from polymask.masks import container

# The module of each kind, and the kind's usual name.
KINDS = {"opencl": "OpenCL", "offload": "offload", "sycl": "SYCL", "cuda": "CUDA"}
# The advice if a device that worked before is out of memory, or gone.
INSTEAD = "a smaller image may do, or another device: `polymask doctor` lists them"
ELSEWHERE = {"offload": "ladder.offload.kind"}  # a kind that imports this package is outside it


def kind(name):
    """Return the `Kind` with a name."""
    return importlib.import_module(ELSEWHERE.get(name, f"ladder.devices.{name}")).KIND


def load_openmp():
    """Return `ladder.devices.openmp`, which checks whether threads can be started.

    It is imported on demand, as it loads OpenMP, which prints its own messages about bad settings.
    """
    check_openmp_setting()
    try:
        return importlib.import_module("ladder.devices.openmp")
    except ImportError as error:  # not built, or older than its sources
        raise Unavailable(str(error)) from error


def default_team(threads, variable):
    """Return a runtime's default number of threads, within the CPU quota of the container.

    A variable of the environment that sets the number overrides the quota.
    """
    if variable in os.environ:
        return threads
    return container.within_quota(threads, container.cpu_quota())


@dataclass(frozen=True)
class Device:
    """The description of a device."""

    platform: str  # the software that makes it a device
    version: str  # of the platform
    name: str
    driver: str  # the driver's version
    type: str  # "CPU", "GPU" or "other"
    compute_units: int = field(compare=False)  # depends on the affinity

    @property
    def is_cpu(self):
        """Whether it is the host's processor."""
        return self.type == "CPU"

    @property
    def cores(self):
        """The number of the host's cores that it keeps busy: 1, which waits, if it is no CPU."""
        return self.compute_units if self.is_cpu else 1


@dataclass(frozen=True)
class Trial:
    """A device, and the result of its trial: an empty `failure`, or the reason in one line.

    `choice` is the setting with which a user chooses the device.
    """

    device: Device
    choice: str
    failure: str


@dataclass(frozen=True)
class Command:
    """A command of a device, with four times in seconds since the call's first command was queued.

    `name` is "kernel" for a kernel, and the direction of a copy: "to_device" or "to_host".
    """

    name: str
    queued: float
    submit: float
    start: float
    end: float

    @property
    def ran(self):
        """The run time in seconds, by the device's clock."""
        return self.end - self.start


class Kind:
    """A kind of device: how its devices are found and tried, and what a call did on one."""

    def check(self):
        """Raise `Unavailable` if no device works."""

    def check_apart(self):
        """Raise `Unavailable` as `check` does, without an import of heavy packages."""
        self.check()

    def chosen(self) -> Device | None:
        """Return the device that this process uses, or None if it uses none yet."""

    def cores(self) -> int:
        """Return the number of cores that the device keeps busy; 1 if the host waits."""

    def survey(self) -> list[Trial]:
        """Try all devices; raise `Unavailable` if there is none."""

    def works(self, trials) -> Trial:
        """Return the trial of the device to use; raise `Unavailable` if none works."""
        return trials[0]

    def line(self, trial) -> str:
        """Describe a trial in one line."""

    def commands(self, events) -> list[Command]:
        """Return the commands of a call, from the dict that the rung's `make_mask` has filled."""

    def launch(self) -> dict:
        """Map the names of the host's fixed costs per mask to functions that cause them once."""


def kernel_s(commands):
    """Return the run time of the kernels among the commands, or None."""
    kernels = [command for command in commands if command.name == "kernel"]
    return busy_s(kernels) if kernels else None


def busy_s(commands):
    """Return the time in which at least one command ran; commands of two streams may overlap."""
    busy, end = 0.0, float("-inf")
    for command in sorted(commands, key=lambda command: command.start):
        busy += max(command.end - max(command.start, end), 0.0)
        end = max(end, command.end)
    return busy
