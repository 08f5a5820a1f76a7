"""The results.json files of students; an invalid file does not affect the others.

A file that is not a results.json is refused as a whole. In a valid one, only an invalid exercise or
machine is left out. Texts from students are shown only if they are short and printable, and are
escaped in Markdown tables.
"""

import itertools
import re
import unicodedata
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

from ladder.common import records
from ladder.workshop import exercises
from ladder.workshop.student import progress
from polymask.common import json_text
from polymask.common.error_text import named

MOST_BYTES = 1_000_000
MOST_FAULTS = 2  # listed per file; the others are counted
MOST_LETTERS = 80
FORMULA = "=+-@＝＋－＠"  # first characters of formulas in a spreadsheet
# Markup of Markdown and HTML, and characters of automatic links. Neither an underscore in a word
# nor one of # : @ before a blank is markup.
MARKUP = re.compile(r'["$&*<>\[\\\]`{|}~]|[#:@](?=\S)|(?<![^\W_])_|_(?![^\W_])|(?<=\bwww)\.', re.I)


def between(kind, low, high):
    """Return the type of a number between two bounds."""
    return Annotated[kind, f"from {low:,g} to {high:,.0f}", lambda value: low <= value <= high]


Cores = between(int, 1, 10_000)
Count = between(int, 0, 100_000)
Speedup = between(float, *progress.SPEEDUPS)


@dataclass(frozen=True, kw_only=True)
class Result:
    """A student's result in an exercise, as in `results.json`."""

    passed: bool
    judged: bool = True  # whether the speed was judged
    broken: bool = False  # it passed once, but not at the last check
    # speed-ups over the rung before:
    times_before: Speedup | None = None  # the best judged one
    shown: Speedup | None = None  # the last measured one
    predicted: Speedup | None = None
    hints: Count
    checks: Count

    @property
    def off(self):
        """The ratio measured / predicted, or None; a measurement on a busy machine counts, too."""
        measured = self.times_before or self.shown
        return measured / self.predicted if measured and self.predicted else None


FIELDS = {field.name for field in fields(Result)}


@dataclass(frozen=True)
class Student:
    """A student's results: the machine, as far as known, and a `Result` by name of exercise."""

    cpu: str | None
    cores: int | None
    python: str | None
    exercises: dict


def load(folder):
    """Read every .json of a folder; raise `ValueError` if none has results.

    Returns a dict from file name to `Student`, and a line for each file that is refused, is
    incomplete, or has the name of another.
    """
    students, remarks = {}, []
    known = exercises.folders().keys()
    for file in sorted(Path(folder).iterdir()):
        name = named(file.name)
        if (file / progress.RESULTS).is_file():
            remarks.append(f"skipped: {name} is a folder: copy its {progress.RESULTS} here")
            continue
        if file.suffix.lower() != ".json":
            if has_results(file):
                remarks.append(
                    f"skipped: {name} has results: rename it, so that it ends with .json"
                )
            continue
        try:
            who = clean(file.stem, "cannot be shown: its name ")
            student, faults = read(file, known)
        except OSError as error:
            remarks.append(f"skipped: {name} cannot be read: {error.strerror}")
            continue
        except ValueError as error:
            remarks.append(f"skipped: {name} {error}")
            continue
        if faults:
            more = f"; and {len(faults) - MOST_FAULTS:,} more" if len(faults) > MOST_FAULTS else ""
            remarks.append(f"left out of {name}: {'; '.join(faults[:MOST_FAULTS])}{more}")
        if who in students:
            numbers = (f"{who} ({number})" for number in itertools.count(2))
            other, who = who, next(free for free in numbers if free not in students)
            remarks.append(f"{name} is shown as {who}, because another file is called {other}")
        students[who] = student
    if not students:
        start = f"{folder} has no results.json of a workshop: copy each student's there, renamed"
        raise ValueError("; ".join([start, *remarks]))
    return students, remarks


def has_results(file):
    """Return whether a file has the contents of a results.json, whatever its name."""
    try:
        return progress.FORMAT.encode() in contents(file)
    except (OSError, ValueError):
        return False


def read(file, known):
    """Return a file's `Student`, and the reasons for leaving out parts.

    `known` is the set of exercise names. Raises `ValueError` or `OSError` for an invalid file.
    """
    try:
        result = json_text.parse(contents(file))
        if not isinstance(result, dict) or result.get("format") != progress.FORMAT:
            raise ValueError(f"its format is not {progress.FORMAT!r}")
        for name in ("machine", "exercises"):
            if not isinstance(result.get(name), dict):
                raise ValueError(f"its {name} is not an object")
    except ValueError as error:
        raise ValueError(f"is not a results.json of a workshop: {error}") from None
    results, faults = {}, []
    for name, entry in result["exercises"].items():
        try:
            if name not in known:
                raise ValueError(f"{named(name)} is not an exercise of this checkout")
            items = entry.items() if isinstance(entry, dict) else ()
            known_items = {key: value for key, value in items if key in FIELDS}  # ignore others
            results[name] = records.read(Result, known_items or entry, name)
        except ValueError as error:
            faults.append(str(error))
    if faults and not results:
        raise ValueError(f"is not a results.json of a workshop: {faults[0]}")
    machine = {}
    for name, kind in {"cpu": str, "python": str, "affinity": Cores}.items():
        try:
            value = records.read(kind | None, result["machine"].get(name), name)
            machine[name] = clean(value, f"{name} ") if isinstance(value, str) else value
        except ValueError as error:
            faults.append(f"the machine: {error}")
    student = Student(machine.get("cpu"), machine.get("affinity"), machine.get("python"), results)
    return student, faults


def contents(file):
    """Return the bytes of a small regular file; reject pipes and links."""
    if file.is_symlink():
        raise ValueError("it is a link: copy the file itself there")
    if not file.is_file():
        raise ValueError("it is not a regular file")
    with file.open("rb") as opened:
        content = opened.read(MOST_BYTES)
    if len(content) == MOST_BYTES:
        raise ValueError(f"it has {MOST_BYTES:,} bytes or more")
    return content


def clean(text, what):
    """Return a text that is safe to show after escaping; a `ValueError` begins with `what`.

    It is one line of at most `MOST_LETTERS` printable characters, and no formula.
    """
    if len(text) > MOST_LETTERS:
        raise ValueError(f"{what}has {len(text):,} characters; at most {MOST_LETTERS} are shown")
    if not text.isprintable():
        raise ValueError(f"{what}has characters that cannot be printed")
    text = unicodedata.normalize("NFC", " ".join(text.split()))
    if not text:
        raise ValueError(f"{what}is empty")
    return f"'{text}" if text[0] in FORMULA else text


def in_markdown(text):
    """Return a clean text, escaped for a Markdown table.

    It uses numeric character references: Markdown readers agree on them, but not on backslashes.
    """
    return MARKUP.sub(lambda match: f"&#{ord(match[0])};", text)
