"""Checks one exercise: builds the student's files, examines them, and says what was found."""

import dataclasses
import json
import os
import re
import secrets
import shlex
import signal
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from polymask import saving
from polymask.bench import busy, machine
from polymask.ladder import registry
from polymask.report import figures
from polymask.workshop.sandbox import build, kernel, process, system, timing, yellow
from polymask.workshop.sandbox.system import fcntl
from polymask.workshop.student import pictures

BUILD = "build"  # the folder, beside the exercises' own, where all is built
SPEED_S = 20.0  # of patience more for measuring, which on a busy machine is done twice
BUSY_SHIFT = 2.0  # so far may other programs move a ratio: who shares a core has half of it
# What the C library says when it finds its own notes, between two blocks of memory, overwritten.
HEAP = re.compile(r"(free|malloc|realloc|munmap_chunk)\(\)?.*:|corrupted|double free")


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
        As `polymask.workshop.sandbox.timing` says.
    printed : str
        What the student's code printed.
    untimed : str
        Why the speed of a right answer is not judged, or an empty text.
    undetected : list or None
        With `tamper`: the known wrong ways that passed.
    unchecked : bool
        Whether nothing could be checked: the machine lacks what the exercise needs.
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
    unchecked: bool = False


def check(
    exercise,
    where,
    *,
    seed=None,
    before_speed=None,
    say=lambda line: None,
    force=False,
    tamper=False,
):
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
    say : callable, optional
        Is told, before it is measured, who else uses the machine.
    force : bool
        Judge the speed even on a busy machine.
    tamper : bool
        Try the known wrong ways of `polymask.workshop.sandbox.tamper` instead, for `verify`.

    Returns
    -------
    Outcome
    """
    system.require()
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
            under_way = "another check of it is under way in this folder: let it end"
            return Outcome(False, under_way, unchecked=True)
        outcome, job = check_right(exercise, folder, place, seed, tamper)
        if not outcome.correct or not exercise.speed:
            return outcome
        return timed(outcome, exercise, job, place, before_speed, say, force)


def check_right(exercise, folder, place, seed, tamper):
    """Check the answers, however fast they are; return the outcome, and the job that found it."""
    (folder / "wrong.png").unlink(missing_ok=True)
    try:
        module = build.build(exercise, folder, place) or folder / exercise.main
    except build.BuildFailed as failed:
        return Outcome(False, f"does not build:\n{failed}"), {}
    job = {
        "exercise": str(exercise.folder),
        "module": str(module),
        "seed": secrets.randbelow(10**6) if seed is None else seed,
    }
    outcome = examine("tamper" if tamper else "answers", job, exercise, place)
    if outcome.wrong:
        outcome.png = draw(outcome.wrong, folder)
    if not outcome.passed or tamper:
        return outcome, job
    if still_yellow := find_yellow(exercise, folder, place):
        outcome.passed, outcome.message = False, f"the answers are right, but {still_yellow}"
        return outcome, job
    outcome.correct = True
    return outcome, job


def timed(right, exercise, job, place, before_speed, say, force):
    """Measure a right answer, and judge its speed if that can be done now; return the outcome."""
    if machine.affinity() < exercise.speed.cores:
        right.untimed = (
            f"it would need {exercise.speed.cores} cores, and there is {machine.affinity()}"
        )
        return right
    try:
        job["solution"] = str(build_solution(exercise, place) or "")
    except build.BuildFailed as failed:
        right.untimed = f"the solution does not build here:\n{failed}"
        return right
    if before_speed:
        before_speed()
    now = busy.look()
    if now.busy and not force:
        say(f"{now.sentence}:\n  the speed can hardly be judged now; wait, or --force a verdict")
    before = reading()
    outcome = examine("speed", job, exercise, place, slower=SPEED_S)
    meanwhile = busy.seen(before, reading(), busy.usable())
    outcome.correct, outcome.note = True, right.note
    if outcome.passed:
        found = [] if force else [look.sentence for look in (now, meanwhile) if look.busy]
        judge(outcome, exercise.speed, next(iter(found), ""))
    return outcome


def reading():
    """Read the kernel's counts, the examined processes that have ended being ours; or None."""
    found, times = busy.read(), os.times()
    if found is None:
        return None
    children_s = times.children_user + times.children_system
    return dataclasses.replace(found, own_s=found.own_s + children_s)


