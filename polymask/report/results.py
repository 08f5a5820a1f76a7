"""Reading results: the driver's JSON, or pytest-benchmark's of the suite in tests/benchmarks."""

import json
from dataclasses import dataclass
from pathlib import Path

from polymask import rungs
from polymask.bench import references, result, rows
from polymask.report import whole


@dataclass(frozen=True)
class Named:
    """A result or a sweep, what its file is called on pages, and the file if it comes from one."""

    name: str
    result: dict
    file: Path | None = None


def load_named(files):
    """Read the results of files, and name them: by the folder too where names are the same.

    Returns
    -------
    list of Named
    """
    files = [Path(file) for file in files]
    names = [file.name for file in files]
    found = []
    for file in files:
        folder = f"{file.resolve().parent.name}/" if names.count(file.name) > 1 else ""
        found += [Named(folder + file.name, result, file) for result in load(file)]
    return found


def load(file):
    """Read the results of a file: one of the driver's, or one a size of pytest-benchmark's.

    Returns
    -------
    list of dict
        Each as the driver's `measure` returns it.

    Raises
    ------
    ValueError
        If the file is no such JSON.
    """
    try:
        found = json.loads(Path(file).read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"{file} is not JSON: {error}") from None
    if isinstance(found, dict) and "benchmarks" in found:
        return _from_pytest_benchmark(found, file)
    if not isinstance(found, dict) or "schema" not in found:
        raise ValueError(f"{file} is no result of `polymask bench` nor of pytest-benchmark")
    if found["schema"] != result.SCHEMA:
        raise ValueError(
            f"{file} has schema {found['schema']}, this polymask reads {result.SCHEMA}: "
            f"use the version that wrote it"
        )
    if "sweep" in found and not found.get("results"):
        raise ValueError(f"{file} is a sweep without results")
    for one in found.get("results", [found]):
        try:
            whole.check(one)
        except ValueError as error:
            raise ValueError(f"{file} is no whole result: {error}") from None
    return [found]


def _from_pytest_benchmark(found, file):
    """Group the benchmarks by workload, and let each group's rows be what a run's would be."""
    groups = {}
    for benchmark in found["benchmarks"]:
        extra = benchmark.get("extra_info", {})
        if "samples_s" in extra:
            groups.setdefault(str(extra["workload"]["shape"]), []).append(benchmark)
    if not groups:
        raise ValueError(f"{file} holds no benchmark of polymask's suite")
    return [_one_size(benchmarks) for benchmarks in groups.values()]


def _one_size(benchmarks):
    """Make a result of the benchmarks of one workload."""
    measured = {"rung": [], "reference": [], "yardstick": []}
    for benchmark in benchmarks:
        extra = benchmark["extra_info"]
        rung = rungs.get(extra["key"]) if extra["kind"] == "rung" else None
        title = rung.title if rung else references.NUMBA_TITLE
        row = rows.Row(extra["key"], extra["kind"], title=title, rung=rung)
        row.options = extra.get("options", {})
        row.samples, row.threads = extra["samples_s"], extra["threads"]
        measured[extra["kind"]].append(row)
    order = [rung.key for rung in rungs.RUNGS]
    measured["rung"].sort(key=lambda row: order.index(row.key))
    first = benchmarks[0]["extra_info"]
    return {
        "schema": result.SCHEMA,
        "interrupted": False,
        "machine": first["machine"],
        "workload": first["workload"],
        "measured": None,
        "yardstick": result.yardstick_record(measured["yardstick"], []),
        "rows": result.row_records(
            [*measured["rung"], *measured["reference"]], measured["yardstick"], []
        ),
    }
