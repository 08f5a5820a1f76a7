"""The check of an exercise, from the build of the student's files to the outcome."""

import dataclasses
import os
import re
import secrets
import shlex
import tokenize
from dataclasses import dataclass

from ladder.common import busy
from ladder.workshop import concepts
from ladder.workshop.sandbox import build, child_handle, yellow
from ladder.workshop.sandbox.check_failed import CheckFailed
from ladder.workshop.student import messages, pictures, speed
from polymask.common import figures, saving
from polymask.contract import Unavailable
from polymask.masks import container

try:
    import fcntl
except ImportError:  # Windows, where `child_handle` raises Unavailable
    fcntl = None

BUILD = "build"  # the folder for builds, beside the folders of the exercises
COUNTED = re.compile(r"(?m)^\d+ (?:error|warning)s?\b.* generated\.\n?")  # by a device's compiler
SPEED_S = 60.0  # added to the time-out for timing, which runs twice on a busy machine


@dataclass
class Outcome:
    """The outcome of a check."""

    passed: bool
    message: str = ""  # about the mistake
    correct: bool = False  # whether the masks are right, at any speed
    note: str = ""  # from the exercise's own checks
    picture: str = ""  # lines for the terminal
    speed: dict | None = None  # the result of `ladder.workshop.student.speed.run`
    printed: str = ""  # the output of the student's code
    untimed: str = ""  # why the speed of a right answer is not judged
    unchecked: bool = False  # True if the machine cannot run the exercise


