"""Devices that rungs compute on: found, tried, described and timed in the same words for all kinds.

A kind of device is a module of this room, named in `KINDS`. It has the methods of its
`polymask.devices.search.Search` that are called from elsewhere (check, check_apart, chosen, cores,
survey, works and line), and two functions:

``commands(events)``
    The `Command`s of a call, of what the rung's `make_mask` put into its dict `events`.
``launch()``
    What the host program pays for a mask of any size: the name of a price, which is the kind's own,
    to a function that does such a thing once.
"""

import importlib
from dataclasses import dataclass, field

from polymask.contract import Unavailable, check_openmp_setting

# The module, and what people call it.
KINDS = {"opencl": "OpenCL", "offload": "offload", "sycl": "SYCL", "cuda": "CUDA"}
# Where a device that worked is out of memory, or gone.
INSTEAD = "a smaller image may do, or another device: `polymask doctor` lists them"
ELSEWHERE = {"offload": "polymask.offload.kind"}  # what builds on this room stands above it


def kind(name):
    """Return the module of a kind of device."""
    return importlib.import_module(ELSEWHERE.get(name, f"polymask.devices.{name}"))


def load_openmp():
    """Return `polymask.devices.openmp`, for what tries threads of other libraries.

    It is imported where it is asked for, as it loads OpenMP, which has words of its own for a bad
    setting.
    """
    check_openmp_setting()
    try:
        return importlib.import_module("polymask.devices.openmp")
    except ImportError as error:  # not built, or older than its sources
        raise Unavailable(str(error)) from error


@dataclass(frozen=True)
class Device:
    """What is told of a device."""

    platform: str  # what makes it a device,
    version: str  # and in which version
    name: str
    driver: str  # its version
    type: str  # "CPU", "GPU" or "other"
    compute_units: int = field(compare=False)  # an affinity changes it

    @property
    def is_cpu(self):
        """Whether it is the processor that the host runs on."""
        return self.type == "CPU"


@dataclass(frozen=True)
class Tried:
    """A device, and what came of trying it: an empty `failure`, or the reason in one line.

    `choice` is what a user writes to choose it.
    """

    device: Device
    choice: str
    failure: str


@dataclass(frozen=True)
class Command:
    """A command of a device, and its four times: seconds since the first of a call was queued.

    `name` is "kernel" for what computes, and says from where to where of a copy: "to_device",
    "to_host".
    """

    name: str
    queued: float
    submit: float
    start: float
    end: float

    @property
    def ran(self):
        """How long it ran, by the device's clock."""
        return self.end - self.start


def kernel_s(commands):
    """Return how long kernels among the commands ran, None where there is none."""
    kernels = [command for command in commands if command.name == "kernel"]
    return busy_s(kernels) if kernels else None


def busy_s(commands):
    """Return how long any of the commands ran: those of two streams may run at the same time."""
    busy, until = 0.0, float("-inf")
    for one in sorted(commands, key=lambda command: command.start):
        busy += max(one.end - max(one.start, until), 0.0)
        until = max(until, one.end)
    return busy
