"""Offload devices as a kind of device; see `ladder.devices.Kind`."""

import contextlib

import numpy as np

from ladder.devices import Command, Kind, Trial
from ladder.offload.device_list import devices
from ladder.offload.engines import source
from polymask.common.errors import OffloadError
from polymask.contract import Unavailable

EMPTY = source.KERNELS / "empty.c"


class Offload(Kind):
    """The devices of `ladder.offload`, of which rungs use number 0 unless told otherwise."""

    def check(self):
        """Raise `Unavailable` if device 0 cannot compile a kernel; the host needs a compiler."""
        try:
            devices[0].load_library(EMPTY)
        except KeyError:
            raise Unavailable("no offload engine works here", "run `make build`") from None
        except (ImportError, OffloadError) as error:  # such as that of a stale module
            raise Unavailable(str(error)) from error

    def chosen(self):
        return devices[0].engine.describe() if devices.in_use() else None

    def cores(self):
        return devices[0].engine.describe().cores

    def survey(self):
        """Compile a kernel for each device, and return a `Trial` of each."""
        self.check()
        trials = []
        for number, device in devices.items():
            failure = ""
            try:
                device.load_library(EMPTY)
            except OffloadError as error:
                failure = " ".join(str(error).split())
            choice = f"device {number}, {device.engine.name}"
            trials.append(Trial(device.engine.describe(), choice, failure))
        return trials

    def line(self, trial):
        fails = f" fails: {trial.failure}" if trial.failure else ""
        return f"{trial.choice}: {trial.device.name}{fails}"

    def commands(self, events):
        """Return the `Command`s of the events that `recorded` has put into a dict."""
        times = [(name, ticket.times()) for name, ticket in events.values()]
        first = min((queued for _, (queued, _, _) in times), default=0)
        return [
            Command(name, queued - first, queued - first, start - first, end - first)
            for name, (queued, start, end) in times
        ]

    def launch(self):
        stream = devices[0].get_default_stream()
        empty = devices[0].load_library(EMPTY).empty
        first, second = stream.bind(np.zeros(8)), stream.bind(np.zeros(8))

        def round_trip():
            first.update_device()
            stream.invoke(empty, first, 1, 1, 1, 0, 1, second)
            second.update_host()
            stream.sync()

        return {
            "offload_bind_s": lambda: stream.bind(first.array, update_device=False),
            "offload_round_trip_s": round_trip,
        }


KIND = Offload()


@contextlib.contextmanager
def recorded(events, *streams):
    """Record the commands of streams in a dict `events`: a number to (name, ticket).

    With None, nothing is recorded, and an enclosing recording continues. After an error, the
    streams are synced, so that their next use does not meet the failed work.
    """
    recording = streams if events is not None else ()
    for stream in recording:
        stream.log = events
    try:
        yield
    except OffloadError:
        for stream in streams:
            with contextlib.suppress(OffloadError):  # `raise` below raises the first error
                stream.sync()
        raise
    finally:
        for stream in recording:
            stream.log = None
