"""The record of the offload benchmark: reading, writing, and its table.

    python -m benchmarks.offload.record results/offload/DATE-CPU.json 7_offload/runtime.md

writes the table of the record between the marks of the page.
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
from ladder.report import lessons, marks, text_table
from polymask.common import figures, saving

SCHEMA = "polymask offload benchmark 3"
WAYS = ("single", "in_a_row")  # the fields of a `Row`


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


@dataclasses.dataclass(slots=True, kw_only=True)
class Record:
    """A run of the benchmark."""

    machine: Machine
    engines: dict[str, Device]
    rows: dict[str, Row]  # by call: without work, and copies of 16 MiB


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


def text(record, name):
    """Return a page's text about the record in a file: a table, and the origin."""
    rows = [
        (key, figures.seconds(row.single.median_s), figures.seconds(row.in_a_row.median_s))
        for key, row in record.rows.items()
    ]
    table = text_table.markdown(text_table.make("", ("call", "single call", "in a row"), 1, rows))
    machine = record.machine
    engines = figures.listed([f"{key} ({device.name})" for key, device in record.engines.items()])
    origin = (
        f"Medians, on {machine.cpu}, {figures.count(machine.affinity or machine.cores, 'core')}, "
        f"{machine.date[:10]}, load {figures.digits(machine.load_before, 2)} before and "
        f"{figures.digits(machine.load_after, 2)} after; engines: {engines}. [Intervals]({name})."
    )
    return "\n".join(["", *table, "", origin, "", ""])


def rewrite(page, file):
    """Write the table of a record's file between the marks of a page."""
    name = Path(os.path.relpath(file, Path(page).parent)).as_posix()
    entry = name, text(load(file), name)
    marks.rewrite(page, lambda mark: None if lessons.IN in mark else entry)


@click.command(help=__doc__.replace("\n\n", "\n\n\b\n", 1))
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("page", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(file, page):
    """Write the table."""
    rewrite(page, file)


if __name__ == "__main__":
    main()
