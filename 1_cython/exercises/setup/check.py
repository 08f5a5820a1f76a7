"""Finds out what was compiled, and how: tuples.py as it was given, with the flags of the task."""

import numpy as np

from polymask.common.staleness import ROOT
from polymask.workshop.sandbox.failures import Failed
from polymask.workshop.sandbox.wrong import Wrong

EXACT = (ROOT / "csrc/engine/exact_flags.txt").read_text(encoding="utf-8").split()
(FLAG,) = [flag for flag in EXACT if flag.startswith("-ffp-contract")]
TRIANGLE = np.array([(0.0, 0.0), (5.0, 0.0), (0.0, 5.0)])
SHAPE = (4, 7)


def check(answer, random):
    """Raise `Wrong` if something else than tuples.py was compiled, or without the flags."""
    compiled = [words for words in answer.commands() if is_compiler(words)]
    if not compiled:
        raise Wrong("setup.py let no compiler compile tuples.c, which Cython makes of tuples.py")
    if not all(FLAG in words for words in compiled):
        raise Wrong(
            f"the compiler was not told {FLAG}: an Extension takes it, and -O3, as "
            "`extra_compile_args`, a list"
        )
    other = "what was compiled is not tuples.py as it was given to you"
    try:
        seen = answer.inside("generic")
        asked = answer.inside("asked", TRIANGLE, SHAPE)
    except Failed as failed:
        raise Wrong(f"{other}: its inside_polygon takes other arguments ({failed})") from None
    if seen != [True, "border"] or asked != SHAPE[0] * SHAPE[1]:
        raise Wrong(f"{other}: it computes the masks in another way")


def is_compiler(words):
    """Whether a command compiles a file of C."""
    return "-c" in words and any(word.endswith(".c") for word in words)
