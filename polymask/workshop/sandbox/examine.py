"""Examines a student's module, in a process of its own: correctness first, then speed.

What it does and finds goes to a report, a line of JSON each, so that the parent knows what was
going on even if the student's code ends the process.
"""

import importlib.util
import inspect
import json
import random
import re
import sys
import traceback
from pathlib import Path

import numpy as np

from polymask.ladder import reference, registry
from polymask.workshop import exercises
from polymask.workshop.sandbox import cases, guard, kernel, poison, tamper, timing
from polymask.workshop.sandbox.wrong import Wrong, same_mask

PARAMETERS = ["vertices", "shape", "border_value"]


def main():
    """Examine as the job in sys.argv[1] says."""
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    exercise = exercises.read(Path(job["exercise"]))
    with open(job["report"], "w", encoding="utf-8") as file:

        def report(**said):
            file.write(json.dumps(said, default=float) + "\n")
            file.flush()

        try:
            examine(exercise, job, report)
            report(passed=True)
        except Wrong as wrong:
            report(passed=False, message=str(wrong), **picture(wrong))
        except registry.Unavailable as unavailable:
            lacking = f"the machine is at fault, not your file: {unavailable}"
            report(passed=False, unchecked=True, message=lacking)
        except BaseException as error:
            report(passed=False, message=tell(error, exercise, Path(job["module"])))


def examine(exercise, job, report):
    """Raise what is wrong; return if nothing is."""
    if exercise.needs:
        registry.get(exercise.needs).load()
    report(doing="importing it")
    module = load(exercise, Path(job["module"]))
    if job["part"] == "speed":
        solution = load(exercise, Path(job["solution"])) if job["solution"] else None
        lanes, right = timing.lanes(exercise, module, own(exercise), solution)
        measured = timing.what(exercise, own(exercise))
        report(doing=f"measuring {measured}")
        report(speed=timing.run(exercise.speed, lanes, right) | {"measured": measured})
        return
    if exercise.kind != "own":
        all_cases = [*cases.fixed(), *cases.drawn(job["seed"])]
        expected = [reference.mask(c.vertices, c.shape, c.border_value) for c in all_cases]
        if job["part"] == "tamper":
            report(undetected=tampered(module.make_mask, all_cases, expected))
            return
        check_signature(module, exercise)
        check_masks(module.make_mask, all_cases, expected, report)
    if exercise.kind != "mask":
        report(doing="running the exercise's own checks")
        note = own(exercise).check(module, random.Random(job["seed"]))
        report(note=note or "")  # for the student: what was seen, or why something was skipped


def load(exercise, file):
    """Import the student's module, or put the student's kernel behind a module."""
    if exercise.build == "kernel":
        return kernel.module(file, registry.get(exercise.needs).module())
    name = exercise.module
    if file.suffix == ".so" and exercise.build == "cython":
        name = f"workshop.{name}"
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # some code asks for its own module
    spec.loader.exec_module(module)
    return module


