"""The process in which an answer runs, and its check beside it; `child_handle` starts it.

It says each step, and at the end what was found, in lines of JSON.
"""

import functools
import importlib
import json
import sys
import traceback
from pathlib import Path

from polymask.contract import Unavailable
from polymask.ladder import registry
from polymask.workshop import exercises
from polymask.workshop.sandbox import child, compilers, examine, imports, timing
from polymask.workshop.sandbox.wrong import Wrong

MOST_TEXT = 4000  # characters of an exception's message
MOST_PIXELS = 20_000  # of a mask that is shown


def main():
    """Do a part of a check, as the job in sys.argv[1] says."""
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    if sys.path and not sys.path[0]:
        del sys.path[0]  # the working directory is not the student's
    child.exercise, child.pipe = exercises.read(Path(job["exercise"])), job["writes"]
    child.source, child.file = Path(job["source"]), Path(job["file"])
    try:
        child.exercise.require()
        said = {"value": PARTS[job["part"]](job)}
    except Unavailable as unavailable:
        said = {"unavailable": str(unavailable)}
    except BaseException as error:
        said = failure(error)
    child.tell(**said)


def answers(job):
    """Check an answer; return what check.py notes."""
    own = examine.own(child.exercise)
    answer = prepared(examine.environments(child.exercise, own))
    return examine.right(answer, own, job["seed"])


def known_wrong(job):
    """Return the known wrong masks that the checks do not find."""
    return examine.undetected(prepared(examine.environments(child.exercise, None)), job["seed"])


def speed(job):
    """Do batches of calls as long as the parent asks for some."""
    drawn = timing.calls_of(child.exercise)
    if job["rung"]:
        registry.get(job["rung"]).load()
        child.tell(begun=True)
        answer = registry.get(job["rung"]).module()
    else:
        answer = prepared({}, guarded=job["lane"] == "yours")
    child.tell(value="ready")
    with open(job["reads"], encoding="utf-8") as questions:
        timing.serve(answer, job["lane"], drawn, questions)


PARTS = {"answers": answers, "known wrong": known_wrong, "speed": speed}


def prepared(environments, guarded=True):
    """Import all that is ours, then the answer; return its module."""
    exercise = child.exercise
    load = functools.partial(child.from_file, name_of(child.file))
    if exercise.build == "kernel":
        from polymask.workshop.sandbox import kernel

        load = functools.partial(kernel.module, host=registry.get(exercise.needs).module())
    child.install(environments)
    for name in exercise.allows:
        importlib.import_module(name)
    compilers.watch()
    child.tell(begun=True)
    child.step("importing it")
    if not guarded:
        return load(child.file)
    sys.path.insert(0, str(child.source))  # for modules of the student's own, beside it
    with imports.Guard(exercise.allows, child.source).importing():
        return load(child.file)


def name_of(file):
    """Return the name that a module has to be imported by."""
    built = file.suffix == ".so" and child.exercise.build == "cython"
    return f"workshop.{child.exercise.module}" if built else child.exercise.module


# What went wrong


def failure(error):
    """Say of an exception what the parent has to know."""
    if isinstance(error, Wrong):
        said = {"message": str(error), "fact": error.fact}
        if error.got is not None and error.expected.size <= MOST_PIXELS:
            said["masks"] = [error.got.tolist(), error.expected.tolist()]
        return {"wrong": said}
    return {"error": told(error)}


def told(error):
    """Return an exception's type, message and lines, plain values."""
    source = child.source
    try:
        text = str(error)
    except BaseException:  # the student's class, the student's text
        text = ""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [(Path(frame.filename), frame.lineno) for frame in frames]
    known = {"type": type(error).__name__, "message": text[:MOST_TEXT]}
    known["bases"] = [base.__name__ for base in type(error).__mro__]
    known["lines"] = [
        [str(file.relative_to(source)) if file.is_absolute() else file.name, line]
        for file, line in lines
        if source in file.parents or (not file.is_absolute() and file.name in child.exercise.files)
    ]
    if not known["lines"]:  # where the check was
        folder = child.exercise.folder
        known["check"] = [[file.name, line] for file, line in lines if folder in file.parents]
    if isinstance(error, SyntaxError):
        known["syntax"] = {
            "file": Path(str(error.filename or child.exercise.main)).name,
            "line": error.lineno,
            "message": str(error.msg),
            "text": str(error.text or ""),
        }
    return known
