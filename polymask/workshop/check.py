"""Checks one exercise: builds the student's files, examines them, and says what was found."""

import fcntl
import json
import os
import secrets
import signal
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from polymask.bench import machine
from polymask.workshop import builder, kernel, pictures, process, yellow

BUILD = "build"  # the folder, beside the exercises' own, where all is built
SPEED_S = 20.0  # of patience more for measuring, which on a busy machine is done twice


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
    note : str
        What the exercise's own checks found worth telling, or an empty text.
    wrong : tuple of ndarray or None
        The mask that was returned and the right one, where a picture can show them.
    picture : str
        Lines for the terminal, or an empty text.
    png : Path or None
    speed : dict or None
        As `polymask.workshop.race` says.
    printed : str
        What the student's code printed.
    untimed : str
        Why a right answer was not measured, or an empty text.
    undetected : list or None
        With `tamper`: the known wrong ways that passed.
    """

    passed: bool
    message: str = ""
    correct: bool = False
    note: str = ""
    wrong: tuple | None = None
    picture: str = ""
    png: Path | None = None
    speed: dict | None = None
    printed: str = ""
    untimed: str = ""
    undetected: list | None = None


def check(exercise, where, *, seed=None, before_speed=None, tamper=False):
    """Check the student's files of an exercise: right first, then fast.

    Parameters
    ----------
    exercise : Exercise
    where : Path
        The workshop's folder.
    seed : int, optional
        Of the polygons; drawn anew if None, so that no file can know them.
    before_speed : callable, optional
        Called without arguments when the answers are right and will be measured next.
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
    with open(place.with_name(f"{exercise.name}.lock"), "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return Outcome(False, "another check of it is under way in this folder: let it end")
        return check_alone(exercise, folder, place, seed, before_speed, tamper)


def check_alone(exercise, folder, place, seed, before_speed, tamper):
    """Check, while no other check builds in the same place."""
    (folder / "wrong.png").unlink(missing_ok=True)
    try:
        module = builder.build(exercise, folder, place) or folder / exercise.main
    except builder.BuildFailed as failed:
        return Outcome(False, f"does not build:\n{failed}")
    job = {
        "exercise": str(exercise.folder),
        "module": str(module),
        "seed": secrets.randbelow(10**6) if seed is None else seed,
    }
    outcome = examine("tamper" if tamper else "answers", job, exercise, place)
    if outcome.wrong:
        outcome.png = draw(outcome.wrong, folder)
    if not outcome.passed or tamper:
        return outcome
    if still_yellow := find_yellow(exercise, folder, place):
        outcome.passed, outcome.message = False, f"the answers are right, but {still_yellow}"
        return outcome
    outcome.correct = True
    return timed(outcome, exercise, job, place, before_speed) if exercise.speed else outcome


def timed(right, exercise, job, place, before_speed):
    """Measure a right answer; return the outcome with its speed."""
    if machine.affinity() < exercise.speed.cores:
        right.untimed = (
            f"the speed is not measured: it would need {exercise.speed.cores} cores, "
            f"and there is {machine.affinity()}"
        )
        return right
    try:
        job["solution"] = str(build_solution(exercise, place) or "")
    except builder.BuildFailed as failed:
        right.untimed = f"the speed is not measured: the solution does not build here:\n{failed}"
        return right
    if before_speed:
        before_speed()
    outcome = examine("speed", job, exercise, place, slower=SPEED_S)
    outcome.correct, outcome.note = True, right.note
    if outcome.passed and not outcome.speed["good"]:
        outcome.passed, outcome.message = False, too_slow(outcome.speed, exercise.speed)
    return outcome


def build_solution(exercise, place):
    """Build the solution of an exercise without a rung, once; return its module, or None."""
    if exercise.speed.solution is not None:
        return None
    place = place.with_name(f"{exercise.name}.solution")
    folder, made = place / "own", place / "made"
    folder.mkdir(parents=True, exist_ok=True)
    made.mkdir(exist_ok=True)
    for name in exercise.files:
        (folder / name).write_text(exercise.solution(name), encoding="utf-8")
    return builder.build(exercise, folder, made) or folder / exercise.main


def examine(part, job, exercise, place, slower=0.0):
    """Let `polymask.workshop.examine` do one part of a check; return the outcome."""
    report = place / "report.jsonl"
    report.unlink(missing_ok=True)
    job |= {"part": part, "report": str(report)}
    environment = {"OMP_WAIT_POLICY": os.environ.get("OMP_WAIT_POLICY", "passive")}
    seconds = exercise.seconds + slower
    with tempfile.TemporaryDirectory(prefix="polymask-") as links:
        if exercise.needs == "opencl.pixels":
            environment |= kernel.headers_without_spaces(links)
        ended = process.run(
            "polymask.workshop.examine", job, place, seconds, exercise.memory_gib, environment
        )
    outcome = read(report, ended, exercise, seconds)
    outcome.printed = ended.output.strip()
    return outcome


def read(report, ended, exercise, seconds):
    """Make an outcome of the report and of how the process ended."""
    lines = report.read_text(encoding="utf-8").splitlines() if report.exists() else []
    said = {}
    for line in lines:
        try:
            said |= json.loads(line)
        except ValueError:
            break  # the process was ended within a line
    if "passed" not in said:
        doing = said.get("doing", "starting")
        return Outcome(False, how_it_ended(ended, doing, exercise, seconds))
    found = Outcome(said["passed"], said.get("message", ""), note=said.get("note", ""))
    found.speed, found.undetected = said.get("speed"), said.get("undetected")
    if "got" in said:
        found.wrong = np.array(said["got"]), np.array(said["expected"])
        found.picture = pictures.text(*found.wrong)
    return found


def how_it_ended(ended, doing, exercise, seconds):
    """Say why a process ended without a verdict."""
    if ended.timed_out:
        return f"no answer within {seconds:g} s while {doing}: does a loop never end?"
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


def draw(wrong, folder):
    """Write wrong.png beside the student's files; return it, or None where that cannot be."""
    file = folder / "wrong.png"
    try:
        pictures.png(*wrong, file)
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