def own(exercise):
    """Import the exercise's check.py, or return None."""
    file = exercise.folder / "check.py"
    if not file.exists():
        return None
    spec = importlib.util.spec_from_file_location("check", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check_signature(module, exercise):
    """Raise `Wrong` if there is no `make_mask` of the right arguments."""
    make_mask = getattr(module, "make_mask", None)
    if make_mask is None:
        raise Wrong(f"{exercise.main} has no function make_mask")
    try:
        names = list(inspect.signature(make_mask).parameters)[: len(PARAMETERS)]
    except (TypeError, ValueError):
        return  # a built-in that does not tell: the calls will
    if names != PARAMETERS:
        raise Wrong(f"make_mask must take ({', '.join(PARAMETERS)}), it takes ({', '.join(names)})")


def check_masks(make_mask, all_cases, expected, report):
    """Raise `Wrong` at the first mask that is not right, or that a later call changed."""
    returned = []
    with guard.Guard().watching() as guarded:
        for case, right in zip(all_cases, expected, strict=True):
            report(doing=f"making a mask of {case.label}")
            kept = np.array(case.vertices)
            poison.memory(case.shape)
            with np.errstate(all="ignore"):  # huge coordinates follow IEEE, and need no warnings
                got = make_mask(case.vertices, case.shape, case.border_value)
            guarded.check(case.label)
            same_mask(got, right, case.label)
            if not np.array_equal(kept, np.array(case.vertices)):
                raise Wrong(f"{case.label}: the vertices have been changed: they are the caller's")
            returned.append((case, got, right))
    for case, got, right in returned:
        if not np.array_equal(got, right):
            raise Wrong(f"{case.label}: a later call changed this mask: each needs its own array")
    check_one_array(make_mask)
    check_refusals(make_mask, report)


def check_one_array(make_mask):
    """Raise `Wrong` if a mask depends on what was done to vertices or masks of calls before."""
    vertices, shape = np.array(cases.BOX, float), (9, 13)
    for label in (
        "an array of vertices",
        "the same again, after the first mask was written to",
        "the same array, other vertices written into it",
    ):
        if label.startswith("the same array"):
            vertices += 1.5
        with np.errstate(all="ignore"):
            got = make_mask(vertices, shape)
        same_mask(got, reference.mask(vertices, shape), label)
        if not got.flags.writeable:
            raise Wrong(f"{label}: the mask cannot be written to, and it is the caller's")
        got[...] = 7


def check_refusals(make_mask, report):
    """Raise `Wrong` at the first bad input that is taken, or refused in other words."""
    mend = "call contract.check before anything else"
    for case in cases.refused():
        report(doing=f"refusing {case.label}, which is for `contract.check`")
        try:
            with np.errstate(all="ignore"):
                make_mask(case.vertices, case.shape, case.border_value)
        except (ValueError, TypeError):
            continue
        except Exception as error:
            raise Wrong(
                f"{case.label}: {type(error).__name__} instead of ValueError or TypeError: {mend}"
            ) from error
        raise Wrong(f"{case.label}: it has to be refused, and a mask was returned: {mend}")


def tampered(make_mask, all_cases, expected):
    """Return the known wrong ways that the checks do not find: a list that should be empty."""
    passing = []
    for name, way in tamper.WAYS.items():
        try:
            check_masks(way(make_mask), all_cases, expected, lambda **said: None)
        except Wrong:
            continue
        passing.append(name)
    return passing


def tell(error, exercise, module):
    """Say an exception of the student's code in a line, with the line it comes from."""
    if isinstance(error, SyntaxError):
        text = (error.text or "").rstrip()
        name = Path(error.filename or exercise.main).name
        return f"{name}, line {error.lineno}: {error.msg}\n    {text.strip()}"
    frames = traceback.extract_tb(error.__traceback__)
    files = [(Path(frame.filename), frame.lineno) for frame in frames]
    lines = [
        (file.name, line)
        for file, line in files
        if file.name in exercise.files and (not file.is_absolute() or file == module)
    ]
    where = "{}, line {}: ".format(*lines[-1]) if lines else ""
    if isinstance(error, NotImplementedError):
        return f"{where}not written yet: {error or 'this is your part'}"
    if isinstance(error, MemoryError):
        limit = exercise.memory_gib
        return f"{where}it asked for more memory than a check allows ({limit:g} GiB)"
    if isinstance(error, SystemExit):
        return f"{where}it ends the program ({error!r}): return a mask instead"
    if isinstance(error, ImportError) and (
        symbol := re.search(r"undefined symbol: (\w+)", str(error))
    ):
        if symbol[1].startswith(("GOMP_", "omp_", "__kmpc_")):
            return f"the module lacks {symbol[1]}: the linker has to be told of OpenMP, too"
        return f"the module lacks {symbol[1]}: is its C or C++ source among the sources?"
    if "buffer source array is read-only" in str(error):
        return (
            f"{where}the vertices may be an array that is read-only: what looks at them must be "
            "of the type `const double[:, ::1]`, which cannot write to them"
        )
    if "clBuildProgram failed" in str(error):
        return f"{where}the device's compiler refuses it:\n{kernel.compiler_lines(str(error))}"
    said = (str(error).splitlines() or [""])[0]
    return f"{where}{type(error).__name__}: {said}".removesuffix(": ")


def picture(wrong):
    """Return the two masks of a `Wrong` as lists, if they are small enough to be shown."""
    if wrong.got is None or wrong.expected.size > 20_000:
        return {}
    got = np.where(np.isin(wrong.got, (0, 1)), wrong.got, 2)
    return {"got": got.tolist(), "expected": wrong.expected.tolist()}
