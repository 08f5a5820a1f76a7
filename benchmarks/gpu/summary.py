"""The result of a run, from the JUnit files of its tests: counts, names, reasons."""

import re
from collections import Counter
from dataclasses import dataclass, field
from xml.etree import ElementTree

COLUMNS = 160
MOST_FAILED, MOST_REASONS = 40, 15  # lines of a screen


@dataclass
class Tests:
    """The tests of one or more JUnit files."""

    passed: int = 0
    failed: dict = field(default_factory=dict)  # name to text
    skipped: Counter = field(default_factory=Counter)  # reason to number

    def line(self):
        """Return the counts in a line."""
        skipped = self.skipped.total()
        parts = [f"{self.passed} passed", f"{len(self.failed)} failed", f"{skipped} skipped"]
        return ", ".join(part for part in parts if not part.startswith("0 ")) or "no tests"

    def add(self, other):
        """Add the tests of another file."""
        self.passed += other.passed
        self.failed |= other.failed
        self.skipped += other.skipped


def read(junit):
    """Return the `Tests` of a JUnit file, or None if there is none, or no whole one."""
    try:
        cases = list(ElementTree.parse(junit).iter("testcase"))
    except (FileNotFoundError, ElementTree.ParseError):
        return None
    tests = Tests()
    for case in cases:
        bad = [one for one in case if one.tag in ("failure", "error")]
        skips = [one for one in case if one.tag == "skipped"]
        if bad:
            text = "\n".join(f"{one.get('message', '')}\n\n{one.text or ''}" for one in bad)
            tests.failed[name(case)] = text
        elif skips:
            tests.skipped[reason(skips[0])] += 1
        else:
            tests.passed += 1
    return tests if cases else None


def name(case):
    """Return a test's name as pytest takes it."""
    module = case.get("classname", "").replace(".", "/")
    return f"{module}.py::{case.get('name')}" if module else case.get("name")


def reason(skip):
    """Return why a test was skipped: the text, without a word that all have."""
    return re.sub(r"^Skipped: ", "", skip.get("message", "")).strip() or skip.get("type", "")


def first_line(text):
    """Return the first line that says something."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "no message")


def screen(heading, outcomes):
    """Return the summary of a run as text: stages, failed tests, reasons of those skipped."""
    tests = Tests()
    for outcome in outcomes:
        if outcome.tests:
            tests.add(outcome.tests)
    lines = [*heading, ""]
    for one in outcomes:
        mark = "FAIL" if one.failed else "    "
        lines.append(f"{mark} {one.name:<10} {one.seconds:6.1f} s  {one.text}")
    seconds = sum(one.seconds for one in outcomes)
    lines += [f"     {'in all':<10} {seconds:6.1f} s  {tests.line()}"]
    if tests.failed:
        lines += ["", f"failed: {len(tests.failed)}"]
        shown = list(tests.failed.items())[:MOST_FAILED]
        lines += [f"  {name}: {first_line(text)}" for name, text in shown]
        if more := len(tests.failed) - len(shown):
            lines.append(f"  ... and {more} more")
    if tests.skipped:
        lines += ["", f"skipped: {tests.skipped.total()}"]
        common = tests.skipped.most_common(MOST_REASONS)
        lines += [f"  {count} x {reason}" for reason, count in common]
        if more := tests.skipped.total() - sum(count for _, count in common):
            lines.append(f"  {more} x other reasons")
    return "\n".join(line[:COLUMNS] for line in lines) + "\n"


def failures(outcomes):
    """Return all failed tests: their names with the first line of each, then the whole texts."""
    found = {}
    for outcome in outcomes:
        found |= outcome.tests.failed if outcome.tests else {}
    names = [f"{name}: {first_line(text)}" for name, text in found.items()]
    texts = [f"{'=' * 80}\n{name}\n\n{text}" for name, text in found.items()]
    return "\n".join([*names, "", *texts]) if found else "no test failed\n"