def judge(outcome, wanted, others):
    """Put into an outcome what its measured speed allows to be said.

    Parameters
    ----------
    outcome : Outcome
        With its speed.
    wanted : Speed
    others : str
        Who else uses the machine, in words; empty if nobody does.
    """
    found = timing.verdict(outcome.speed, wanted, BUSY_SHIFT if others else 1.0)
    if found == timing.SLOW:
        outcome.passed, outcome.message = False, too_slow(outcome.speed, wanted)
    elif found == timing.UNCLEAR:
        outcome.untimed = (
            f"machine busy, as {others}" if others else wandering(outcome.speed, wanted)
        )


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
    return build.build(exercise, folder, made) or folder / exercise.main


def examine(part, job, exercise, place, slower=0.0):
    """Let `polymask.workshop.sandbox.examine` do one part of a check; return the outcome."""
    report = place / "report.jsonl"
    report.unlink(missing_ok=True)
    job |= {"part": part, "report": str(report)}
    environment = {"OMP_WAIT_POLICY": os.environ.get("OMP_WAIT_POLICY", "passive")}
    seconds = exercise.seconds + slower
    with tempfile.TemporaryDirectory(prefix="polymask-") as links:
        if exercise.needs and registry.get(exercise.needs).device == kernel.DEVICE:
            environment |= kernel.headers_without_spaces(links)
        ended = process.run(
            "polymask.workshop.sandbox.examine",
            job,
            place,
            seconds,
            exercise.memory_gib,
            environment,
        )
    said = read(report)
    if "passed" not in said and not ended.timed_out and ended.code >= 0:
        saving.check_build(ended.output, place)
    outcome = understand(said, ended, exercise, seconds)
    outcome.printed = ended.output.strip()
    return outcome


def read(report):
    """Return what the report says: the last word of each kind."""
    lines = report.read_text(encoding="utf-8").splitlines() if report.exists() else []
    said = {}
    for line in lines:
        try:
            said |= json.loads(line)
        except ValueError:
            break  # the process was ended within a line
    return said


def understand(said, ended, exercise, seconds):
    """Make an outcome of what the report says and of how the process ended."""
    if "passed" not in said:
        doing = said.get("doing", "starting")
        return Outcome(False, how_it_ended(ended, doing, exercise, seconds))
    found = Outcome(said["passed"], said.get("message", ""), note=said.get("note", ""))
    found.speed, found.undetected = said.get("speed"), said.get("undetected")
    found.unchecked = said.get("unchecked", False)
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
        elif number == signal.SIGABRT and HEAP.search(ended.output):
            hint = ": something was written beyond the end of an array or of a device's buffer"
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
        lines = yellow.in_loops(yellow.read(build.page(exercise, place)), source, function)
        if lines is None:
            return f"there is no function {function} any more"
        if lines:
            file = shlex.quote(os.path.relpath(folder / exercise.main))
            return (
                f"the loop of {function} still calls Python in {figures.count(len(lines), 'line')} "
                f"(yellow score {sum(lines.values())}): {', '.join(map(str, lines))}; "
                f"`polymask annotate {file}` shows where"
            )
    return ""


RATIOS = {
    "times_before": ("{} times as fast as before", "{:.2g}".format),
    "of_solution": ("{} of the solution's speed", "{:.0%}".format),
}


def too_slow(speed, wanted):
    """Say by how much a right answer is too slow."""
    parts = []
    for name, (words, write) in RATIOS.items():
        least = getattr(wanted, name)
        if speed[name] is not None and speed[name] < least:
            found = words.format(write(speed[name]))
            parts.append(f"{found}, at least {write(least)} are asked for")
    return f"the answers are right, but too slow: {'; '.join(parts)}"


def wandering(speed, wanted):
    """Say which ratio is too uncertain to be judged."""
    parts = []
    for name, (low, high) in speed["between"].items():
        (words, write), least = RATIOS[name], getattr(wanted, name)
        if low < least <= high:
            found = words.format(f"{write(low)} to {write(high)}")
            parts.append(f"{found}, where {write(least)} are asked for")
    return f"its times wander too much: {'; '.join(parts)}"
