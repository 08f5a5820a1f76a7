"""What a check does with an answer, beside it: the mask's own checks, and the exercise's."""

import importlib.util
import random
import sys
from types import SimpleNamespace

from polymask.ladder import reference
from polymask.workshop.sandbox import cases, child, masks, tamper
from polymask.workshop.sandbox.wrong import Wrong


def environments(exercise, own):
    """Return the environments of an answer that is held against what is right."""
    guarded = masks.GUARDED if exercise.kind != "own" else {}
    return guarded | getattr(own, "UNDER", {})


def right(answer, own, seed):
    """Raise what is wrong with an answer; return what check.py notes, or an empty text."""
    if child.exercise.kind != "own":
        if hasattr(own, "first"):
            child.step("running the exercise's first check")
            own.first(answer, random.Random(seed))
        drawn = [*cases.fixed(), *cases.drawn(seed)]
        masks.check(answer, drawn, expected(drawn), random.Random(seed))
    if child.exercise.kind == "mask":
        return ""
    child.step("running the exercise's own checks")
    return own.check(answer, random.Random(seed)) or ""


def expected(drawn):
    """Return the right masks of cases."""
    return [reference.mask(case.vertices, case.shape, case.border_value) for case in drawn]


def undetected(answer, seed):
    """Return the known wrong masks that the checks do not find: a list that should be empty."""
    passing, drawn = [], [*cases.fixed(), *cases.drawn(seed)]
    are = expected(drawn)
    for name, way in tamper.WAYS.items():
        try:
            wrong = SimpleNamespace(make_mask=way(answer.make_mask))
            masks.check(wrong, drawn, are, random.Random(seed))
        except Wrong:
            continue
        passing.append(name)
    return passing


def own(exercise):
    """Import the exercise's check.py, or return None.

    It may import what lies beside it, ``from .lines import check_line``.
    """
    file, name = exercise.folder / "check.py", f"polymask_check_{exercise.name}"
    if not file.exists():
        return None
    for old in [one for one in sys.modules if one.partition(".")[0] == name]:
        del sys.modules[old]  # of another copy of the exercise, perhaps
    spec = importlib.util.spec_from_file_location(
        name, file, submodule_search_locations=[str(exercise.folder)]
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