def check(exercise, where, *, seed=None, before_speed=None, force=False):
    """Check the student's files of an exercise: correctness first, then speed.

    `where` is the workshop's folder. If `seed` is None, a random one is chosen, so that no file can
    know the polygons. `before_speed` is called before a right answer is timed. With `force`, speed
    is judged even on a busy machine.
    """
    child_handle.require()
    if closed := exercise.closed():
        return Outcome(False, messages.describe_missing(closed), unchecked=True)
    folder, scratch = where / exercise.directory, where / BUILD / exercise.name
    for name in exercise.files:
        if not (folder / name).is_file():
            advice = f"restore it with `polymask workshop reset {exercise.name}`"
            return Outcome(False, f"the file {name} is missing: {advice}")
    saving.make_folder(scratch)
    with open(scratch.with_name(f"{exercise.name}.lock"), "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = "another check of this exercise is running here: wait until it ends"
            return Outcome(False, message, unchecked=True)
        start_reading = read_load()
        outcome, file = check_right(exercise, folder, scratch, seed)
        if not outcome.correct or not exercise.speed:
            return outcome
        return time_answer(outcome, exercise, file, scratch, start_reading, before_speed, force)


def check_right(exercise, folder, scratch, seed):
    """Check the answer at any speed; return the outcome, and the file that was imported."""
    try:
        file = build.build(exercise, folder, scratch)
    except build.BuildFailed as failed:
        return Outcome(False, f"the answer does not build:\n{failed}"), None
    except CheckFailed as failure:
        return Outcome(False, str(failure)), None
    seed = secrets.randbelow(10**6) if seed is None else seed
    outcome = examine("answers", file, exercise, scratch, seed)
    if not outcome.passed:
        return outcome, file
    if still_yellow := find_yellow(exercise, folder, scratch):
        outcome.passed, outcome.message = False, f"the answers are right, but {still_yellow}"
        return outcome, file
    outcome.correct = True
    return outcome, file


def time_answer(checked, exercise, file, scratch, start_reading, before_speed, force):
    """Time a correct answer, and judge its speed if the machine is quiet since `start_reading`."""
    if container.cores() < exercise.speed.cores:
        checked.untimed = (
            f"it needs {exercise.speed.cores} cores, but this process has {container.cores()}"
        )
        return checked
    try:
        solution = build_solution(exercise, scratch)
    except build.BuildFailed as failed:
        checked.untimed = f"the solution does not build here:\n{failed}"
        return checked
    load = busy.seen(start_reading, read_load(), container.usable())
    if before_speed:
        before_speed()
    if load.busy or load.others is None:  # it may be quiet by now
        load = busy.look()
    reading = read_load()
    outcome = examine("speed", file, exercise, scratch, secrets.randbelow(10**6), solution)
    load_after = busy.seen(reading, read_load(), container.usable())
    if outcome.unchecked:  # a rung to compare it with is not built
        checked.untimed = outcome.message
        return checked
    outcome.correct, outcome.note = True, checked.note
    if outcome.passed:
        sentences = [] if force else [state.sentence for state in (load, load_after) if state.busy]
        speed.judge(outcome, exercise.speed, next(iter(sentences), ""))
    return outcome


def read_load():
    """Return the kernel's counts, or None; time of ended child processes counts as our own."""
    counts, times = busy.read(), os.times()
    if counts is None:
        return None
    children_s = times.children_user + times.children_system
    return dataclasses.replace(counts, own_s=counts.own_s + children_s)


def build_solution(exercise, scratch):
    """Build the solution of an exercise without a rung; return its module, or None with a rung."""
    if exercise.speed.solution is not None:
        return None
    scratch = scratch.with_name(f"{exercise.name}.solution")
    folder, build_scratch = scratch / "own", scratch / "made"
    folder.mkdir(parents=True, exist_ok=True)
    build_scratch.mkdir(exist_ok=True)
    for name in exercise.files:
        (folder / name).write_text(exercise.solution(name), encoding="utf-8")
    return build.build(exercise, folder, build_scratch)


def examine(part, file, exercise, scratch, seed, solution=None):
    """Run a part of a check, "answers" or "speed", of a built module; return the `Outcome`.

    `solution` is the module of the solution, for "speed" if the exercise has no rung.
    """
    outcome, source, is_speed = Outcome(False), scratch / build.FOLDER, part == "speed"
    variables = {"OMP_WAIT_POLICY": os.environ.get("OMP_WAIT_POLICY", "passive")}
    seconds = exercise.seconds + SPEED_S * is_speed
    job = {"seed": seed, "solution": str(solution or "")}
    child = None
    try:
        child = child_handle.Child(
            exercise, part, scratch / "process", source, file, variables, seconds, **job
        )
        value = child.receive()
        if is_speed:
            outcome.speed = value | {"measured": exercise.speed.what}
        else:
            outcome.note = value
        outcome.passed = True
    except CheckFailed as failure:
        outcome.message = messages.with_type_hint(str(failure), failure.fact, exercise, source)
        if failure.got is not None:
            wrong = pictures.WrongMask(failure.got, failure.expected, failure.vertices)
            outcome.picture = pictures.text(wrong)
    except child_handle.Failed as failed:
        message = messages.describe_exception(failed.report, exercise, source)
        outcome.message = messages.with_type_hint(message, message, exercise, source)
    except child_handle.Stopped as stopped:
        if stopped.ended.code >= 0 and not stopped.ended.timed_out:
            saving.check_build(stopped.ended.output, scratch)
        message = messages.describe_end(stopped, exercise)
        fact = message.removesuffix(f" {concepts.GUARD}")
        outcome.message = messages.with_type_hint(message, fact, exercise, source)
    except Unavailable as unavailable:
        outcome.unchecked = True
        outcome.message = messages.describe_missing(unavailable)
    finally:
        if child:
            child.close()
            printed = child_handle.read_output(child.scratch)
            outcome.printed = COUNTED.sub("", printed).strip()
    return outcome


def find_yellow(exercise, folder, scratch):
    """Return a message about lines that call Python in loops; empty if there are none."""
    for function in exercise.yellow:
        with tokenize.open(scratch / build.FOLDER / exercise.main) as file:  # as it declares
            source = file.read()
        scores = yellow.read(next(scratch.rglob(f"{exercise.module}.html")))
        lines = yellow.in_loops(scores, source, function)
        if lines is None:
            return f"the function {function} is missing"
        if lines:
            divide = all(re.search("[/%]", source.splitlines()[n - 1]) for n in lines)
            hint = "each of these lines divides: set `cdivision=True`; " if divide else ""
            file = shlex.quote(os.path.relpath(folder / exercise.main))
            return (
                f"the loop of {function} still calls Python in {figures.count(len(lines), 'line')} "
                f"(yellow score {sum(lines.values())}): {', '.join(map(str, lines))}; {hint}"
                f"`polymask annotate {file}` shows where"
            )
    return ""
