"""The record of the offload benchmark: reading, writing, tables and charts.

    python -m benchmarks.offload.record results/offload/DATE-CPU.json 7_offload/README.md

redraws the charts beside the record, and writes its tables between the marks of the page.
"""

import dataclasses
import json
import os
import re
from pathlib import Path

import click

from ladder.bench import result_json
from ladder.bench.result import Count, Interval, Machine, Positive
from ladder.common import confidence
from ladder.devices import Device
from ladder.report import lessons, marks
from ladder.report.charts import drawing
from polymask.common import figures, saving

SCHEMA = "polymask offload benchmark 2"
BARE = "ctypes"
HANDED, HAND_OVER = "ctypes, handed to a thread", "ctypes, handed to a thread and waited for"
NUMPY, FRESH = "NumPy", "NumPy, fresh array"
BAR_SIZE = 2**24  # bytes of the copies that are compared with NumPy's
WAYS = ("single", "in_a_row")  # the fields of a `Row`
IN_A_ROW = ", in a row"  # ends the key of a dashed curve


@dataclasses.dataclass(slots=True, kw_only=True)
class Timing:
    """The seconds of a call: the median of n samples, its 95 % interval, and the minimum."""

    median_s: Positive
    ci95_s: Interval | None
    least_s: Positive
    n: Count

    @classmethod
    def of(cls, samples):
        """Return the timing of samples in seconds, rounded to their significant digits."""
        ends = confidence.bootstrap_ci95(samples)
        return cls(
            median_s=round_time(confidence.median(samples)),
            ci95_s=ends and tuple(map(round_time, ends)),
            least_s=round_time(min(samples)),
            n=len(samples),
        )


@dataclasses.dataclass(slots=True, kw_only=True)
class Row:
    """A call, timed in two ways."""

    single: Timing  # the first call after other work, which has used the caches and the cores
    in_a_row: Timing  # the calls that follow it without interruption


Rows = dict[str, Row]


@dataclasses.dataclass(slots=True, kw_only=True)
class Record:
    """A run of the benchmark."""

    machine: Machine
    engines: dict[str, Device]
    latency: Rows  # calls without work
    copies: dict[str, Rows]  # by number of bytes
    products: dict[str, Rows]  # of n x n matrices, by n


def round_time(seconds):
    """Round to four digits, as a clock with nanoseconds gives no more."""
    return float(f"{seconds:.4g}")


def save(record, file):
    """Write a record as JSON, with each timing on one line."""
    text = json.dumps({"schema": SCHEMA} | dataclasses.asdict(record), indent=1, allow_nan=False)
    flat = re.sub(r'\{\s+"median_s"[^}]*\}', lambda match: " ".join(match[0].split()), text)
    saving.write(file, flat + "\n")


def load(file):
    """Read a record; a ValueError names a bad file and what is wrong with it."""
    fields = json.loads(Path(file).read_text(encoding="utf-8"))
    if not isinstance(fields, dict) or fields.pop("schema", None) != SCHEMA:
        raise ValueError(f"{file} is not a {SCHEMA}: run benchmarks.offload.measure again")
    return result_json.whole(Record, fields, file)


BARS = {  # of the host engine: the title, with the limit, and whether a value meets it
    "time of an empty kernel with `sync`, relative to the call in a thread": (
        "≤ 3",
        lambda value: value <= 3,
    ),
    "µs until `invoke` returns": ("< 20", lambda value: value < 20),
    "bandwidth of a copy in, 16 MiB, relative to NumPy's": ("≥ 0.8", lambda value: value >= 0.8),
    "bandwidth of a copy out, 16 MiB, relative to NumPy's": ("≥ 0.8", lambda value: value >= 0.8),
}


def bar_values(record, way):
    """Return the values of the bars in one way, as far as they were measured."""

    def seconds(rows, name):
        return getattr(rows[name], way).median_s if name in rows else None

    latency, copies = record.latency, record.copies.get(str(BAR_SIZE), {})
    pairs = [
        (seconds(latency, "host: invoke, sync"), seconds(latency, HAND_OVER)),
        (seconds(latency, "host: invoke"), 1e-6),
        (seconds(copies, NUMPY), seconds(copies, "host: in")),
        (seconds(copies, NUMPY), seconds(copies, "host: out")),
    ]
    return [value and unit and value / unit for value, unit in pairs]


def bars_lines(record):
    """Yield the lines of the table of bars that were measured, in both ways."""
    values = zip(*(bar_values(record, way) for way in WAYS), strict=True)
    for (title, (limit, is_met_by)), ways in zip(BARS.items(), values, strict=True):
        if None not in ways:
            cells = (f"{figures.digits(v)}, {'met' if is_met_by(v) else 'missed'}" for v in ways)
            yield f"| {title} | {limit} | {' | '.join(cells)} |"


