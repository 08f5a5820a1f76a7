"""A student's progress: one JSON file with a result per exercise, and the machine for the class."""

import contextlib
import dataclasses
import json
import os
import platform
import secrets
from collections import defaultdict
from dataclasses import dataclass
from typing import Annotated, Literal

from ladder.bench import machine
from ladder.common import records
from polymask.common import json_text, saving

FILE = "results.json"
FORMAT = "polymask workshop 2"
SPEEDUPS = 1e-3, 1e6  # the range of plausible speed-ups, predicted or measured

# RIGHT: passed, but speed not judged; BROKEN: passed once, but not at the last check
OPEN, RIGHT, PASSED, BROKEN = "open", "right", "passed", "broken"


def between(kind, low, high):
    """Return the type of a number between two bounds."""
    return Annotated[kind, f"from {low:,g} to {high:,.0f}", lambda value: low <= value <= high]


Speedup = between(float, *SPEEDUPS)
Count = between(int, 0, 100_000)


@dataclass(frozen=True, kw_only=True)
class Result:
    """A student's result in an exercise."""

    state: Literal["open", "right", "passed", "broken"] = OPEN
    speed_up: Speedup | None = None  # the best one that was judged, or else the last one
    first: Speedup | None = None  # of an answer that passed: the first one that was judged
    predicted: Speedup | None = None  # the last one stated before the first measurement
    predicted_at: between(int, 0, 10**11) | None = None  # seconds since 1970
    hints: Count = 0  # shown so far
    checks: Count = 0

    @property
    def passed(self):
        """Whether it passed once, so that the next exercise may follow."""
        return self.state != OPEN

    @property
    def holds(self):
        """Whether the answer passed its last check."""
        return self.state in (RIGHT, PASSED)

    @property
    def measured(self):
        """The speed-up beside the prediction: the first, before the answer was tuned further."""
        return self.first or self.speed_up

    @property
    def off(self):
        """The ratio measured / predicted, or None; a measurement on a busy machine counts, too."""
        return self.measured / self.predicted if self.measured and self.predicted else None


@dataclass(frozen=True, kw_only=True)
class Machine:
    """The machine of a student's last check."""

    cpu: str | None = None
    cores: between(int, 1, 10_000) | None = None
    python: str | None = None


@dataclass(frozen=True, kw_only=True)
class Results:
    """The contents of the file."""

    format: Literal[FORMAT]
    machine: Machine
    exercises: dict[str, Result]
    student: str = ""  # a random number from the first result on, the same in all copies

    @property
    def effort(self):
        """The numbers of checks and of hints, which only increase."""
        results = self.exercises.values()
        return sum(result.checks for result in results), sum(result.hints for result in results)


def read(content):
    """Read the `Results` in a file's bytes; raise `ValueError` if they are invalid."""
    return records.read(Results, json_text.parse(content), "")


def load(folder):
    """Return a dict from an exercise's name to its `Result`, which is open by default."""
    return defaultdict(Result, contents(folder).exercises)


def contents(folder):
    """Return the file's `Results`.

    An invalid file raises a ValueError, because the next result would overwrite it.
    """
    file = folder / FILE
    try:
        return read(file.read_bytes())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        advice = "fix it, or rename it and run `polymask workshop start` for a new one"
        raise ValueError(f"cannot read {file}: {reason}: {advice}") from None


def save(folder, results, student=""):
    """Write the file, whole or not at all."""
    here = Machine(
        cpu=machine.cpu_model(), cores=machine.affinity(), python=platform.python_version()
    )
    whole = Results(format=FORMAT, machine=here, exercises=dict(results), student=student)
    text = json.dumps(dataclasses.asdict(whole), indent=1, ensure_ascii=False)
    saving.write(folder / FILE, text + "\n")


def note(folder, name, **changes):
    """Change an exercise's result; return it. Speed-ups are clipped, so that they can be read."""
    low, high = SPEEDUPS
    for key in ("speed_up", "first", "predicted"):
        if changes.get(key) is not None:
            changes[key] = min(max(changes[key], low), high)
    with _lock(folder):
        before = contents(folder)
        result = dataclasses.replace(before.exercises.get(name, Result()), **changes)
        student = before.student or secrets.token_hex(8)
        save(folder, before.exercises | {name: result}, student)
    return result


@contextlib.contextmanager
def _lock(folder):
    """Lock the folder, where locks are supported, so that no other command changes its files."""
    try:
        import fcntl
    except ImportError:  # on Windows
        yield
        return
    place = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some network file systems have no locks
            fcntl.flock(place, fcntl.LOCK_EX)
        yield
    finally:
        os.close(place)
