"""The commands of a CUDA stream: their times, and what the host program pays to pass them.

CUDA's events are marks in a stream, stamped when the device gets there: one before a command and
one behind it. A device that has nothing to do stamps the first while the host still prepares the
command, which then seems to last longer, by some microseconds.
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
    """A command between two events, and when the host put it into the stream."""

    queued: float
    began: object
    ended: object


@contextlib.contextmanager
def command(name, stream, events):
    """Put an event before and one behind what is put into the stream; keep them in a dict `events`.

    Without one, which is None, nothing is done.
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
    """Return the `Command`s of what `command` kept, in its order; the stream has been waited for.

    CUDA says when a command ran. When it was queued is by the host's clock, from the first on.
    """
    from numba import config

    if config.ENABLE_CUDASIM:
        raise Unavailable("Numba's simulator tells no times", "unset NUMBA_ENABLE_CUDASIM")
    first = next(iter(events.values()), None)
    found = []
    for name, span in events.items():
        start, end = (1e-3 * first.began.elapsed_time(one) for one in (span.began, span.ended))
        queued = min(span.queued - first.queued, start)
        found.append(Command(name, queued, queued, start, end))
    return found


def launch():
    """Return name to a function that does one of what the host program does for each mask."""
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
