"""Checks one exercise: builds the student's files, examines them, and says what was found."""

import json
import os
import secrets
import signal
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from polymask.workshop import builder, pictures, process, yellow

BUILD = "build"  # the folder, beside the exercises' own, where all is built


@dataclass
class Outcome:
    """What a check found.

    Attributes
    ----------
    passed : bool
    message : str
        What is wrong, or an empty text.
    correct : bool
        Whether the masks were right, however fast.
    picture : str
        Lines for the terminal, or an empty text.
    png : Path or None
    speed : dict or None
        As `polymask.workshop.race` says.
    printed : str
        What the student's code printed.
    undetected : list or None
        With `tamper`: the known wrong ways that passed.
    """

    passed: bool
    message: str = ""
    correct: bool = False
    picture: str = ""
    png: Path | None = None
    speed: dict | None = None
    printed: str = ""
    undetected: list | None = None


def check(exercise, where, *, seed=None, speed=True, tamper=False):
    """Check the student's files of an exercise.

    Parameters
    ----------
    exercise : Exercise
    where : Path
        The workshop's folder.
    seed : int, optional
        Of the polygons; drawn anew if None, so that no file can know them.
    speed : bool
        Whether to measure.
    tamper : bool
        Try the known wrong ways of `polymask.workshop.tamper` instead, for `verify`.

    Returns
    -------
    Outcome
    """
    folder, place = where / exercise.directory, where / BUILD / exercise.name
    for name in exercise.files:
        if not (folder / name).is_file():
            again = f"`polymask workshop reset {exercise.name}` puts it back"
            return Outcome(False, f"there is no file {name}: {again}")
    place.mkdir(parents=True, exist_ok=True)
    (folder / "wrong.png").unlink(missing_ok=True)
    try:
        module = builder.build(exercise, folder, place) or folder / exercise.main
    except builder.BuildFailed as failed:
        return Outcome(False, f"does not build:\n{failed}")
    still_yellow = find_yellow(exercise, folder, place)
    report = place / "report.jsonl"
    report.unlink(missing_ok=True)
    job = {
        "exercise": str(exercise.folder),
        "module": str(module),
        "report": str(report),
        "seed": secrets.randbelow(10**6) if seed is None else seed,
        "speed": speed and not still_yellow,
        "tamper": tamper,
    }
    passive = {"OMP_WAIT_POLICY": os.environ.get("OMP_WAIT_POLICY", "passive")}
    ended = process.run(
        "polymask.workshop.examine", job, place, exercise.seconds, exercise.memory_gib, passive
    )
    outcome = read(report, ended, exercise)
    outcome.printed = ended.output.strip()
    if outcome.picture:
        outcome.png = draw(outcome, report, folder)
    if outcome.passed and still_yellow:
        outcome.passed, outcome.message = False, f"the masks are right, but {still_yellow}"
    elif outcome.passed and outcome.speed and not outcome.speed["good"]:
        outcome.passed, outcome.message = False, too_slow(outcome.speed, exercise.speed)
    return outcome


def read(report, ended, exercise):
    """Make an outcome of the report and of how the process ended."""
    lines = report.read_text(encoding="utf-8").splitlines() if report.exists() else []
    said = {}
    for line in lines:
        try:
            said |= json.loads(line)
        except ValueError:
            break  # the process was ended within a line
    correct, speed = said.get("correct", False), said.get("speed")
    if "passed" in said:
        picture = ""
        if "got" in said:
            picture = pictures.text(np.array(said["got"]), np.array(said["expected"]))
        found = Outcome(said["passed"], said.get("message", ""), correct, picture, speed=speed)
        found.undetected = said.get("undetected")
        return found
    return Outcome(False, how_it_ended(ended, said.get("doing", "starting"), exercise), correct)


def how_it_ended(ended, doing, exercise):
    """Say why a process ended without a verdict."""
    if ended.timed_out:
        return f"no answer within {exercise.seconds:g} s while {doing}: does a loop never end?"
    if ended.code < 0:
        number = -ended.code
        hint = ""
        if number == signal.SIGSEGV:
            hint = ": an index or a pointer left its array"
        name = signal.strsignal(number) or "unknown"
        return f"it crashed while {doing}: {name} (signal {number}){hint}"
    if ended.code and "MemoryError" in ended.output:
        limit = exercise.memory_gib
        return f"it asked for more memory than a check allows ({limit:g} GiB) while {doing}"
    return f"it ended the process (exit code {ended.code}) while {doing}: return a mask instead"


def draw(outcome, report, folder):
    """Write wrong.png beside the student's files; return it, or None where that cannot be."""
    said = next(s for s in map(json.loads, report.read_text().splitlines()) if "got" in s)
    file = folder / "wrong.png"
    try:
        pictures.png(np.array(said["got"]), np.array(said["expected"]), file)
    except OSError:
        return None
    return file


def find_yellow(exercise, folder, place):
    """Say which lines call Python in loops where they should not; empty if none does."""
    for function in exercise.yellow:
        source = (folder / exercise.main).read_text(encoding="utf-8")
        lines = yellow.in_loops(yellow.read(builder.page(exercise, place)), source, function)
        if lines is None:
            return f"there is no function {function} any more"
        if lines:
            return (
                f"{len(lines)} lines in the loop of {function} still call Python (yellow score "
                f"{sum(lines.values())}): lines {', '.join(map(str, lines))}; "
                f"`polymask annotate {exercise.main}` shows them"
            )
    return ""


def too_slow(speed, wanted):
    """Say by how much a right answer is too slow."""
    parts = []
    if speed["times_before"] is not None and speed["times_before"] < wanted.times_before:
        parts.append(
            f"{speed['times_before']:.2g} times as fast as before, "
            f"at least {wanted.times_before:g} are asked for"
        )
    if speed["of_solution"] is not None and speed["of_solution"] < wanted.of_solution:
        parts.append(
            f"{speed['of_solution']:.0%} of the solution's speed, "
            f"at least {wanted.of_solution:.0%} are asked for"
        )
    return f"the answers are right, but too slow: {'; '.join(parts)}"
