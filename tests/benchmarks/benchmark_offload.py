"""What the offload runtime costs: latencies, copies and products, beside what does without it.

    python tests/benchmarks/benchmark_offload.py offload     # offload.json and three charts
    python tests/benchmarks/benchmark_offload.py offload --engines host,opencl --seconds 2

All that is compared is measured in one run, in shuffled rounds, one call for each sample; what is
reported is medians. Not part of `make test`: an idle machine is what it needs.

Yardsticks: an empty function by ctypes, the same handed over to a Python thread by a queue, and
NumPy's copy, into an array that is there and into a fresh one.
"""

import os

os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import ctypes
import dataclasses
import importlib.util
import json
import queue
import random
import threading
import time
from pathlib import Path

import click
import numpy as np

from polymask import contract, offload, saving, stats
from polymask.bench import machine
from polymask.offload.engines import NAMES, engine, host
from polymask.offload.source import KERNELS
from polymask.report import figures
from polymask.report.charts import drawing, labels

ROOT = Path(__file__).parents[2]
EMPTY, ARGUMENTS = KERNELS / "empty.c", 6  # a kernel that does nothing, and how many it takes
LARGEST = 2**27
BAR_SIZE = 2**24  # bytes at which copies are held against NumPy's
LEAST, MOST = 5, 2000  # samples


@dataclasses.dataclass
class Contender:
    """Something to measure: a call, and what has to be done after it off the clock."""

    call: object
    after: object = None


def measure(contenders, seconds):
    """Return name to samples in seconds: rounds in shuffled order until the time is over."""
    shuffled = random.Random(0)
    samples = {name: [] for name in contenders}
    for one in contenders.values():  # first use is over before anything counts
        for _ in range(2):
            one.call()
            if one.after:
                one.after()
    until, rounds = time.perf_counter() + seconds, 0
    while rounds < LEAST or (rounds < MOST and time.perf_counter() < until):
        for name in shuffled.sample(list(contenders), len(contenders)):
            one = contenders[name]
            start = time.perf_counter()
            one.call()
            samples[name].append(time.perf_counter() - start)
            if one.after:
                one.after()
        rounds += 1
    return samples


class HandOver:
    """A Python thread that calls what it is handed through a queue, and says when it has."""

    def __init__(self):
        self.work, self.done = queue.SimpleQueue(), queue.SimpleQueue()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while (function := self.work.get()) is not None:
            function()
            self.done.put(None)

    def __call__(self, function):
        self.work.put(function)
        self.done.get()


