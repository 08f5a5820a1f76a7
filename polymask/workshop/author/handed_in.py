"""What students handed in, read as if each file were hostile: on its own, and every error named.

A file is refused as a whole where it is no results.json; of one that is, what is wrong with an
exercise, or with the words for the machine, leaves out these alone.
"""

import itertools
import json
import math
import os
import stat
from collections import Counter
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

from polymask.common import records
from polymask.workshop import exercises
from polymask.workshop.author.untrusted import clean, shown
from polymask.workshop.student import progress

MOST_BYTES = 1_000_000
MOST_PARTS = 5_000  # objects, lists and commas: a whole course has some 300
LONG = 20  # digits: of no number that is asked for, and Python refuses, or takes minutes for, more
NAMED = 2  # errors within one file; the others are counted
KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFLNK: "a link: put the file itself there",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFBLK: "a device",
    stat.S_IFCHR: "a device",
}


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
    known = {exercise.name for exercise in exercises.every()}
    for file in sorted(p for p in Path(folder).iterdir() if p.suffix.lower() == ".json"):
        name = shown(file.name)
        try:
            who = named(file)
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
            one, who = who, next(free for free in numbered(who) if free not in students)
            remarks.append(f"{name} is shown as {who}, as another is called {one}")
        students[who] = student
    if not students:
        start = f"{folder} has no results.json of a workshop: put each student's there, renamed"
        raise ValueError("; ".join([start, *remarks]))
    return students, remarks


def numbered(who):
    """Return `who (2)`, `who (3)`, ..."""
    return (f"{who} ({number})" for number in itertools.count(2))


def named(file):
    """Return what a student is called; raise an error where that cannot be shown."""
    try:
        return clean(file.stem)
    except ValueError as error:
        raise ValueError(f"cannot be shown: its name {error}; rename it") from None


def read(file, known):
    """Return a file's `Student`, and what is left out of it, and why.

    `ValueError` or `OSError` if the file is no result.
    """
    try:
        said = parsed(contents(file))
        machine, done = (object_of(said, name) for name in ("machine", "exercises"))
    except ValueError as error:
        raise ValueError(f"is no results.json of a workshop: {error}") from None
    reached, faults = {}, []
    for name, one in done.items():
        try:
            if name not in known:
                raise ValueError(f"{shown(name)} is no exercise of this checkout")
            reached[name] = records.read(Done, of_fields(one), name)
        except ValueError as error:
            faults.append(str(error))
    if faults and not reached:
        raise ValueError(f"is no results.json of a workshop: {faults[0]}")
    words = {}
    for name, take in {"cpu": text, "python": text, "affinity": cores}.items():
        try:
            words[name] = take(machine.get(name), name)
        except ValueError as error:
            faults.append(f"the machine: {error}")
    student = Student(words.get("cpu"), words.get("affinity"), words.get("python"), reached)
    return student, faults


def contents(file):
    """Return the bytes of a regular file, not too large; wait for nothing, follow no link."""
    kind = stat.S_IFMT(file.lstat().st_mode)
    if kind != stat.S_IFREG:
        raise ValueError(f"it is {KINDS.get(kind, 'no regular file')}")
    ways = (getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_BINARY"))
    with open(os.open(file, os.O_RDONLY | sum(ways)), "rb") as opened:
        if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
            raise ValueError("it is no regular file")  # any more
        read = opened.read(MOST_BYTES)
    if len(read) == MOST_BYTES:
        raise ValueError(f"it has {MOST_BYTES:,} bytes or more")
    return read


def parsed(content):
    """Return the object of a result's text; its machine and exercises are not looked at yet."""
    try:
        written = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None
    if sum(map(written.count, "{[,")) > MOST_PARTS:
        raise ValueError(f"it has more than {MOST_PARTS:,} parts")
    try:
        said = json.loads(written, parse_int=whole, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"it is no JSON ({error.msg}: {where})") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(said, dict) or said.get("format") != progress.FORMAT:
        raise ValueError(f"it does not say that its format is {progress.FORMAT!r}")
    return said


def whole(digits):
    """Return a whole number; one that is too large for all that is asked for, as infinity."""
    return int(digits) if len(digits) <= LONG else math.inf


def once(pairs):
    """Return an object's names and values; raise an error where a name stands twice."""
    made = dict(pairs)
    if len(made) < len(pairs):
        ((twice, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"it says {shown(twice)} twice")
    return made


def object_of(said, name):
    """Return an object of a result."""
    if not isinstance(said.get(name), dict):
        raise ValueError(f"its {name} is no object")
    return said[name]


def of_fields(one):
    """Return what an exercise's object says of the fields of `Done`; there may be others."""
    return {k: one[k] for k in one if k in FIELDS} if isinstance(one, dict) else one


def cores(value, name):
    """Return how many cores there were, or None where the machine could not tell."""
    return records.read(Cores | None, value, name)


def text(value, name):
    """Return words for the machine, or None where it could not tell."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise ValueError(f"{name} has to be a text, or null")
    try:
        return clean(value)
    except ValueError as error:
        raise ValueError(f"{name} {error}") from None
