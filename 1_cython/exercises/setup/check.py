"""Search the compiler's commands for C that was compiled with the flags of the task."""

from ladder.common.staleness import ROOT
from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed

EXACT = (ROOT / "csrc/engine/exact_flags.txt").read_text(encoding="utf-8").split()
(FLAG,) = [flag for flag in EXACT if flag.startswith("-ffp-contract")]


def first(answer, random):
    """Raise `CheckFailed` if nothing was compiled, or if it was compiled without the flags."""
    commands = [w for w in child.commands() if "-c" in w and any(x.endswith(".c") for x in w)]
    if not commands:
        raise CheckFailed("setup.py did not compile tuples.c, which Cython makes from tuples.py")
    if "cythonize(" not in (child.source / "setup.py").read_text(encoding="utf-8"):
        raise CheckFailed("setuptools ran Cython: call `cythonize([...])` yourself, as in step 2")
    for flag in ("-O3", FLAG):
        if not all(flag in words for words in commands):
            advice = f"pass -O3 and {FLAG} to the Extension in the list `extra_compile_args`"
            raise CheckFailed(f"the compiler was run without {flag}", advice=advice)
