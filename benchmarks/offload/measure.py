"""What the offload runtime costs: latencies, copies and products, beside what does without it.

    python -m benchmarks.offload.measure results/offload/DATE-CPU
    python -m benchmarks.offload.measure offload --engines host,opencl --seconds 2

All that is compared is measured in one run, in rounds of shuffled order, and in two ways: a *single
call*, which finds caches and cores as other calls have left them, and those that follow it *in a
row*. `record.py` says what is kept, and shows it. It needs an idle machine.

Each call has arrays of its own. When one source served all, NumPy's copy and the one to the device
found it in a cache where the others had left it, and the copy back, of memory that nothing else
reads, did not: 1.8, 1.9 and 2.4 ms at best, 16 MiB. By the time that the processor spends, pages,
alignment and the other core do not matter (2.50 ms here, 2.6 there; Intel Xeon, 2026-11-22).

Yardsticks: an empty function by ctypes, the same handed over to a Python thread by a queue, waited
for or not, and NumPy's copy, into an array that is there and into a fresh one.
"""

import os

os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import ctypes
import dataclasses
import functools
import importlib.util
import queue
import random
import threading
import time
from pathlib import Path

import click
import numpy as np

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
from polymask import contract, offload
from polymask.bench import machine
from polymask.common import saving
from polymask.common.busy import load_average
from polymask.offload.engines import NAMES, engine, host_compiler
from polymask.offload.engines.source import KERNELS

ROOT = Path(__file__).parents[2]
EMPTY, ARGUMENTS = KERNELS / "empty.c", 7  # a kernel that does nothing, and how many it takes
LARGEST = 2**27
LEAST, MOST = 5, 1000  # rounds
ROW_S, MOST_IN_A_ROW = 0.002, 50  # how long calls in a row last, and how many there are at most


@dataclasses.dataclass
class Contender:
    """Something to measure: a call, and what has to be done off the clock before the next one."""

    call: object
    after: object = lambda: None
    in_a_row: int = 1  # of which `after` is done once

    def time(self, count=1):
        """Return the seconds of one of so many calls in a row."""
        start = time.perf_counter()
        for _ in range(count):
            self.call()
        took = time.perf_counter() - start
        self.after()
        return took / count


def measure(contenders, seconds):
    """Return name to `Row`: of rounds in shuffled order until the time is over."""
    shuffled = random.Random(0)
    samples = {name: {way: [] for way in WAYS} for name in contenders}
    for one in contenders.values():
        one.time()  # first use is over before anything counts
        one.in_a_row = int(min(max(ROW_S / one.time(), 1), MOST_IN_A_ROW))
    until, rounds = time.perf_counter() + seconds, 0
    while rounds < LEAST or (rounds < MOST and time.perf_counter() < until):
        for name in shuffled.sample(list(contenders), len(contenders)):
            one = contenders[name]
            samples[name]["single"].append(one.time())
            samples[name]["in_a_row"].append(one.time(one.in_a_row))
        rounds += 1
    return {
        name: Row(**{way: Timing.of(times) for way, times in ways.items()})
        for name, ways in samples.items()
    }


class HandOver:
    """A Python thread that calls what it is handed through a queue, and says when it has."""

    def __init__(self):
        self.work, self.done, self.put = queue.SimpleQueue(), queue.SimpleQueue(), 0
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        """Call what comes, until None does."""
        while (function := self.work.get()) is not None:
            function()
            self.done.put(None)

    def hand(self, function):
        """Hand a function over."""
        self.work.put(function)
        self.put += 1

    def wait(self):
        """Wait for all that has been handed over."""
        while self.put:
            self.done.get()
            self.put -= 1


def latencies(streams, seconds):
    """Return the rows of calls that do nothing, and of binding eight bytes."""
    bare = ctypes.CDLL(str(host_compiler.compiled(EMPTY, {}))).empty
    bare.argtypes, bare.restype = [ctypes.c_void_p] * ARGUMENTS, None
    nothing, hand_over, eight = [None] * ARGUMENTS, HandOver(), np.zeros(1)

    def call():
        bare(*nothing)

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
            stream.invoke(kernel, *nothing)

        def invoke_and_sync(stream=stream, kernel=kernel):
            stream.invoke(kernel, *nothing)
            stream.sync()

        def bind(stream=stream):
            stream.bind(eight)

        contenders[f"{name}: invoke"] = Contender(invoke, stream.sync)
        contenders[f"{name}: invoke, sync"] = Contender(invoke_and_sync)
        contenders[f"{name}: bind"] = Contender(bind, stream.sync)
    found = measure(contenders, seconds)
    hand_over.work.put(None)
    return found


def copies(streams, nbytes, seconds):
    """Return the rows of copies of so many bytes, each until the data are there."""

    def ones():
        return np.ones(nbytes, dtype=np.uint8)

    goal = np.zeros(nbytes, dtype=np.uint8)
    contenders = {
        NUMPY: Contender(functools.partial(np.copyto, goal, ones())),
        FRESH: Contender(ones().copy),
    }
    for name, stream in streams.items():

        def copy_in(there):
            there.update_device()
            there.stream.sync()

        def copy_out(there):
            there.update_host()
            there.stream.sync()

        def bind(array, stream=stream):
            stream.bind(array)
            stream.sync()

        for what, call, array in (
            ("in", copy_in, stream.bind(ones())),
            ("out", copy_out, stream.bind(ones())),
            ("bind", bind, ones()),
        ):
            contenders[f"{name}: {what}"] = Contender(functools.partial(call, array))
    return measure(contenders, seconds)


def products(streams, n, seconds):
    """Return the rows of products of n x n matrices, in the styles of the lesson's example."""
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
    """Import an example of the lesson, and let it use a stream."""
    file = ROOT / "7_offload" / "examples" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.device, module.stream = stream.device, stream
    module.dgemm = stream.device.load_library(file.with_suffix(".c")).dgemm
    return module


def find(names):
    """Return engine to stream, of those that work; say which do not."""
    streams = {}
    for name in names:
        if name not in NAMES:
            raise click.BadParameter(f"{name!r} is none of {', '.join(NAMES)}")
        try:
            made = engine(name)
            if made.count():
                streams[name] = offload.OffloadDevice(len(streams), made(0)).create_stream()
        except (contract.Unavailable, ModuleNotFoundError) as missing:
            click.echo(f"without {name}: {missing}")
    return streams


@click.command(help=__doc__.replace("\n\n", "\n\n\b\n", 1))
@click.argument("stem", type=click.Path(path_type=Path))
@click.option("--engines", default=",".join(NAMES), help="Apart by commas.")
@click.option("--seconds", default=1.0, help="Of measuring, for each size.")
@click.option("--largest", default=LARGEST, help="Bytes of the largest copy.")
@click.option("--largest-n", default=1024, help="Of the largest product.")
def main(stem, engines, seconds, largest, largest_n):
    """Measure, and write the record and its charts."""
    try:
        saving.check_room(stem.parent)  # before the minutes of measuring, not after
    except saving.NotWritten as error:
        raise click.ClickException(str(error)) from None
    before = machine.record()
    streams = find(engines.split(","))
    if not streams:
        raise click.ClickException(f"none of these engines works here: {engines}")
    sizes = [2**power for power in range(3, 28) if 2**power <= largest]
    ns = [2**power for power in range(4, 13) if 2**power <= largest_n]
    record = Record(
        machine=before,
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
