"""The process that runs an answer and its check; `child_handle` starts it.

It sends each step, and finally the result, to the parent as a line of JSON.
"""

import faulthandler
import importlib
import json
import os
import random
import signal
import sys
import traceback
from pathlib import Path

from ladder import registry
from ladder.workshop import exercises
from ladder.workshop.sandbox import child, child_handle, classes, imports, masks
from ladder.workshop.sandbox.check_failed import CheckFailed
from ladder.workshop.sandbox.translated import Translated
from polymask.contract import Unavailable

MOST_TEXT = 4000  # characters of an exception's message
MOST_PIXELS = 20_000  # of a mask in a message


def main():
    """Run the part of a check that the job in sys.argv[1] describes."""
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    if sys.path and not sys.path[0]:
        del sys.path[0]  # not the working directory
    stack = os.open(child_handle.STACK, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    faulthandler.register(signal.SIGURG, stack)  # LLVM takes SIGUSR1 and SIGUSR2
    child.exercise, child.pipe = exercises.read(Path(job["exercise"])), job["writes"]
    child.source, child.file = Path(job["source"]), Path(job["file"])
    try:
        child.exercise.require()
        result = {"value": PARTS[job["part"]](job)}
    except Unavailable as unavailable:
        result = {"unavailable": str(unavailable)}
    except CheckFailed as failure:
        result = {"wrong": {"message": str(failure), "fact": failure.fact}}
        if failure.got is not None and failure.expected.size <= MOST_PIXELS:
            result["wrong"]["masks"] = [failure.got.tolist(), failure.expected.tolist()]
            result["wrong"]["vertices"] = failure.vertices
    except BaseException as error:
        result = {"error": describe_error(error)}
    child.tell(**result)


def answers(job):
    """Run the checks of masks and those of the exercise; return the note from check.py."""
    exercise, own = child.exercise, child.exercise.own_check()
    guarded = masks.GUARDED if exercise.checks != "own" else {}
    answer = import_answer(guarded | getattr(own, "UNDER", {}))
    if exercise.checks != "own":
        if exercise.build == "cython":
            classes.check_stored(Translated().text)
        note = ""
        if hasattr(own, "first"):
            child.step("running the exercise's first check")
            note = own.first(answer, random.Random(job["seed"])) or ""
        masks.check(answer, job["seed"])
        if exercise.checks == "mask":
            return note
    child.step("running the exercise's own checks")
    return own.check(answer, random.Random(job["seed"])) or ""


def speed(job):
    """Time the answer, the solution and the rung before; return the result of `timing.run`."""
    from ladder.workshop.sandbox import timing

    target = child.exercise.speed
    for key in filter(None, (target.before, target.solution)):
        registry.get(key).load()
    solution = import_file(Path(job["solution"])) if job["solution"] else None
    lanes = timing.lanes_of(target, import_answer({}), solution)
    child.step(f"measuring {target.what}")
    return timing.run(target, lanes, timing.calls_of(child.exercise), job["seed"])


PARTS = {"answers": answers, "speed": speed}


def import_answer(environments):
    """Import our own modules, then the answer; return its module."""
    exercise, file = child.exercise, child.file
    child.install(environments)
    for name in exercise.allows:
        importlib.import_module(name)
    child.tell(begun=True)
    child.step("importing it")
    known = set(sys.modules)
    if exercise.build == "kernel":
        from ladder.workshop.sandbox import kernel

        return kernel.module(file, registry.get(exercise.needs).module())
    sys.path.insert(0, str(child.source))  # for the student's own modules
    answer = import_file(file)
    imports.check(exercise, child.source, known)
    return answer


def import_file(file):
    """Import the exercise's module from a file, by the name with which it was built."""
    name, built = child.exercise.module, file.suffix == ".so" and child.exercise.build == "cython"
    return child.from_file(f"workshop.{name}" if built else name, file)


def describe_error(error):
    """Return an exception's type, message and lines, as plain values."""
    source = child.source
    try:
        text = str(error)
    except BaseException:  # from the student's own class
        text = ""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [(Path(frame.filename), frame.lineno) for frame in frames]
    report = {"type": type(error).__name__, "message": text[:MOST_TEXT]}
    report["bases"] = [base.__name__ for base in type(error).__mro__]
    report["lines"] = [
        [str(file.relative_to(source)) if file.is_absolute() else file.name, line]
        for file, line in lines
        if source in file.parents or (not file.is_absolute() and file.name in child.exercise.files)
    ]
    if not report["lines"]:  # the lines of the check instead
        folder = child.exercise.folder
        report["check"] = [[file.name, line] for file, line in lines if folder in file.parents]
    if isinstance(error, SyntaxError):
        report["syntax"] = {
            "file": Path(str(error.filename or child.exercise.main)).name,
            "line": error.lineno,
            "message": str(error.msg),
            "text": str(error.text or ""),
        }
    return report
