"""Run the quick tests that depend on what was edited, the nearest first, within half a minute.

Edited is what differs from the last commit, or from one that is named: `make check SINCE=main`.
Half a minute is counted by what each file of tests took in the last `make test`, which runs what
is left out here.
"""

import argparse
import os
import re
import subprocess
import sys
from collections import defaultdict

import dependencies
import durations
from checkouts import ROOT

from polymask.common import checkout

SECONDS = 20.0  # by the clock, of all processors
UNKNOWN_S = 2.0  # for a file that no run has met
QUICK = "not slow and not proof and not weekly"


def edited(since):
    """Return the files that differ from a commit, and those that git does not know yet."""
    told = []
    for command in (["diff", "--name-only", since], ["ls-files", "-o", "--exclude-standard"]):
        told += checkout.git(ROOT, *command).stdout.splitlines()
    return {ROOT / name for name in told}


def near(changed):
    """Return the files of tests that depend on what changed, the nearest first."""
    words = {word for file in changed for word in (file.stem, file.parent.name)} - {"__init__"}
    spoken = re.compile("|".join(rf"\b{re.escape(word)}\b" for word in words) or "(?!)")
    found = []
    for test in sorted((ROOT / "tests").rglob("test_*.py")):
        steps = dependencies.distances(test)
        reached = [steps[file] for file in changed if file in steps]
        speaks = len(set(spoken.findall(test.read_text(encoding="utf-8"))))
        if reached or (speaks and any(file.suffix != ".py" for file in changed)):
            named = any(file.stem in test.stem for file in changed)
            found.append((min(reached, default=9) - 2 * speaks - 4 * named, test))
    return [test for _, test in sorted(found)]


def seconds():
    """Return what each file of tests took in the last run."""
    found = defaultdict(float)
    for name, test in durations.read().get("quick", {"tests": {}})["tests"].items():
        found[ROOT / name.split("::")[0]] += test["clock"]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--since", default="HEAD", help="the commit to compare with")
    changed = edited(parser.parse_args().since)
    cores = os.cpu_count() or 1
    tests, taken, left = near(changed), seconds(), SECONDS * cores
    chosen = []
    for test in tests:
        left -= taken.get(test, UNKNOWN_S)
        if chosen and left < 0:
            break
        chosen.append(test)
    if not chosen:
        print(f"no test depends on the {len(changed)} files that were edited")
        return 0
    if len(chosen) < len(tests):
        more = len(tests) - len(chosen)
        print(f"{more} more files of tests depend on it from farther off: make test runs them")
    jobs = ["-n", str(cores), "--dist", "worksteal"]
    command = [sys.executable, "-m", "pytest", "-q", "-m", QUICK, *jobs, *map(str, chosen)]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
