"""Measures the costs of the offload runtime: latencies, copies and products, and yardsticks.

    python -m benchmarks.offload.measure results/offload/DATE-CPU
    python -m benchmarks.offload.measure offload --engines host,opencl --seconds 2

All calls are measured in one run, in rounds of shuffled order, and in two ways: a *single call*,
after other calls have used the caches and the cores, and the calls that follow it *in a row*.
`record.py` writes the results. The machine should be idle.

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
import importlib.util
import queue
import threading
import time
from pathlib import Path

import click
import numpy as np

from benchmarks.harness.tasks import in_rounds
from benchmarks.offload import record as offload_record
from benchmarks.offload.record import (
    BARE,
    FRESH,
    HAND_OVER,
    HANDED,
    NUMPY,
    WAYS,
    Record,
    Row,
    Timing,
)
from ladder import offload
from ladder.bench import machine
from ladder.common.busy import load_average
from ladder.offload.engines import NAMES, engine, host_compiler
from ladder.offload.engines.source import KERNELS
from polymask import contract
from polymask.common import saving

ROOT = Path(__file__).parents[2]
EMPTY, ARGUMENTS = KERNELS / "empty.c", 7  # a kernel without work, and its number of arguments
LARGEST = 2**27
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
        BARE: Contender(call),
        HANDED: Contender(lambda: hand_over.hand(call), hand_over.wait),
        HAND_OVER: Contender(hand_over_and_wait),
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


def copies(streams, nbytes, seconds):
    """Return the rows of copies of `nbytes` bytes, including the wait for their end."""

    def ones():
        return np.ones(nbytes, dtype=np.uint8)

    destination = np.zeros(nbytes, dtype=np.uint8)
    contenders = {
        NUMPY: Contender(functools.partial(np.copyto, destination, ones())),
        FRESH: Contender(ones().copy),
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
    return measure(contenders, seconds)


def products(streams, n, seconds):
    """Return the rows of products of n x n matrices, in all styles of the lesson's example."""
    a, b = np.random.default_rng(0).random((2, n, n))
    c, expected = np.empty((n, n)), a @ b
    contenders = {}
    for name, stream in streams.items():
        styles = example("dgemm", stream).styles(a, b, c)
        for style, multiply in styles.items():
            multiply()
            np.testing.assert_allclose(c, expected, rtol=1e-10)
            c.fill(np.nan)
            key = style if style == "NumPy" else f"{name}: {style}"
            contenders[key] = Contender(multiply)
    return measure(contenders, seconds)


def example(name, stream):
    """Import an example of the lesson, and set its stream."""
    file = ROOT / "7_offload" / "examples" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.device, module.stream = stream.device, stream
    module.dgemm = stream.device.load_library(file.with_suffix(".c")).dgemm
    return module


def open_streams(names):
    """Map each working engine to a stream; print a line for each engine that fails."""
    streams = {}
    for name in names:
        if name not in NAMES:
            raise click.BadParameter(f"{name!r} is not one of {', '.join(NAMES)}")
        try:
            kind = engine(name)
            if kind.count():
                streams[name] = offload.OffloadDevice(len(streams), kind(0)).create_stream()
        except (contract.Unavailable, ModuleNotFoundError) as missing:
            click.echo(f"{name} is skipped: {missing}")
    return streams


@click.command(help=__doc__.replace("\n\n", "\n\n\b\n", 1))
@click.argument("stem", type=click.Path(path_type=Path))
@click.option("--engines", default=",".join(NAMES), help="Measure these, separated by commas.")
@click.option("--seconds", default=1.0, help="Measure each size for this time.")
@click.option("--largest", default=LARGEST, help="Set the bytes of the largest copy.")
@click.option("--largest-n", default=1024, help="Set the n of the largest product.")
def main(stem, engines, seconds, largest, largest_n):
    """Measure, and write the record and its charts."""
    try:
        saving.check_room(stem.parent)  # before the measurement, which takes minutes
    except saving.NotWritten as error:
        raise click.ClickException(str(error)) from None
    this_machine = machine.record()
    streams = open_streams(engines.split(","))
    if not streams:
        raise click.ClickException(f"none of these engines works here: {engines}")
    sizes = [2**power for power in range(3, 28) if 2**power <= largest]
    ns = [2**power for power in range(4, 13) if 2**power <= largest_n]
    record = Record(
        machine=this_machine,
        engines={name: stream.device.engine.describe() for name, stream in streams.items()},
        latency=latencies(streams, seconds),
        copies={str(size): copies(streams, size, seconds) for size in sizes},
        products={str(n): products(streams, n, seconds) for n in ns},
    )
    record.machine.load_after = load_average()
    file = Path(f"{stem}.json")
    offload_record.save(record, file)
    offload_record.draw_all(record, stem)
    click.echo(offload_record.text(record, file.name))


if __name__ == "__main__":
    main()
