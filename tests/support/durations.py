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
    """Return a table of the longest tests in Markdown, after one of the stages of CI's run."""
    lines = []
    if STAGES.exists():
        stages = [line.split(maxsplit=1) for line in STAGES.read_text().splitlines()]
        lines += ["| stage of `.ci/run` | s |", "| :-- | --: |"]
        lines += [f"| {name} | {seconds} |" for seconds, name in stages]
        lines += [f"| all | {sum(int(seconds) for seconds, _ in stages)} |", ""]
    tests = [(s, ring, *test) for ring in ("quick", "slow") for test, s in read(ring).items()]
    lines += ["| test | ring | s |", "| :-- | :-- | --: |"]
    for seconds, ring, file, name in sorted(tests, reverse=True)[:count]:
        test = f"{file}::{name}".replace("|", "\\|")
        lines.append(f"| {test} | {ring} | {seconds:.1f} |")
    return "\n".join(lines) + "\n"


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
