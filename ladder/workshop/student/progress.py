"""A student's progress: one plain text file with a line per exercise, and results for a class.

progress.txt can be read and edited in any editor. results.json has the same contents and describes
the machine, for `polymask workshop collect`.
"""

import contextlib
import hashlib
import json
import os
from collections import defaultdict
from dataclasses import dataclass

from polymask.common import error_text, json_text, saving

FILE = "progress.txt"
RESULTS = "results.json"
FORMAT = "polymask workshop 1"  # of RESULTS
SPEEDUPS = 1e-3, 1e6  # the range of plausible speed-ups, predicted or measured
MOST_COUNT = 10**9  # of hints or checks
HEAD = "# exercise           state   best  predicted  hints  checks\n"


OPEN, RIGHT, PASSED, BROKEN = "open", "right", "passed", "broken"
STATES = (OPEN, RIGHT, PASSED, BROKEN)
NONE = "none"  # in the column `predicted`: a speed was shown before any prediction


@dataclass
class Line:
    """A student's progress in an exercise."""

    # RIGHT: passed, but speed not judged; BROKEN: passed once, but not at the last check
    state: str = OPEN
    best: float | None = None  # the largest judged speed-up
    # stated before the first measurement, or NONE; None until a measurement
    predicted: float | str | None = None
    hints: int = 0  # shown so far
    checks: int = 0

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
        """Whether a speed was shown, so that it is too late for a prediction."""
        return self.predicted is not None or self.best is not None

    @property
    def prediction(self):
        """The predicted speed-up, or None."""
        return None if self.predicted == NONE else self.predicted


def load(folder):
    """Read progress.txt; return a dict from name to `Line`, which is empty by default.

    An invalid line raises a ValueError.
    """
    lines = defaultdict(Line)
    try:
        text = (folder / FILE).read_text(encoding="utf-8-sig")  # as some Windows editors save it
    except UnicodeDecodeError:
        raise ValueError(f"{folder / FILE} is not UTF-8 text: fix it, or delete it") from None
    for number, row in enumerate(text.splitlines(), start=1):
        if not row.strip() or row.startswith("#"):
            continue
        where = f"{folder / FILE}, line {number},"
        try:
            name, line = _read(row)
        except ValueError:
            raise ValueError(
                f"{where} is not a line of a workshop's progress: fix it, or delete it"
            ) from None
        if name in lines:
            raise ValueError(f"{where} repeats {error_text.quote(name)}: delete one of the lines")
        lines[name] = line
    return lines


def _read(line):
    """Read a line; return the exercise's name and its `Line`."""
    name, state, best, predicted, hints, checks = line.split()
    if state not in STATES:
        raise ValueError(state)
    predicted = NONE if predicted == NONE else _speedup(predicted)
    return name, Line(state, _speedup(best), predicted, _count(hints), _count(checks))


def _speedup(text):
    """Read a speed-up; a dash is None."""
    value, (low, high) = None if text == "-" else float(text), SPEEDUPS
    if value is not None and not low <= value <= high:
        raise ValueError(text)
    return value


def _count(text):
    """Read a count of plausible size."""
    value = int(text)
    if not 0 <= value < MOST_COUNT:
        raise ValueError(text)
    return value


def save(folder, lines):
    """Write the file, whole or not at all."""
    text = HEAD + "".join(
        f"{name:<20} {line.state:<6} {_number(line.best, 3):>5} "
        f"{_number(line.predicted, 10):>10} {line.hints:>6} {line.checks:>7}\n"
        for name, line in lines.items()
    )
    saving.write(folder / FILE, text)


def _number(value, digits):
    """Format a speed-up, clipped so that it can be read again."""
    if value in (None, NONE):
        return value or "-"
    low, high = SPEEDUPS
    return f"{min(max(value, low), high):.{digits}g}"


@contextlib.contextmanager
def _lock(folder):
    """Lock the folder, so that no other command changes its files meanwhile.

    The lock leaves no file behind. Where locks are not supported, nothing is locked.
    """
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


def note(folder, name, **changes):
    """Change an exercise's line; return it."""
    with _lock(folder):
        lines = load(folder)
        line = lines[name]
        for key, value in changes.items():
            setattr(line, key, value)
        save(folder, lines)
    return line


def note_result(folder, name, result, machine):
    """Write an exercise's last result to results.json, for the class."""
    with _lock(folder):
        done = results(folder) | {name: result}
        contents = {"format": FORMAT, "machine": machine, "exercises": done}
        saving.write(folder / RESULTS, json.dumps(contents, indent=1, ensure_ascii=False) + "\n")


def results(folder):
    """Return a dict from exercise name to its last result, as in results.json.

    A missing file means no results. An unreadable file raises a ValueError, because the next result
    would overwrite it.
    """
    file = folder / RESULTS
    try:
        contents = json_text.parse(file.read_bytes())
        if isinstance(contents, dict) and (kind := contents.get("format", FORMAT)) != FORMAT:
            raise ValueError(
                f"its format is {error_text.quote(kind)}, but this polymask reads {FORMAT!r}"
            )
        done = contents.get("exercises") if isinstance(contents, dict) else None
        if not (isinstance(done, dict) and all(isinstance(entry, dict) for entry in done.values())):
            raise ValueError('its "exercises" is not an object of objects')
        return done
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        advice = "fix it, or rename it so that the next check starts a new one"
        raise ValueError(f"cannot read {file}: {reason}: {advice}") from None


def last_speedups(folder):
    """Return a dict from exercise name to the last measured speed-up, judged or not."""
    speedups = {name: result.get("shown") for name, result in results(folder).items()}
    low, high = SPEEDUPS
    return {n: s for n, s in speedups.items() if type(s) in (int, float) and low <= s <= high}


def digest(files):
    """Return a hash of the contents of an answer's files."""
    sha = hashlib.sha256()
    for file in files:
        sha.update(hashlib.sha256(file.read_bytes() if file.is_file() else b"").digest())
    return sha.hexdigest()
