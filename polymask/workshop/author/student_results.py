"""The results.json of students, read one by one: a file that is none costs no other.

A file is refused as a whole where it is no results.json; of one that is, what is wrong with an
exercise, or with the words for the machine, leaves out these alone. Texts of others are shown only
where they are short and can be printed, and a table of Markdown takes none of their letters for
markup.
"""

import itertools
import re
import unicodedata
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

from polymask.common import json_text, records
from polymask.common.error_text import named
from polymask.workshop import exercises
from polymask.workshop.student import progress

MOST_BYTES = 1_000_000
NAMED = 2  # errors within one file; the others are counted
MOST_LETTERS = 80
FORMULA = "=+-@＝＋－＠"  # a sheet that a table is copied to computes what begins so
# Of Markdown and HTML, and what makes links of addresses and names. No markup is an underscore
# within a word, and # : @ before a blank.
MARKUP = re.compile(r'["$&*<>\[\\\]`{|}~]|[#:@](?=\S)|(?<![^\W_])_|_(?![^\W_])|(?<=\bwww)\.', re.I)


def between(kind, low, high):
    """Return the type of a number from one to another."""
    return Annotated[kind, f"from {low:,g} to {high:,.0f}", lambda value: low <= value <= high]


Cores = between(int, 1, 10_000)
Counted = between(int, 0, 100_000)
Speedup = between(float, *progress.SPEEDUPS)


@dataclass(frozen=True, kw_only=True)
class Done:
    """What a student reached in an exercise, as `results.json` says it."""

    passed: bool
    judged: bool = True  # whether the speed could be
    broken: bool = False  # it passed once, and does not any more
    # against the rung before:
    times_before: Speedup | None = None  # the best that was judged
    shown: Speedup | None = None  # the last that was measured at all
    predicted: Speedup | None = None
    hints: Counted
    checks: Counted

    @property
    def off(self):
        """How many times as fast as predicted it is, or None; a busy machine will do for that."""
        measured = self.times_before or self.shown
        return measured / self.predicted if measured and self.predicted else None


FIELDS = {field.name for field in fields(Done)}


@dataclass(frozen=True)
class Student:
    """A student's result: the machine, as far as it is known, and name of an exercise to `Done`."""

    cpu: str | None
    cores: int | None
    python: str | None
    exercises: dict


def load(folder):
    """Read every .json of a folder; `ValueError` if there is no result at all.

    Returns the students, as the files are called, to `Student`; and a line for each file that is
    refused, of which something is left out, or whose name is another's too.
    """
    students, remarks = {}, []
    known = exercises.folders().keys()
    for file in sorted(p for p in Path(folder).iterdir() if p.suffix.lower() == ".json"):
        name = named(file.name)
        try:
            who = clean(file.stem, "cannot be shown: its name ")
            student, faults = read(file, known)
        except OSError as error:
            remarks.append(f"passed over: {name} cannot be read: {error.strerror}")
            continue
        except ValueError as error:
            remarks.append(f"passed over: {name} {error}")
            continue
        if faults:
            more = f"; and {len(faults) - NAMED:,} more" if len(faults) > NAMED else ""
            remarks.append(f"left out of {name}: {'; '.join(faults[:NAMED])}{more}")
        if who in students:
            numbers = (f"{who} ({number})" for number in itertools.count(2))
            one, who = who, next(free for free in numbers if free not in students)
            remarks.append(f"{name} is shown as {who}, as another is called {one}")
        students[who] = student
    if not students:
        start = f"{folder} has no results.json of a workshop: put each student's there, renamed"
        raise ValueError("; ".join([start, *remarks]))
    return students, remarks


def read(file, known):
    """Return a file's `Student`, and what is left out of it, and why.

    `known` are the names of the exercises. `ValueError` or `OSError` if the file is no result.
    """
    try:
        result = json_text.parse(contents(file))
        if not isinstance(result, dict) or result.get("format") != progress.FORMAT:
            raise ValueError(f"it does not say that its format is {progress.FORMAT!r}")
        for name in ("machine", "exercises"):
            if not isinstance(result.get(name), dict):
                raise ValueError(f"its {name} is no object")
    except ValueError as error:
        raise ValueError(f"is no results.json of a workshop: {error}") from None
    reached, faults = {}, []
    for name, one in result["exercises"].items():
        try:
            if name not in known:
                raise ValueError(f"{named(name)} is no exercise of this checkout")
            given = one.items() if isinstance(one, dict) else ()
            asked = {key: value for key, value in given if key in FIELDS}  # there are others
            reached[name] = records.read(Done, asked or one, name)
        except ValueError as error:
            faults.append(str(error))
    if faults and not reached:
        raise ValueError(f"is no results.json of a workshop: {faults[0]}")
    machine = {}
    for name, kind in {"cpu": str, "python": str, "affinity": Cores}.items():
        try:
            value = records.read(kind | None, result["machine"].get(name), name)
            machine[name] = clean(value, f"{name} ") if isinstance(value, str) else value
        except ValueError as error:
            faults.append(f"the machine: {error}")
    student = Student(machine.get("cpu"), machine.get("affinity"), machine.get("python"), reached)
    return student, faults


def contents(file):
    """Return the bytes of a regular file, not too large; wait for no pipe, follow no link."""
    if file.is_symlink():
        raise ValueError("it is a link: put the file itself there")
    if not file.is_file():
        raise ValueError("it is no regular file")
    with file.open("rb") as opened:
        content = opened.read(MOST_BYTES)
    if len(content) == MOST_BYTES:
        raise ValueError(f"it has {MOST_BYTES:,} bytes or more")
    return content


def clean(text, what):
    """Return a text that can be shown once it is escaped; `ValueError` says why not, of `what`.

    It is one line of at most `MOST_LETTERS` that all can be printed, and no formula.
    """
    if len(text) > MOST_LETTERS:
        raise ValueError(f"{what}has {len(text):,} letters, at most {MOST_LETTERS} are shown")
    if not text.isprintable():
        raise ValueError(f"{what}has letters that cannot be printed")
    text = unicodedata.normalize("NFC", " ".join(text.split()))
    if not text:
        raise ValueError(f"{what}is empty")
    return f"'{text}" if text[0] in FORMULA else text


def in_markdown(text):
    """Return a clean text for a table of Markdown, where no letter of it is markup.

    By the numbers of its letters: all that read Markdown agree on these, not on a backslash.
    """
    return MARKUP.sub(lambda one: f"&#{ord(one[0])};", text)
