"""The mapping of devices, which are created on first use."""

import itertools
import os
import threading
from collections.abc import Mapping

from ladder.offload.engines import NAMES, engine
from ladder.offload.library import OffloadLibrary
from ladder.offload.streams import OffloadStream
from polymask.contract import BadSetting, Unavailable

CHOICE = "POLYMASK_OFFLOAD_DEVICES"


class OffloadDevice:
    """A device that runs kernels; devices with the same number, `device_id`, are equal.

    Its `engine`, of `ladder.offload.engines`, does the work. It always has a `default_stream`.
    """

    def __init__(self, device_id, engine):
        self.device_id, self.engine = device_id, engine
        self._numbers = itertools.count()
        self.default_stream = OffloadStream(self)
        self._array_kernels = {}  # dtype to library; see `ladder.offload.array_kernels`

    def get_default_stream(self):
        """Return `default_stream`."""
        return self.default_stream

    def create_stream(self):
        """Return a new stream; commands of different streams may run at the same time."""
        return OffloadStream(self)

    def load_library(self, *names):
        """Load libraries of kernels, and return an `OffloadLibrary`, or a list for several names.

        The names may be in a tuple or a list as well.
        """
        if len(names) == 1 and isinstance(names[0], (tuple, list)):
            names = names[0]
        if not names:
            raise ValueError("load_library needs the name of a library")
        loaded = [OffloadLibrary(name, self) for name in names]
        return loaded[0] if len(loaded) == 1 else loaded

    def __eq__(self, other):
        return isinstance(other, OffloadDevice) and self.device_id == other.device_id

    def __hash__(self):
        return hash(self.device_id)

    def __repr__(self):
        return f"OffloadDevice({self.device_id}, {self.engine.name!r})"

    def __str__(self):
        return f"{self.engine.name}:{self.device_id}"


def chosen():
    """Return the names of the engines chosen in the environment, or of all."""
    names = [name.strip() for name in (os.environ.get(CHOICE) or ",".join(NAMES)).split(",")]
    if unknown := [name for name in names if name not in NAMES]:
        reason = f"{CHOICE} names engines, {', '.join(NAMES)}, not {unknown[0]!r}"
        raise BadSetting(reason, "name some of these, separated by commas, or unset it")
    return names


class Devices(Mapping):
    """A mapping of numbers to `OffloadDevice`: the host is 0, then an OpenCL device and GPUs.

    ``POLYMASK_OFFLOAD_DEVICES`` may name other engines, or another order: ``opencl,host``. Devices
    are created on first use, as that may take a second.
    """

    def __init__(self):
        self._devices, self._lock = {}, threading.Lock()
        self._pending = None  # after the first use: the names of the remaining engines

    def _add(self, name):
        """Create the devices of an engine if it works; raise an error if a chosen engine fails."""
        count = 0
        try:
            engine_class = engine(name)
            count = engine_class.count()
        except (Unavailable, ModuleNotFoundError) as error:
            if os.environ.get(CHOICE):
                reason = f"{CHOICE}: no device for {name}: {error}"
                raise BadSetting(f"{reason}; or choose other engines") from None
        for number in range(count):
            device_id = len(self._devices)
            self._devices[device_id] = OffloadDevice(device_id, engine_class(number))

    def __getitem__(self, number):
        with self._lock:
            if self._pending is None:
                self._pending = chosen()
            while number not in self._devices and self._pending:
                self._add(self._pending[0])
                del self._pending[0]  # not after an error, so that the next call raises it again
            if number not in self._devices:
                raise KeyError(f"no device {number}: there are {len(self._devices)}")
            return self._devices[number]

    def in_use(self):
        """Return whether a device has been used."""
        return bool(self._devices)

    def __len__(self):
        return sum(1 for _ in self)

    def __iter__(self):
        return itertools.takewhile(self.__contains__, itertools.count())

    def __repr__(self):
        return repr(dict(self))


devices = Devices()


def device(number):
    """Return the device with this number, as `devices[number]`, for the option of a rung."""
    if number not in devices:
        raise ValueError(f"device must be 0 to {len(devices) - 1}, got {number!r}")
    return devices[number]


def number_of_devices():
    """Return the number of devices."""
    return len(devices)