def latencies(streams, seconds):
    """Return samples of calls that do nothing, and of binding eight bytes."""
    bare = ctypes.CDLL(str(host.compiled(EMPTY, {}))).empty
    bare.argtypes, bare.restype = [ctypes.c_void_p] * ARGUMENTS, None
    nothing, hand_over, eight = [None] * ARGUMENTS, HandOver(), np.zeros(1)

    contenders = {
        "ctypes": Contender(lambda: bare(*nothing)),
        "ctypes, queue to a thread": Contender(lambda: hand_over(lambda: bare(*nothing))),
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
    """Return samples of copies of so many bytes, each until the data are there."""
    source, goal = np.ones(nbytes, dtype=np.uint8), np.zeros(nbytes, dtype=np.uint8)
    contenders = {
        "NumPy": Contender(lambda: np.copyto(goal, source)),
        "NumPy, fresh": Contender(source.copy),
    }
    for name, stream in streams.items():
        bound, back = stream.bind(source), stream.bind(np.zeros_like(source))

        def copy_in(stream=stream, bound=bound):
            bound.update_device()
            stream.sync()

        def copy_out(stream=stream, back=back):
            back.update_host()
            stream.sync()

        def bind(stream=stream):
            stream.bind(source)
            stream.sync()

        contenders[f"{name}: in"] = Contender(copy_in)
        contenders[f"{name}: out"] = Contender(copy_out)
        contenders[f"{name}: bind"] = Contender(bind)
    return measure(contenders, seconds)


def products(streams, n, seconds):
    """Return samples of products of n x n matrices, in the styles of the lesson's example."""
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


def bars(record):
    """Return the bars of the runtime, each as (what, value, bar, whether it is met)."""
    found, calls, host = [], record["latency_s"], "host: invoke"
    if host in calls:
        ratio = stats.median_ratio(calls[f"{host}, sync"], calls["ctypes, queue to a thread"])
        found.append(
            ("host: empty kernel and sync, times the hand-over", ratio, "<= 3", ratio <= 3)
        )
        took = 1e6 * stats.median(calls[host])
        found.append(("host: invoke returns after, µs", took, "< 20", took < 20))
    copied = record["copies_s"].get(str(BAR_SIZE), {})
    for way in ("host: in", "host: out"):
        if way in copied:
            ratio = stats.median_ratio(copied["NumPy"], copied[way])
            found.append((f"{way}, 16 MiB, of NumPy's bandwidth", ratio, ">= 0.8", ratio >= 0.8))
    return found


def series(by_x, value):
    """Return name to points (x, value of the median), of samples by x and name."""
    found = {}
    for x, samples in by_x.items():
        for name, times in samples.items():
            found.setdefault(name, []).append((int(x), value(int(x), stats.median(times))))
    return found


@drawing.chart
def draw(curves, title, x_label, tick, x_tick):
    """Draw curves on logarithmic axes, each labelled on the line; NumPy's are dotted."""
    figure = drawing.figure(drawing.WIDE, 480)
    axes = drawing.axes(figure, 70, labels.room(curves), 30, 46)
    axes.set(xscale="log", yscale="log", xlabel=x_label)
    axes.grid()
    drawing.title(figure, title)
    lines = {}
    for number, (name, points) in enumerate(curves.items()):
        colour = drawing.LIGHT[drawing.OF_ROWS[number % len(drawing.OF_ROWS)]]
        dash = ":" if name.startswith("NumPy") else ("-", "--", "-.")[number // 7 % 3]
        x, y = zip(*points, strict=True)
        lines[name] = axes.plot(x, y, dash, color=colour, marker="o", markersize=3)[0]
    drawing.decades(axes.yaxis, tick)
    xs = sorted({x for points in curves.values() for x, _ in points})
    every = -(-len(xs) // 9)
    axes.set_xticks(xs, [x_tick(x) if n % every == 0 else "" for n, x in enumerate(xs)])
    axes.set_xticks([], minor=True)
    labels.put(axes, lines)
    return figure


def bytes_tick(nbytes):
    """Write a power of two: 8 B, 4 KiB, 128 MiB."""
    power = (nbytes.bit_length() - 1) // 10
    return f"{nbytes >> 10 * power} {('B', 'KiB', 'MiB')[power]}"


def charts(record):
    """Return name to figure: the times of copies, their bandwidths, and the products."""
    times = series(record["copies_s"], lambda _, median: median)
    bandwidths = series(record["copies_s"], lambda nbytes, median: 1e-9 * nbytes / median)
    flops = series(record["products_s"], lambda n, median: 2e-9 * n**3 / median)
    number, size = figures.digits, "bytes of a copy"
    return {
        "copies": draw(times, "time of a copy", size, figures.seconds_tick, bytes_tick),
        "bandwidth": draw(bandwidths, "GB/s of a copy", size, number, bytes_tick),
        "dgemm": draw(flops, "GFLOP/s of a product of n x n matrices", "n", number, str),
    }


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


@click.command()
@click.argument("stem", type=click.Path(path_type=Path))
@click.option("--engines", default=",".join(NAMES), help="apart by commas")
@click.option("--seconds", default=1.0, help="of measuring, for each size")
@click.option("--largest", default=LARGEST, help="bytes of the largest copy")
@click.option("--largest-n", default=1024, help="of the largest product")
def main(stem, engines, seconds, largest, largest_n):
    """Measure; write STEM.json, STEM-copies.svg, STEM-bandwidth.svg and STEM-dgemm.svg."""
    try:
        saving.check_room(stem.parent)  # before the minutes of measuring, not after
    except saving.NotWritten as error:
        raise click.ClickException(str(error)) from None
    record = {"schema": "polymask offload benchmark", "version": 1}
    record["machine"] = dataclasses.asdict(machine.record())
    streams = find(engines.split(","))
    if not streams:
        raise click.ClickException(f"none of these engines works here: {engines}")
    record["engines"] = {
        name: dataclasses.asdict(stream.device.engine.describe())
        for name, stream in streams.items()
    }
    record["latency_s"] = latencies(streams, seconds)
    for name, samples in record["latency_s"].items():
        click.echo(f"{name:28} {figures.seconds(stats.median(samples)):>10}")
    sizes = [2**power for power in range(3, 28) if 2**power <= largest]
    record["copies_s"] = {str(size): copies(streams, size, seconds) for size in sizes}
    ns = [2**power for power in range(4, 13) if 2**power <= largest_n]
    record["products_s"] = {str(n): products(streams, n, seconds) for n in ns}
    for n, samples in record["products_s"].items():
        rates = {name: 2e-9 * int(n) ** 3 / stats.median(s) for name, s in samples.items()}
        said = ", ".join(f"{name} {figures.digits(rate)}" for name, rate in rates.items())
        click.echo(f"dgemm of {n}, GFLOP/s: {said}")
    record["load_after"] = machine.load()
    record["bars"] = []
    for what, value, bar, met in bars(record):
        record["bars"].append({"what": what, "value": value, "bar": bar, "met": met})
        click.echo(f"{what}: {figures.digits(value)}, {bar}: {'met' if met else 'MISSED'}")
    saving.write(f"{stem}.json", json.dumps(record, indent=1) + "\n")
    for name, figure in charts(record).items():
        drawing.save(figure, f"{stem}-{name}", ("svg",))


if __name__ == "__main__":
    main()
