"""What a student has reached: one plain text file, a line an exercise; and the result for a class.

progress.txt can be read, and mended, in any editor. results.json says the same with the machine,
for `polymask workshop collect`.
"""

import json
from collections import defaultdict
from dataclasses import dataclass

from polymask import saving

FILE = "progress.txt"
RESULTS = "results.json"
FORMAT = "polymask workshop 1"  # of RESULTS
SPEEDUPS = 1e-3, 1e6  # what can be meant by one, predicted or measured
HEAD = "# exercise           state   best  predicted  hints  checks\n"


OPEN, RIGHT, PASSED = "open", "right", "passed"
NONE = "none"  # in the column `predicted`: a speed was shown before anything was predicted


@dataclass
class Line:
    """What a student has reached in an exercise.

    Attributes
    ----------
    state : str
        `OPEN`, `PASSED`, or `RIGHT`: passed, but the speed could not be judged yet.
    best : float or None
        The largest speed-up that was judged.
    predicted : float, `NONE` or None
        The first prediction counts; None as long as it can still be made.
    hints, checks : int
        How many were shown, and made.
    """

    state: str = OPEN
    best: float | None = None
    predicted: float | str | None = None
    hints: int = 0
    checks: int = 0

    @property
    def passed(self):
        """Whether the next exercise may follow."""
        return self.state != OPEN

    @property
    def prediction(self):
        """The speed-up that was predicted, or None."""
        return None if self.predicted == NONE else self.predicted


def load(folder):
    """Read the file; return name to `Line`, an empty one where an exercise has none yet.

    A line that cannot be read is bad input.
    """
    lines = defaultdict(Line)
    text = (folder / FILE).read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            name, state, best, predicted, hints, checks = line.split()
            if state not in (OPEN, RIGHT, PASSED):
                raise ValueError(state)
            lines[name] = Line(
                state,
                None if best == "-" else float(best),
                NONE if predicted == NONE else None if predicted == "-" else float(predicted),
                int(hints),
                int(checks),
            )
        except ValueError:
            raise ValueError(
                f"{folder / FILE}, line {number}, is no line of a workshop's progress: "
                "mend it, or delete it"
            ) from None
    return lines


def save(folder, lines):
    """Write the file, whole or not at all."""
    text = HEAD + "".join(
        f"{name:<20} {line.state:<6} {_number(line.best):>5} "
        f"{_number(line.predicted):>10} {line.hints:>6} {line.checks:>7}\n"
        for name, line in lines.items()
    )
    saving.write(folder / FILE, text)


def _number(value):
    return value if value == NONE else "-" if value is None else f"{value:.3g}"


def note(folder, name, **changes):
    """Change an exercise's line; return it."""
    lines = load(folder)
    line = lines[name]
    for key, value in changes.items():
        setattr(line, key, value)
    save(folder, lines)
    return line


def note_result(folder, name, result, machine):
    """Put an exercise's last result into results.json, for the class."""
    file = folder / RESULTS
    try:
        known = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        known = {}
    exercises = known.get("exercises", {})
    exercises[name] = result
    said = {"format": FORMAT, "machine": machine, "exercises": exercises}
    saving.write(file, json.dumps(said, indent=1, ensure_ascii=False) + "\n")
