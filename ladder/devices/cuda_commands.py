"""The commands of a CUDA stream: their times, and their costs for the host program.

A CUDA event is a mark in a stream, which gets a time stamp when the device reaches it; there is one
before each command and one after it. An idle device reaches the first one while the host is still
preparing the command, which then seems to take some microseconds longer.
"""

import contextlib
import time
from dataclasses import dataclass

import numpy as np

from ladder.devices import Command
from polymask.contract import Unavailable

FEW = 8  # numbers


@dataclass(frozen=True)
class Span:
    """A command between two events, and the time at which the host queued it."""

    queued: float
    start_event: object
    end_event: object


@contextlib.contextmanager
def command(name, stream, events, make_event=None):
    """Record an event before and an event after the commands of a block, in a dict `events`.

    If `events` is None, nothing is recorded. `make_event` makes an event, CuPy's for its streams;
    default: Numba's.
    """
    if events is None:
        yield
        return
    if make_event is None:
        from numba.cuda import event as make_event

    start_event, end_event = make_event(), make_event()
    queued = time.perf_counter()
    start_event.record(stream)
    yield
    end_event.record(stream)
    events[name] = Span(queued, start_event, end_event)


def commands(events):
    """Convert the events of `command` to `Command`s, in order; the stream must be synchronized.

    The run times are CUDA's. The times at which commands were queued are those of the host's clock,
    relative to the first.
    """
    from numba import config

    if config.ENABLE_CUDASIM:
        raise Unavailable("Numba's simulator measures no times", "unset NUMBA_ENABLE_CUDASIM")
    first = next(iter(events.values()), None)
    result = []
    for name, span in events.items():
        start, end = (elapsed_s(first.start_event, at) for at in (span.start_event, span.end_event))
        queued = min(span.queued - first.queued, start)
        result.append(Command(name, queued, queued, start, end))
    return result


def elapsed_s(start, end):
    """Return the seconds between two events, both Numba's or both CuPy's."""
    if hasattr(start, "elapsed_time"):
        return 1e-3 * start.elapsed_time(end)
    from cupy.cuda import get_elapsed_time

    return 1e-3 * get_elapsed_time(start, end)


def launch():
    """Map the name of each of the host's costs per mask to a function that causes it."""
    from numba import cuda

    @cuda.jit
    def empty(numbers):
        pass

    stream = cuda.stream()
    h_numbers = np.zeros(FEW)
    d_numbers = cuda.to_device(h_numbers, stream=stream)

    def round_trip():
        d_numbers.copy_to_device(h_numbers, stream=stream)
        empty[1, 1, stream](d_numbers)
        d_numbers.copy_to_host(h_numbers, stream=stream)
        stream.synchronize()

    round_trip()  # compiles the kernel
    return {
        "cuda_stream_s": cuda.stream,
        "cuda_array_s": lambda: cuda.device_array(FEW, stream=stream),
        "cuda_round_trip_s": round_trip,
    }
