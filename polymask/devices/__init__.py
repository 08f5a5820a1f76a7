"""Devices that rungs compute on: found, tried, and described in the same words for every kind.

A kind of device is a module of this room. It answers `device`, the first that works, `cores`,
`chosen` and `survey`; a driver that crashes or hangs while it is tried takes nothing with it.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Device:
    """What is told of a device.

    Attributes
    ----------
    platform, version : str
        Who makes it a device, and in which version.
    name : str
    driver : str
        Version of the driver.
    type : str
        "CPU", "GPU" or "other".
    compute_units : int
    """

    platform: str
    version: str
    name: str
    driver: str
    type: str
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
