"""Run the quick tests that depend on edited files, the closest first, within half a minute.

A file is edited if it differs from the last commit, or from that in `make check SINCE=main`. The
half minute is estimated from the durations of the test files in the last `make test`, which also
runs the tests that are left out here.
"""

import argparse
import ast
import os
import re
import subprocess
import sys
from collections import defaultdict

import durations
import grimp
from checkouts import ROOT

import polymask
from ladder.common import checkout

SECONDS = 20.0  # wall-clock time, on all processors
UNKNOWN_S = 2.0  # for a file without a recorded duration
QUICK = "not slow and not weekly"


def edited(since):
    """Return the files that differ from a commit, and the untracked files."""
    names = []
    for command in (["diff", "--name-only", since], ["ls-files", "-o", "--exclude-standard"]):
        names += checkout.git(ROOT, *command).stdout.splitlines()
    return {ROOT / name for name in names}


def near(changed):
    """Return the test files that depend on changed files, the closest first."""
    graph = grimp.build_graph("polymask", "ladder", "benchmarks", "building")
    modules = {module_of(file) for file in changed} & graph.modules
    words = {word for file in changed for word in (file.stem, file.parent.name)} - {"__init__"}
    mention = re.compile("|".join(rf"\b{re.escape(word)}\b" for word in words) or "(?!)")
    ranked = []
    for test in sorted((ROOT / "tests").rglob("test_*.py")):
        text = test.read_text(encoding="utf-8")
        used = modules_of(ast.parse(text)) & graph.modules
        chains = [graph.find_shortest_chain(u, m) for u in used - modules for m in modules]
        steps = [len(chain) for chain in chains if chain]
        if test in changed or used & modules:
            steps.append(0)
        mentions = len(set(mention.findall(text)))
        if steps or mentions:
            same_name = any(file.stem in test.stem for file in changed)
            ranked.append((min(steps, default=9) - 2 * mentions - 4 * same_name, test))
    return [test for _, test in sorted(ranked)]


def module_of(file):
    """Return the name of a file's module."""
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def modules_of(tree):
    """Return the names of the modules that a test imports, or whose public functions it calls."""
    names, public = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Attribute):
            public.add(node.attr)
    public |= {name.removeprefix("polymask.") for name in names}
    return names | {f"polymask.{polymask._MODULE_OF[n]}" for n in public & {*polymask._MODULE_OF}}


def seconds():
    """Return the duration of each test file in the last run."""
    totals = defaultdict(float)
    for (file, _), duration in durations.read("quick").items():
        totals[ROOT / file] += duration
    return totals


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--since", default="HEAD", help="the commit to compare with")
    changed = edited(parser.parse_args().since)
    cores = os.cpu_count() or 1
    tests, times, left = near(changed), seconds(), SECONDS * cores
    chosen = []
    for test in tests:
        left -= times.get(test, UNKNOWN_S)
        if chosen and left < 0:
            break
        chosen.append(test)
    if not chosen:
        print(f"no test depends on the {len(changed)} edited files")
        return 0
    if len(chosen) < len(tests):
        more = len(tests) - len(chosen)
        print(f"{more} more test files depend on them less directly: make test runs them")
    jobs = ["-n", str(cores), "--dist", "worksteal"]
    command = [sys.executable, "-m", "pytest", "-q", "-m", QUICK, *jobs, *map(str, chosen)]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
