"""The devices of rungs: one interface to find, try, describe and time devices of all kinds.

A kind of device is a module of this package, named in `KINDS`. It has the public methods of its
`ladder.devices.search.Search` (check, check_apart, chosen, cores, survey, works and line), and
two functions:

``commands(events)``
    The `Command`s of a call, from the dict `events` that the rung's `make_mask` has filled.
``launch()``
    The host program's fixed costs per mask: a dict of the cost's name to a function that causes the
    cost once. Each kind has its own names.
"""

import importlib
import os
from dataclasses import dataclass, field

from polymask.contract import Unavailable, check_openmp_setting
from polymask.masks import container

# The module, and its usual name.
KINDS = {"opencl": "OpenCL", "offload": "offload", "sycl": "SYCL", "cuda": "CUDA"}
# The advice if a device that worked before is out of memory, or gone.
INSTEAD = "a smaller image may do, or another device: `polymask doctor` lists them"
ELSEWHERE = {"offload": "ladder.offload.kind"}  # kinds that import this package are outside it


def kind(name):
    """Return the module of a kind of device."""
    return importlib.import_module(ELSEWHERE.get(name, f"ladder.devices.{name}"))


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
