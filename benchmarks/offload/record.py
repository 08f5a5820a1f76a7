"""What the offload benchmark leaves, a `Record`: written, read and shown here alone.

    python -m benchmarks.offload.record results/offload/DATE-CPU.json 7_offload/README.md

draws its charts beside it again, and writes its tables between the marks of the page.
"""

import dataclasses
import json
import os
import re
from pathlib import Path

import click

from polymask.bench import result_json
from polymask.bench.result import Count, Interval, Machine, Positive
from polymask.common import confidence, saving
from polymask.devices import Device
from polymask.report import figures, marks
from polymask.report.charts import curve_keys, drawing

SCHEMA = "polymask offload benchmark 2"
BARE = "ctypes"
HANDED, HAND_OVER = "ctypes, handed to a thread", "ctypes, handed to a thread and waited for"
NUMPY, FRESH = "NumPy", "NumPy, fresh array"
BAR_SIZE = 2**24  # bytes at which copies are held against NumPy's
WAYS = ("single", "in_a_row")  # the fields of a `Row`
IN_A_ROW = ", in a row"  # the end of the key of such a curve, which is dashed


@dataclasses.dataclass(slots=True, kw_only=True)
class Timing:
    """The seconds of a call: the median of n samples with its 95 % interval, and the least."""

    median_s: Positive
    ci95_s: Interval | None
    least_s: Positive
    n: Count

    @classmethod
    def of(cls, samples):
        """Return the timing that samples in seconds come to, with the digits that these carry."""
        ends = confidence.bootstrap_ci95(samples)
        return cls(
            median_s=rounded(confidence.median(samples)),
            ci95_s=ends and tuple(map(rounded, ends)),
            least_s=rounded(min(samples)),
            n=len(samples),
        )


@dataclasses.dataclass(slots=True, kw_only=True)
class Row:
    """A call, timed in two ways."""

    single: Timing  # the first after other calls, which have had the caches and the cores
    in_a_row: Timing  # those after it, of which nothing comes between


Rows = dict[str, Row]


@dataclasses.dataclass(slots=True, kw_only=True)
class Record:
    """One run of the benchmark."""

    machine: Machine
    engines: dict[str, Device]
    latency: Rows  # what does nothing
    copies: dict[str, Rows]  # by the number of bytes
    products: dict[str, Rows]  # of n x n matrices, by n


@dataclasses.dataclass(slots=True, kw_only=True)
class Bar:
    """What the runtime has to reach, what it did in one way, and whether that is enough."""

    what: str
    bar: str
    way: str
    value: float
    met: bool


def rounded(seconds):
    """Round to four digits: a clock of nanoseconds has no more to say."""
    return float(f"{seconds:.4g}")


def save(record, file):
    """Write a record as JSON, each timing on a line."""
    text = json.dumps({"schema": SCHEMA} | dataclasses.asdict(record), indent=1, allow_nan=False)
    flat = re.sub(r'\{\s+"median_s"[^}]*\}', lambda found: " ".join(found[0].split()), text)
    saving.write(file, flat + "\n")


def load(file):
    """Read a record; a ValueError that names the file says why it is none."""
    found = json.loads(Path(file).read_text(encoding="utf-8"))
    if not isinstance(found, dict) or found.pop("schema", None) != SCHEMA:
        raise ValueError(f"{file} holds no {SCHEMA!r}: measure again by benchmarks.offload.measure")
    return result_json.whole(Record, found, file)


def bars(record):
    """Return the `Bar`s of the host engine of which something was measured, in both ways."""
    found = []
    copied = record.copies.get(str(BAR_SIZE), {})
    for way in WAYS:

        def times(rows, name, way=way):
            return getattr(rows[name], way).median_s

        if "host: invoke" in record.latency:
            ratio = times(record.latency, "host: invoke, sync") / times(record.latency, HAND_OVER)
            what = "empty kernel with `sync`, times the call handed over and waited for"
            found.append(Bar(what=what, bar="≤ 3", way=way, value=ratio, met=ratio <= 3))
            took = 1e6 * times(record.latency, "host: invoke")
            what = "`invoke` returns, after µs"
            found.append(Bar(what=what, bar="< 20", way=way, value=took, met=took < 20))
        for name in ("host: in", "host: out"):
            if name in copied:
                ratio = times(copied, NUMPY) / times(copied, name)
                what = f"copy {name.partition(' ')[2]} of 16 MiB, as part of NumPy's bandwidth"
                found.append(Bar(what=what, bar="≥ 0.8", way=way, value=ratio, met=ratio >= 0.8))
    return found


