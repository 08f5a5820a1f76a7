"""Finds out what was compiled, and how: tuples.py as it was given, with the flags of the task."""

from fractions import Fraction

import numpy as np

from polymask.common.staleness import ROOT
from polymask.workshop.sandbox import child
from polymask.workshop.sandbox.wrong import Wrong

EXACT = (ROOT / "csrc/engine/exact_flags.txt").read_text(encoding="utf-8").split()
(FLAG,) = [flag for flag in EXACT if flag.startswith("-ffp-contract")]
TRIANGLE = np.array([(0.0, 0.0), (5.0, 0.0), (0.0, 5.0)])
SHAPE = (4, 7)


def check(answer, random):
    """Raise `Wrong` if something else than tuples.py was compiled, or without the flags."""
    compiled = [words for words in child.commands() if is_compiler(words)]
    if not compiled:
        raise Wrong("setup.py let no compiler compile tuples.c, which Cython makes of tuples.py")
    if not all(FLAG in words for words in compiled):
        raise Wrong(
            f"the compiler was not told {FLAG}: an Extension takes it, and -O3, as "
            "`extra_compile_args`, a list"
        )
    other = "what was compiled is not tuples.py as it was given to you"
    try:
        seen = generic(answer)
        times = asked(answer, TRIANGLE, SHAPE)
    except Exception as failed:
        raise Wrong(f"{other}: its inside_polygon takes other arguments ({failed})") from None
    if seen != [True, "border"] or times != SHAPE[0] * SHAPE[1]:
        raise Wrong(f"{other}: it computes the masks in another way")


def is_compiler(words):
    """Whether a command compiles a file of C."""
    return "-c" in words and any(word.endswith(".c") for word in words)


def generic(module):
    """Return what inside_polygon says of fractions, and of a border value that is a text.

    It is written for any numbers, and hands on any border value; a function with types is not.
    """
    half = Fraction(1, 2)
    corners = [(0 * half, 0 * half), (9 * half, 0 * half), (0 * half, 9 * half)]
    ask = module.inside_polygon
    return [ask(half, half, corners, "border"), ask(0 * half, 0 * half, corners, "border")]


def asked(module, vertices, shape):
    """Return how often make_mask asks inside_polygon, with a list of vertices, for a mask."""
    own, seen = module.inside_polygon, []

    def inside_polygon(x, y, vertices, border_value):
        seen.append(type(vertices))
        return own(x, y, vertices, border_value)

    module.inside_polygon = inside_polygon
    try:
        module.make_mask(vertices, shape)
    finally:
        module.inside_polygon = own
    return seen.count(list)
