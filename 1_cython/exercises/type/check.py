"""Call inside_polygon itself, point by point, because the masks must come from it."""

import difflib
import re

import numpy as np
from Cython.Compiler import Options

from ladder.registry import reference, workload
from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed
from ladder.workshop.sandbox.translated import Translated, check_loop

SHAPE = (23, 31)
DIRECTIVES = re.compile(r"^# *cython:(.*)", re.M)
FAR = 2**24  # the next whole number is not a float


def check(answer, random):
    """Raise `CheckFailed` if the mask does not consist of the results of inside_polygon."""
    check_called()
    check_directives((child.source / "typed.pyx").read_text("utf-8", errors="replace"))
    if not hasattr(answer, "inside_polygon"):
        return  # a cdef function, which the yellow score covers
    box = np.array([(0.0, 0.0), (FAR, 0.0), (FAR, 9.0), (0.0, 9.0)])
    if answer.inside_polygon(FAR + 1, 5, box, True):
        fact = f"the masks are right, but inside_polygon({FAR + 1}, ...) takes x for {FAR}"
        raise CheckFailed(f"{fact}, in single precision: coordinates are doubles")
    vertices = np.array(workload.polygon(9, SHAPE, random.randrange(10**6)))
    mask = reference.mask(vertices, SHAPE)
    for _ in range(60):
        y, x = (random.randrange(n) for n in SHAPE)
        got = answer.inside_polygon(x, y, vertices, True)
        if bool(got) != bool(mask[y, x]):
            fact = f"the masks are right, but inside_polygon({x}, {y}, ...) returns {got}"
            raise CheckFailed(f"{fact}: use its result for each pixel")


def check_directives(text):
    """Raise `CheckFailed` if Cython silently ignores directives."""
    directives = "".join(DIRECTIVES.findall(text.partition('"""')[0])).replace(" ", "")
    for name in re.findall(r"([\w.]+)=", directives):
        if name not in Options.get_directive_defaults():
            close = difflib.get_close_matches(name, ("boundscheck", "wraparound", "cdivision"), 1)
            raise CheckFailed(": ".join([f"`{name}` is not a directive", *close]))
    for each in ("boundscheck=False", "cdivision=True"):
        if each not in directives and "cdef double" in text and "cython." not in text:
            fact = f"the directives are not in effect: `# cython: ..., {each}`"
            raise CheckFailed(f"{fact} must stand above the docstring and the code")


def check_called():
    """Raise `CheckFailed` unless make_mask calls inside_polygon, which has a loop in Cython."""
    c_code = Translated()
    outer = c_code.named("make_mask")
    inner = [function for function in c_code.functions if function not in outer]
    check_loop(inner, "inside_polygon", "the edges")
    if not any("inside_polygon" in function.body for function in c_code.reached("make_mask")):
        raise CheckFailed("make_mask does not call inside_polygon: call it for each pixel")
