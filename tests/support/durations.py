"""Durations of the tests in the last runs, and whether they are within their limits.

`make test` and CI record the duration of each test; `make durations` reads them, and fails if a
limit is exceeded. Limits are in seconds of CPU time, which other programs hardly change.
"""

import argparse
import json
import sys

from checkouts import ROOT

from ladder.report import marks
from polymask.common import saving

FILE = ROOT / "build/durations.json"
STAGES = ROOT / "build/stages.txt"  # from .ci/run: seconds and a name in each line
PAGE = ROOT / "CONTRIBUTING.md"
# Of a quick test without its fixtures, which other tests share: CPU time, and wall-clock time.
TEST_S, WAITING_S = 1.0, 3.0
SUITE_S = 300.0  # all quick tests: 150 s on each of two processors
SHOWN = 10  # tests on the page; `make durations` prints a hundred


def read():
    """Map the name of each ring to its last run."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def keep(ring, run):
    """Save a run: its wall-clock seconds, the seconds of collecting, and those of each test."""
    FILE.parent.mkdir(exist_ok=True)
    saving.write(FILE, json.dumps(read() | {ring: run}, indent=1) + "\n")


def exceeded(run):
    """Return a line for each limit that a run of the quick tests exceeds."""
    lines = []
    for name, test in run["tests"].items():
        elapsed = test["clock"] - test["fixtures"]
        if test["call"] > TEST_S or elapsed > WAITING_S:
            times = f"{test['call']:.1f} s of CPU time, {elapsed:.1f} s by the clock"
            lines.append(f"{name}: {times}: make it faster, or mark it `slow`")
    if (cpu_s := total(run, "processor")) > SUITE_S:
        lines.append(f"all quick tests: {cpu_s:.0f} s of CPU time, the limit is {SUITE_S:.0f}")
    return lines


def slowest(runs, count):
    """Return the slowest tests of all rings: rows of a table."""
    rows = [
        (name, ring, test["processor"], test["clock"], test["fixtures"])
        for ring, run in runs.items()
        for name, test in run["tests"].items()
    ]
    return sorted(rows, key=lambda row: -row[3])[:count]


def table(head, rows):
    """Return the lines of a Markdown table."""
    aligned = [":--" if isinstance(cell, str) else "--:" for cell in rows[0]] if rows else ["--"]
    lines = [head, aligned, *([cell_text(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def cell_text(cell):
    """Return a cell's text."""
    return f"{cell:.1f}" if isinstance(cell, float) else str(cell).replace("|", "\\|")


def text(count):
    """Return all tables."""
    runs = read()
    parts = []
    if STAGES.exists():
        stages = [line.split(maxsplit=1) for line in STAGES.read_text().splitlines()]
        rows = [(name, float(seconds)) for seconds, name in stages]
        rows.append(("all", sum(row[1] for row in rows)))
        parts.append(table(["stage of `.ci/run`", "s"], rows))
    rows = [
        (ring, len(run["tests"]), run["clock"], run["collecting"], total(run, "processor"))
        for ring, run in runs.items()
    ]
    parts.append(table(["run", "tests", "s", "of which collecting", "s of processors"], rows))
    head = ["slowest tests", "run", "s of processors", "s", "of which fixtures"]
    parts.append(table(head, slowest(runs, count)))
    return "\n".join(parts)


def total(run, quantity):
    """Return the sum over a run's tests."""
    return sum(test[quantity] for test in run["tests"].values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write into CONTRIBUTING.md")
    if parser.parse_args().write:
        marks.rewrite(PAGE, lambda of: (of, text(SHOWN)) if of == "durations" else None)
        return 0
    print(text(100))
    lines = exceeded(read()["quick"]) if "quick" in read() else ["no run yet: `make test`"]
    print("\n".join(lines) or "All tests are within their limits.")
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main())
