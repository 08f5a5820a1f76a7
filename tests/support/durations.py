"""Durations of the tests in the last runs, read from pytest's reports, and whether they are long.

`make test` and `make slow` let pytest write its JUnit report; `make durations` prints the longest
tests, and fails if a quick test took longer than its limit.
"""

import argparse
import sys
from xml.etree import ElementTree

from checkouts import ROOT

from ladder.report import marks

STAGES = ROOT / "build/stages.txt"  # from .ci/run: seconds and a name in each line
PAGE = ROOT / "CONTRIBUTING.md"
LIMIT_S = 3.0  # of a quick test, which takes less than a second on an idle machine
SHOWN = 10  # tests on the page; `make durations` prints a hundred


def read(ring):
    """Map the tests of a ring's last run, each a file and a name, to their seconds."""
    file = ROOT / f"build/tests-{ring}.xml"
    cases = ElementTree.parse(file).iter("testcase") if file.exists() else ()
    return {
        (case.get("classname").replace(".", "/") + ".py", case.get("name")): float(case.get("time"))
        for case in cases
    }


def text(count):
    """Return a table of the stages of CI's run, and one of the longest tests, in Markdown."""
    lines = STAGES.read_text().splitlines() if STAGES.exists() else []
    stages = [line.split(maxsplit=1) for line in lines]
    rows = [f"| {name} | {seconds} |" for seconds, name in stages]
    rows.append(f"| all | {sum(int(seconds) for seconds, _ in stages)} |")
    tests = [(s, ring, *test) for ring in ("quick", "slow") for test, s in read(ring).items()]
    longest = [
        f"| {file}::{name.replace('|', chr(92) + '|')} | {ring} | {seconds:.1f} |"
        for seconds, ring, file, name in sorted(tests, reverse=True)[:count]
    ]
    stage_table = ["| stage of `.ci/run` | s |", "| :-- | --: |", *rows]
    test_table = ["| test | ring | s |", "| :-- | :-- | --: |", *longest]
    return "\n".join([*stage_table, "", *test_table]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write into CONTRIBUTING.md")
    if parser.parse_args().write:
        marks.rewrite(PAGE, lambda of: (of, text(SHOWN)) if of == "durations" else None)
        return 0
    print(text(100))
    over = [f"{'::'.join(test)}: {s:.1f} s" for test, s in read("quick").items() if s > LIMIT_S]
    print("\n".join(over), "make it faster, or mark it `slow`" if over else "No test is too long.")
    return bool(over)


if __name__ == "__main__":
    sys.exit(main())
