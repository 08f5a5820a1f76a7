"""Offload devices, as `polymask.devices` asks for a kind of device."""

import contextlib

import numpy as np

from polymask.common.errors import OffloadError
from polymask.contract import Unavailable
from polymask.devices import Command, Trial
from polymask.offload.device_list import devices
from polymask.offload.engines import source

EMPTY = source.KERNELS / "empty.c"


def check():
    """Raise `Unavailable` if device 0 compiles no kernel: the host's needs a compiler."""
    try:
        devices[0].load_library(EMPTY)
    except KeyError:
        raise Unavailable("no engine of offload works here", "run `make build`") from None
    except (ImportError, OffloadError) as error:  # a stale module, say
        raise Unavailable(str(error)) from error


def chosen():
    """Return the `Device` of number 0, or None as long as nobody has asked for one."""
    return devices[0].engine.describe() if devices.asked() else None


def cores():
    """Return how many cores of the host the device keeps busy."""
    device = devices[0].engine.describe()
    return device.compute_units if device.is_cpu else 1


def survey():
    """Return a `Trial` of each device, which is asked to compile a kernel."""
    check()
    found = []
    for number, device in devices.items():
        failure = ""
        try:
            device.load_library(EMPTY)
        except OffloadError as error:
            failure = " ".join(str(error).split())
        choice = f"device {number}, {device.engine.name}"
        found.append(Trial(device.engine.describe(), choice, failure))
    return found


def works(tried):
    """Return the first, which `check` has tried."""
    return tried[0]


def line(tried):
    """Say what came of trying one."""
    fails = f" fails: {tried.failure}" if tried.failure else ""
    return f"{tried.choice}: {tried.device.name}{fails}"


@contextlib.contextmanager
def recorded(events, *streams):
    """Put what goes into streams meanwhile into a dict: number to (name, ticket).

    Nothing is put into None, and who records around this goes on. After an error nothing of it is
    left in the streams, and the next to use them begins anew.
    """
    log = []
    if events is not None:
        for stream in streams:
            stream.log = log
    try:
        yield
    except OffloadError:
        for stream in streams:
            with contextlib.suppress(OffloadError):  # what else failed: the first error is told
                stream.sync()
        raise
    finally:
        if events is not None:
            for stream in streams:
                stream.log = None
            events |= dict(enumerate(log))


def commands(events):
    """Return the `Command`s of what `recorded` put into a dict."""
    times = [(name, ticket.times()) for name, ticket in events.values()]
    first = min((queued for _, (queued, _, _) in times), default=0)
    return [
        Command(name, queued - first, queued - first, start - first, end - first)
        for name, (queued, start, end) in times
    ]


def launch():
    """Return name to a function that does one of what the host program does for each mask."""
    stream = devices[0].get_default_stream()
    empty = devices[0].load_library(EMPTY).empty
    small, there = stream.bind(np.zeros(8)), stream.bind(np.zeros(8))

    def round_trip():
        small.update_device()
        stream.invoke(empty, small, 1, 1, 1, 0, 1, there)
        there.update_host()
        stream.sync()

    return {
        "offload_bind_s": lambda: stream.bind(small.array, update_device=False),
        "offload_round_trip_s": round_trip,
    }
