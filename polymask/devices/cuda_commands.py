"""The commands of a CUDA stream: their times, and their costs for the host program.

CUDA's events are marks in a stream, with a time stamp when the device reaches them: one before a
command and one behind it. An idle device stamps the first while the host still prepares the
command, which then seems to last longer by some microseconds.
"""

import contextlib
import time
from dataclasses import dataclass

import numpy as np

from polymask.contract import Unavailable
from polymask.devices import Command

FEW = 8  # numbers


@dataclass(frozen=True)
class Span:
    """A command between two events, and the time at which the host queued it."""

    queued: float
    began: object
    ended: object


@contextlib.contextmanager
def command(name, stream, events):
    """Record an event before and behind the commands of a block; keep them in a dict `events`.

    Without a dict (None) nothing is recorded.
    """
    if events is None:
        yield
        return
    from numba import cuda

    began, ended = cuda.event(), cuda.event()
    queued = time.perf_counter()
    began.record(stream)
    yield
    ended.record(stream)
    events[name] = Span(queued, began, ended)


def commands(events):
    """Return the `Command`s of the events of `command`, in order, after a wait for the stream.

    The run times come from CUDA. The times of queueing come from the host's clock, relative to the
    first.
    """
    from numba import config

    if config.ENABLE_CUDASIM:
        raise Unavailable("Numba's simulator tells no times", "unset NUMBA_ENABLE_CUDASIM")
    first = next(iter(events.values()), None)
    result = []
    for name, span in events.items():
        start, end = (1e-3 * first.began.elapsed_time(event) for event in (span.began, span.ended))
        queued = min(span.queued - first.queued, start)
        result.append(Command(name, queued, queued, start, end))
    return result


def launch():
    """Return name to a function that causes one of the host's costs per mask."""
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