def bars_by_name(record):
    """Return the bars of a record, name to the two of its ways."""
    found = {}
    for bar in bars(record):
        found.setdefault(bar.what, []).append(bar)
    return found


def text(record, name):
    """Return what a page shows of the record in a file: pictures, two tables, where it is from."""
    stem = name.removesuffix(".json")
    pictures = [f"![{title}]({stem}-{kind}.svg)" for kind, (title, *_) in curves(record).items()]
    timed = [*record.latency.items()]
    if largest := record.copies.get(str(BAR_SIZE)):
        timed += [(f"{key}, 16 MiB", row) for key, row in largest.items()]
    lines = ["| call | single call | in a row |", "|:--|--:|--:|"]
    for key, row in timed:
        ways = (figures.seconds(getattr(row, way).median_s) for way in WAYS)
        lines.append(f"| {key} | {' | '.join(ways)} |")
    held = ["| host engine | bar | single call | in a row |", "|:--|--:|--:|--:|"]
    for what, ways in bars_by_name(record).items():
        said = (f"{figures.digits(b.value)}, {'met' if b.met else 'missed'}" for b in ways)
        held.append(f"| {what} | {ways[0].bar} | {' | '.join(said)} |")
    machine = record.machine
    engines = figures.listed([f"{key} ({one.name})" for key, one in record.engines.items()])
    where = (
        f"Medians, on {machine.cpu}, {figures.count(machine.affinity or machine.cores, 'core')}, "
        f"{machine.date[:10]}, load {figures.digits(machine.load_before, 2)} before and "
        f"{figures.digits(machine.load_after, 2)} after; engines: {engines}. "
        f"[All sizes and intervals]({name})."
    )
    parts = [*pictures, "\n".join(lines), "\n".join(held), where]
    return "\n" + "\n\n".join(parts) + "\n\n"


def curves(record):
    """Return name to title, label of x, of y's ticks and of x's, and the curves of each chart."""
    found = {}
    for engine in record.engines:
        series = {}
        for size, rows in record.copies.items():
            for key, row in rows.items():
                owner, colon, what = key.partition(": ")
                if colon and owner != engine:
                    continue
                for way in WAYS:
                    point = int(size), getattr(row, way).median_s
                    series.setdefault((what or key, way), []).append(point)
        title = f"time of a copy, engine {engine}"
        found[f"copies-{engine}"] = title, "bytes", figures.seconds_tick, bytes_tick, series
    flops = {}
    for n, rows in record.products.items():
        for key, row in rows.items():
            rate = 2e-9 * int(n) ** 3 / row.single.median_s
            flops.setdefault((key, "single"), []).append((int(n), rate))
    title = "GFLOP/s of a product of n x n matrices"
    found["dgemm"] = title, "n", figures.stated, str, flops
    return found


@drawing.chart
def draw(title, x_label, y_tick, x_tick, series):
    """Draw curves on logarithmic axes, each labelled on the line; calls in a row are dashed."""
    keys = {(name, way): f"{name}{IN_A_ROW if way == 'in_a_row' else ''}" for name, way in series}
    names = list(dict.fromkeys(name for name, _ in series))
    figure = drawing.figure(drawing.WIDE, 480)
    axes = drawing.axes(figure, 70, curve_keys.room(keys.values()), 30, 46)
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
    every = -(-len(xs) // 9)
    axes.set_xticks(xs, [x_tick(x) if n % every == 0 else "" for n, x in enumerate(xs)])
    axes.set_xticks([], minor=True)
    curve_keys.put(axes, lines)
    return figure


def bytes_tick(nbytes):
    """Write a power of two: 8 B, 4 KiB, 128 MiB."""
    power = (nbytes.bit_length() - 1) // 10
    return f"{nbytes >> 10 * power} {('B', 'KiB', 'MiB')[power]}"


def draw_all(record, stem):
    """Write the charts of a record as STEM-copies-ENGINE.svg and STEM-dgemm.svg."""
    for kind, chart in curves(record).items():
        drawing.save(draw(*chart), f"{stem}-{kind}", ("svg",))


def rewrite(page, file):
    """Write the tables of the record in a file between the marks of a page."""
    name = Path(os.path.relpath(file, Path(page).parent)).as_posix()
    marks.rewrite(page, lambda _: (name, text(load(file), name)))


@click.command(help=__doc__.replace("\n\n", "\n\n\b\n", 1))
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("page", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(file, page):
    """Draw the charts, and write the tables."""
    draw_all(load(file), file.with_suffix(""))
    rewrite(page, file)


if __name__ == "__main__":
    main()