def text(record, name):
    """Return a page's text about the record in a file: pictures, two tables, and the origin."""
    stem = name.removesuffix(".json")
    pictures = [f"![{title}]({stem}-{kind}.svg)" for kind, (title, *_) in curves(record).items()]
    calls = [*record.latency.items()]
    if largest := record.copies.get(str(BAR_SIZE)):
        calls += [(f"{key}, 16 MiB", row) for key, row in largest.items()]
    times = ["| call | single call | in a row |", "|:--|--:|--:|"]
    for key, row in calls:
        cells = (figures.seconds(getattr(row, way).median_s) for way in WAYS)
        times.append(f"| {key} | {' | '.join(cells)} |")
    requirements = ["| host engine | bar | single call | in a row |", "|:--|--:|--:|--:|"]
    requirements += bars_lines(record)
    machine = record.machine
    engines = figures.listed([f"{key} ({device.name})" for key, device in record.engines.items()])
    origin = (
        f"Medians, on {machine.cpu}, {figures.count(machine.affinity or machine.cores, 'core')}, "
        f"{machine.date[:10]}, load {figures.digits(machine.load_before, 2)} before and "
        f"{figures.digits(machine.load_after, 2)} after; engines: {engines}. "
        f"[All sizes and intervals]({name})."
    )
    parts = [*pictures, "\n".join(times), "\n".join(requirements), origin]
    return "\n" + "\n\n".join(parts) + "\n\n"


def curves(record):
    """Map each chart's name to its title, x label, formats of y and x ticks, and curves."""
    charts = {}
    for engine in record.engines:
        series = {}
        for size, rows in record.copies.items():
            for key, row in rows.items():
                owner, colon, call = key.partition(": ")
                if colon and owner != engine:
                    continue
                for way in WAYS:
                    point = int(size), getattr(row, way).median_s
                    series.setdefault((call or key, way), []).append(point)
        title = f"time of a copy, engine {engine}"
        charts[f"copies-{engine}"] = title, "bytes", figures.seconds_tick, bytes_tick, series
    flops = {}
    for n, rows in record.products.items():
        for key, row in rows.items():
            rate = 2e-9 * int(n) ** 3 / row.single.median_s
            flops.setdefault((key, "single"), []).append((int(n), rate))
    title = "GFLOP/s of a product of n x n matrices"
    charts["dgemm"] = title, "n", figures.stated, str, flops
    return charts


@drawing.chart
def draw(title, x_label, y_tick, x_tick, series):
    """Draw labelled curves on logarithmic axes; those of calls in a row are dashed."""
    keys = {(name, way): f"{name}{IN_A_ROW if way == 'in_a_row' else ''}" for name, way in series}
    names = list(dict.fromkeys(name for name, _ in series))
    figure = drawing.figure(drawing.WIDE, 480)
    axes = drawing.axes(figure, 70, drawing.room_for_keys(keys.values()), 30, 46)
    axes.set(xscale="log", yscale="log", xlabel=x_label)
    axes.grid()
    drawing.title(figure, title)
    lines = {}
    for (name, way), points in series.items():
        turn, place = divmod(names.index(name), len(drawing.OF_ROWS))
        colour = drawing.LIGHT[drawing.OF_ROWS[place]]
        dash = "--" if way == "in_a_row" else ("-", "-.")[turn % 2]
        x, y = zip(*points, strict=True)
        plotted = axes.plot(x, y, dash, color=colour, marker="o", markersize=3)
        lines[keys[name, way]] = plotted[0]
    drawing.decades(axes.yaxis, y_tick)
    xs = sorted({x for points in series.values() for x, _ in points})
    step = -(-len(xs) // 9)
    axes.set_xticks(xs, [x_tick(x) if n % step == 0 else "" for n, x in enumerate(xs)])
    axes.set_xticks([], minor=True)
    drawing.keys_at_right(axes, lines)
    return figure


def bytes_tick(nbytes):
    """Return a power of two as a text: 8 B, 4 KiB, 128 MiB."""
    power = (nbytes.bit_length() - 1) // 10
    return f"{nbytes >> 10 * power} {('B', 'KiB', 'MiB')[power]}"


def draw_all(record, stem):
    """Write the charts of a record as STEM-copies-ENGINE.svg and STEM-dgemm.svg."""
    for kind, chart in curves(record).items():
        drawing.save(draw(*chart), f"{stem}-{kind}", ("svg",))


def rewrite(page, file):
    """Write the tables of a record's file between the marks of a page."""
    name = Path(os.path.relpath(file, Path(page).parent)).as_posix()
    entry = name, text(load(file), name)
    marks.rewrite(page, lambda mark: None if lessons.IN in mark else entry)


@click.command(help=__doc__.replace("\n\n", "\n\n\b\n", 1))
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("page", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(file, page):
    """Draw the charts, and write the tables."""
    draw_all(load(file), file.with_suffix(""))
    rewrite(page, file)


if __name__ == "__main__":
    main()
