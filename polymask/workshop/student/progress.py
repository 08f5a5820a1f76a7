"""What a student has reached: one plain text file, a line an exercise; and the result for a class.

progress.txt can be read, and mended, in any editor. results.json says the same with the machine,
for `polymask workshop collect`.
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
SPEEDUPS = 1e-3, 1e6  # what can be meant by one, predicted or measured
MOST_COUNT = 10**9  # of hints, and of checks
HEAD = "# exercise           state   best  predicted  hints  checks\n"


OPEN, RIGHT, PASSED, BROKEN = "open", "right", "passed", "broken"
STATES = (OPEN, RIGHT, PASSED, BROKEN)
NONE = "none"  # in the column `predicted`: a speed was shown before anything was predicted


@dataclass
class Line:
    """What a student has reached in an exercise."""

    # RIGHT: passed, but the speed could not be judged yet; BROKEN: it passed once, and did not at
    # its last check
    state: str = OPEN
    best: float | None = None  # the largest speed-up that was judged
    # before the first measurement, or NONE; None as long as nothing was measured
    predicted: float | str | None = None
    hints: int = 0  # that were shown
    checks: int = 0

    @property
    def passed(self):
        """Whether the next exercise may follow: it passed once."""
        return self.state != OPEN

    @property
    def holds(self):
        """Whether the answer passed its last check."""
        return self.state in (RIGHT, PASSED)

    @property
    def measured(self):
        """Whether a speed was shown: then it is too late for a prediction."""
        return self.predicted is not None or self.best is not None

    @property
    def prediction(self):
        """The speed-up that was predicted, or None."""
        return None if self.predicted == NONE else self.predicted


def load(folder):
    """Read the file; return name to `Line`, an empty one where an exercise has none yet.

    A line that cannot be read is bad input.
    """
    lines = defaultdict(Line)
    try:
        text = (folder / FILE).read_text(encoding="utf-8-sig")  # as editors of Windows save it
    except UnicodeDecodeError:
        raise ValueError(f"{folder / FILE} is no text in UTF-8: mend it, or delete it") from None
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        where = f"{folder / FILE}, line {number},"
        try:
            name, found = _read(line)
        except ValueError:
            raise ValueError(
                f"{where} is no line of a workshop's progress: mend it, or delete it"
            ) from None
        if name in lines:
            raise ValueError(
                f"{where} is the second of {error_text.shown(name)}: delete one of the two"
            )
        lines[name] = found
    return lines


def _read(line):
    """Read a line; return the exercise's name and what was reached."""
    name, state, best, predicted, hints, checks = line.split()
    if state not in STATES:
        raise ValueError(state)
    predicted = NONE if predicted == NONE else _speedup(predicted)
    return name, Line(state, _speedup(best), predicted, _count(hints), _count(checks))


def _speedup(text):
    """Read a speed-up, None if it is a dash."""
    value, (low, high) = None if text == "-" else float(text), SPEEDUPS
    if value is not None and not low <= value <= high:
        raise ValueError(text)
    return value


def _count(text):
    """Read how many there were: no more than somebody can have asked for."""
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
    """Write a speed-up so that it can be read again: it may have been measured to be none."""
    if value in (None, NONE):
        return value or "-"
    low, high = SPEEDUPS
    return f"{min(max(value, low), high):.{digits}g}"


@contextlib.contextmanager
def _alone(folder):
    """Let no other command change the files meanwhile: who saves last would undo the others.

    The folder itself is locked, so no file is left. Where that cannot be, nothing is.
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
    with _alone(folder):
        lines = load(folder)
        line = lines[name]
        for key, value in changes.items():
            setattr(line, key, value)
        save(folder, lines)
    return line


def note_result(folder, name, result, machine):
    """Put an exercise's last result into results.json, for the class."""
    with _alone(folder):
        done = results(folder) | {name: result}
        said = {"format": FORMAT, "machine": machine, "exercises": done}
        saving.write(folder / RESULTS, json.dumps(said, indent=1, ensure_ascii=False) + "\n")


def results(folder):
    """Return name to the last result, of the exercises in results.json.

    Only a file that is not there says that there is none yet: any other that cannot be read is bad
    input, as the next result would be written in its place, and all in it lost.
    """
    file = folder / RESULTS
    try:
        said = json_text.parse(file.read_bytes())
        if isinstance(said, dict) and (kind := said.get("format", FORMAT)) != FORMAT:
            raise ValueError(
                f"its format is {error_text.shown(kind)}, and this polymask reads {FORMAT!r}"
            )
        done = said.get("exercises") if isinstance(said, dict) else None
        if not (isinstance(done, dict) and all(isinstance(one, dict) for one in done.values())):
            raise ValueError('it has no object "exercises", of an object for each')
        return done
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        mend = "mend it, or rename it, and your checks begin a new one"
        raise ValueError(f"cannot read {file}: {reason}: {mend}") from None


def shown(folder):
    """Return name to the speed-up that was measured last, also where it could not be judged."""
    found = {name: one.get("shown") for name, one in results(folder).items()}
    low, high = SPEEDUPS
    return {n: s for n, s in found.items() if type(s) in (int, float) and low <= s <= high}


def digest(files):
    """Return a hash of an answer's files, by which a change is seen."""
    made = hashlib.sha256()
    for file in files:
        made.update(hashlib.sha256(file.read_bytes() if file.is_file() else b"").digest())
    return made.hexdigest()
