"""Looks at the compiler's commands, for C that was compiled with the flags of the task."""

from polymask.common.staleness import ROOT
from polymask.workshop.sandbox import child
from polymask.workshop.sandbox.check_failed import CheckFailed

EXACT = (ROOT / "csrc/engine/exact_flags.txt").read_text(encoding="utf-8").split()
(FLAG,) = [flag for flag in EXACT if flag.startswith("-ffp-contract")]


def check(answer, random):
    """Raise `CheckFailed` if nothing was compiled, or without the flags."""
    compiled = [
        words
        for words in child.commands()
        if "-c" in words and any(word.endswith(".c") for word in words)
    ]
    if not compiled:
        raise CheckFailed(
            "setup.py let no compiler compile tuples.c, which Cython makes of tuples.py"
        )
    if not all(FLAG in words for words in compiled):
        raise CheckFailed(
            f"the compiler was not told {FLAG}: an Extension takes it, and -O3, as "
            "`extra_compile_args`, a list"
        )
