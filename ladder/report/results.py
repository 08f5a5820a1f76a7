"""Named results for reports, from the driver or from pytest-benchmark."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ladder import registry
from ladder.bench import result_json, summary
from ladder.bench.measurement import Measurement
from ladder.bench.result import Machine, Positive, Result, Sweep, Workload
from polymask.common import json_text


@dataclass(frozen=True)
class Named:
    """A result or a sweep, its name on pages, and its file if it has one."""

    name: str
    result: Result | Sweep | Any  # or a record of the checkout's benchmarks
    file: Path | None = None


def load_named(files):
    """Read the results of files, and name them, with their folder if names repeat."""
    files = [Path(file) for file in files]
    names = [file.name for file in files]
    entries = []
    for file in files:
        folder = f"{file.resolve().parent.name}/" if names.count(file.name) > 1 else ""
        entries += [Named(folder + file.name, result, file) for result in load(file)]
    return entries


def load(file):
    """Read the results of a file: one from the driver, or one per size from pytest-benchmark.

    Raises `ValueError` for other JSON.
    """
    record = json_text.read(file)
    if isinstance(record, dict) and "benchmarks" in record:
        return _from_pytest_benchmark(record["benchmarks"], file)
    if not isinstance(record, dict) or "schema" not in record:
        raise ValueError(f"{file} is not a result of `polymask bench` or pytest-benchmark")
    return [result_json.load(record, file)]


@dataclass(kw_only=True)
class Benchmark:
    """The `extra_info` of a benchmark in benchmarks/rungs.py."""

    key: str
    kind: Literal["rung", "reference", "yardstick"]
    threads: int
    machine: Machine
    workload: Workload
    samples_s: list[Positive]


def _from_pytest_benchmark(benchmarks, file):
    """Group the benchmarks by workload, and return a result for each group."""
    groups = {}
    for benchmark in result_json.whole(list[dict[str, Any]], benchmarks, file, "benchmarks"):
        extra = benchmark.get("extra_info")
        if isinstance(extra, dict) and "samples_s" in extra:
            parsed = result_json.whole(Benchmark, extra, file)
            groups.setdefault(parsed.workload.shape, []).append(parsed)
    if not groups:
        raise ValueError(f"{file} contains no benchmark from polymask's suite")
    return [_result_of_size(group, file) for group in groups.values()]


def _result_of_size(group, file):
    """Return the result of the benchmarks for one workload."""
    measured = {"rung": [], "reference": [], "yardstick": []}
    for benchmark in group:
        measurement = Measurement(benchmark.key, benchmark.kind)
        if measurement.kind == "rung":
            try:
                measurement = Measurement.of_rung(registry.get(measurement.key))
            except KeyError as error:
                raise ValueError(f"{file}: {error.args[0]}") from None
        measurement.samples, measurement.threads = benchmark.samples_s, benchmark.threads
        measured[benchmark.kind].append(measurement)
    order = [rung.key for rung in registry.RUNGS]
    measured["rung"].sort(key=lambda measurement: order.index(measurement.key))
    fills = measured["yardstick"]
    return Result(
        machine=group[0].machine,
        workload=group[0].workload,
        yardstick=summary.yardstick(fills, []),
        rows=summary.rows([*measured["rung"], *measured["reference"]], fills, []),
    )
