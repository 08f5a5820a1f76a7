"""Measures the costs of the offload runtime: calls without work, copies, and yardsticks.

    python -m benchmarks.offload.measure results/offload/DATE-CPU

All calls are measured in one run, in rounds of shuffled order, and in two ways: a *single call*,
after other calls have used the caches and the cores, and the calls that follow it *in a row*.
The machine should be idle.

Each call has its own arrays. With one source for all, NumPy's copy and the copy to the device found
it in a cache, but the copy back, from memory that no other call reads, did not: they took 1.8, 1.9
and 2.4 ms at best for 16 MiB. Pages, alignment and the other core have little effect on the CPU
time of a copy (2.50 or 2.6 ms; Intel Xeon, 2026-11-22).

The yardsticks are an empty function called with ctypes, the same call handed to a Python thread
through a queue, with and without a wait, and NumPy's copy into an existing and into a new array.
"""

import os

os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import ctypes
import dataclasses
import functools
import queue
import threading
import time
from pathlib import Path

import click
import numpy as np

from benchmarks.harness.tasks import in_rounds
from benchmarks.offload import record as offload_record
from benchmarks.offload.record import WAYS, Record, Row, Timing
from ladder import offload
from ladder.bench import machine
from ladder.common.busy import load_average
from ladder.offload.engines import NAMES, engine, host_compiler
from ladder.offload.engines.source import KERNELS
from polymask import contract
from polymask.common import saving

EMPTY, ARGUMENTS = KERNELS / "empty.c", 7  # a kernel without work, and its number of arguments
COPY = 2**24  # bytes
MOST_ROUNDS = 1000
ROW_S, MOST_IN_A_ROW = 0.002, 50  # the duration of calls in a row, and their maximum number


@dataclasses.dataclass
class Contender:
    """A call to measure, and a function `after`, which prepares the next call and is not timed."""

    call: object
    after: object = lambda: None
    in_a_row: int = 1  # calls, followed by one call to `after`

    def time(self, count=1):
        """Make calls in a row; return the seconds of one."""
        start = time.perf_counter()
        for _ in range(count):
            self.call()
        seconds = time.perf_counter() - start
        self.after()
        return seconds / count


def measure(contenders, seconds):
    """Measure in rounds of shuffled order until the time is over; map each name to its `Row`."""
    samples = {name: {way: [] for way in WAYS} for name in contenders}
    for contender in contenders.values():
        contender.time()  # the first call has additional costs
        contender.in_a_row = int(min(max(ROW_S / contender.time(), 1), MOST_IN_A_ROW))
    for name in in_rounds(list(contenders), seconds, MOST_ROUNDS):
        contender = contenders[name]
        samples[name]["single"].append(contender.time())
        samples[name]["in_a_row"].append(contender.time(contender.in_a_row))
    return {
        name: Row(**{way: Timing.of(times) for way, times in ways.items()})
        for name, ways in samples.items()
    }


class HandOver:
    """A Python thread that calls functions from a queue, and reports each call in another queue."""

    def __init__(self):
        self.work, self.reports, self.pending = queue.SimpleQueue(), queue.SimpleQueue(), 0
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        """Call the functions from the queue; None ends the thread."""
        while (function := self.work.get()) is not None:
            function()
            self.reports.put(None)

    def hand(self, function):
        """Put a function into the queue."""
        self.work.put(function)
        self.pending += 1

    def wait(self):
        """Wait for all functions in the queue."""
        while self.pending:
            self.reports.get()
            self.pending -= 1


def latencies(streams, seconds):
    """Return the rows of calls without work, and of binding eight bytes."""
    empty = ctypes.CDLL(str(host_compiler.compiled(EMPTY, {}))).empty
    empty.argtypes, empty.restype = [ctypes.c_void_p] * ARGUMENTS, None
    nulls, hand_over, array = [None] * ARGUMENTS, HandOver(), np.zeros(1)

    def call():
        empty(*nulls)

    def hand_over_and_wait():
        hand_over.hand(call)
        hand_over.wait()

    contenders = {
        "ctypes": Contender(call),
        "ctypes, handed to a thread": Contender(lambda: hand_over.hand(call), hand_over.wait),
        "ctypes, handed to a thread and waited for": Contender(hand_over_and_wait),
    }
    for name, stream in streams.items():
        kernel = stream.device.load_library(EMPTY).empty

        def invoke(stream=stream, kernel=kernel):
            stream.invoke(kernel, *nulls)

        def invoke_and_sync(stream=stream, kernel=kernel):
            stream.invoke(kernel, *nulls)
            stream.sync()

        def bind(stream=stream):
            stream.bind(array)

        contenders[f"{name}: invoke"] = Contender(invoke, stream.sync)
        contenders[f"{name}: invoke, sync"] = Contender(invoke_and_sync)
        contenders[f"{name}: bind"] = Contender(bind, stream.sync)
    rows = measure(contenders, seconds)
    hand_over.work.put(None)
    return rows


def copies(streams, seconds):
    """Return the rows of copies of 16 MiB, including the wait for their end."""

    def ones():
        return np.ones(COPY, dtype=np.uint8)

    contenders = {
        "NumPy": Contender(functools.partial(np.copyto, np.zeros(COPY, np.uint8), ones())),
        "NumPy, fresh array": Contender(ones().copy),
    }
    for name, stream in streams.items():

        def copy_in(bound):
            bound.update_device()
            bound.stream.sync()

        def copy_out(bound):
            bound.update_host()
            bound.stream.sync()

        def bind(array, stream=stream):
            stream.bind(array)
            stream.sync()

        for title, call, array in (
            ("in", copy_in, stream.bind(ones())),
            ("out", copy_out, stream.bind(ones())),
            ("bind", bind, ones()),
        ):
            contenders[f"{name}: {title}"] = Contender(functools.partial(call, array))
    rows = measure(contenders, seconds)
    return {f"{name}, 16 MiB": row for name, row in rows.items()}


def open_streams():
    """Map each working engine to a stream; print a line for each engine that fails."""
    streams = {}
    for name in NAMES:
        try:
            kind = engine(name)
            if kind.count():
                streams[name] = offload.OffloadDevice(len(streams), kind(0)).create_stream()
        except (contract.Unavailable, ModuleNotFoundError) as missing:
            click.echo(f"{name} is skipped: {missing}")
    return streams


@click.command(help=__doc__.replace("\n\n", "\n\n\b\n", 1))
@click.argument("stem", type=click.Path(path_type=Path))
@click.option("--seconds", default=1.0, help="Measure calls, and copies, for this time.")
def main(stem, seconds):
    """Measure, and write the record."""
    try:
        saving.check_room(stem.parent)  # before the measurement, which takes a minute
    except saving.NotWritten as error:
        raise click.ClickException(str(error)) from None
    this_machine = machine.record()
    streams = open_streams()
    record = Record(
        machine=this_machine,
        engines={name: stream.device.engine.describe() for name, stream in streams.items()},
        rows=latencies(streams, seconds) | copies(streams, seconds),
    )
    record.machine.load_after = load_average()
    file = Path(f"{stem}.json")
    offload_record.save(record, file)
    click.echo(offload_record.text(record, file.name))


if __name__ == "__main__":
    main()
