"""Results as reports take them, named: the driver's, or those of pytest-benchmark's suite."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from polymask.bench import result_json, summary
from polymask.bench.measurement import Measurement
from polymask.bench.result import Machine, Positive, Result, Sweep, Workload
from polymask.common import json_text
from polymask.ladder import registry


@dataclass(frozen=True)
class Named:
    """A result or a sweep, what its file is called on pages, and the file if it comes from one."""

    name: str
    result: Result | Sweep | Any  # or a record of the checkout's benchmarks
    file: Path | None = None


def load_named(files):
    """Read the results of files, and name them: by the folder too where names are the same."""
    files = [Path(file) for file in files]
    names = [file.name for file in files]
    found = []
    for file in files:
        folder = f"{file.resolve().parent.name}/" if names.count(file.name) > 1 else ""
        found += [Named(folder + file.name, result, file) for result in load(file)]
    return found


def load(file):
    """Read the results of a file: one of the driver's, or one a size of pytest-benchmark's.

    Raises `ValueError` if the file is no such JSON.
    """
    found = json_text.read(file)
    if isinstance(found, dict) and "benchmarks" in found:
        return _from_pytest_benchmark(found["benchmarks"], file)
    if not isinstance(found, dict) or "schema" not in found:
        raise ValueError(f"{file} is no result of `polymask bench` nor of pytest-benchmark")
    return [result_json.load(found, file)]


@dataclass(kw_only=True)
class Benchmark:
    """What a benchmark of the suite in benchmarks/rungs.py notes of itself."""

    key: str
    kind: Literal["rung", "reference", "yardstick"]
    threads: int
    machine: Machine
    workload: Workload
    samples_s: list[Positive]


def _from_pytest_benchmark(benchmarks, file):
    """Group the benchmarks by workload, and let each group's rows be what a run's would be."""
    groups = {}
    for benchmark in result_json.whole(list[dict[str, Any]], benchmarks, file, "benchmarks"):
        extra = benchmark.get("extra_info")
        if isinstance(extra, dict) and "samples_s" in extra:
            one = result_json.whole(Benchmark, extra, file)
            groups.setdefault(one.workload.shape, []).append(one)
    if not groups:
        raise ValueError(f"{file} holds no benchmark of polymask's suite")
    return [_one_size(group, file) for group in groups.values()]


def _one_size(group, file):
    """Make a result of the benchmarks of one workload."""
    measured = {"rung": [], "reference": [], "yardstick": []}
    for benchmark in group:
        one = Measurement(benchmark.key, benchmark.kind)
        if one.kind == "rung":
            try:
                one = Measurement.of_rung(registry.get(one.key))
            except KeyError as error:
                raise ValueError(f"{file}: {error.args[0]}") from None
        one.samples, one.threads = benchmark.samples_s, benchmark.threads
        measured[benchmark.kind].append(one)
    order = [rung.key for rung in registry.RUNGS]
    measured["rung"].sort(key=lambda one: order.index(one.key))
    fills = measured["yardstick"]
    return Result(
        machine=group[0].machine,
        workload=group[0].workload,
        yardstick=summary.yardstick(fills, []),
        rows=summary.rows([*measured["rung"], *measured["reference"]], fills, []),
    )
