"""Look at the build, and count the threads that work: without OpenMP only one, and no error."""

import re

from ladder.workshop.sandbox import child, teams
from ladder.workshop.sandbox.check_failed import CheckFailed

# For each `prange` in Cython's C code; Cython switches off one inside another.
SHARED_LOOP = re.compile(r"(#if 0)?\s+#pragma omp for(.*)")


def first(answer, random):
    """Raise `CheckFailed` unless OpenMP threads share the rows; the masks take longer."""
    words = [word for command in child.commands() if "-c" in command for word in command]
    if not any("openmp" in word for word in words):
        advice = "in setup.py, pass it in extra_compile_args and in extra_link_args"
        fact = "the compiler ran without -fopenmp, so `prange` would be `range`"
        raise CheckFailed(fact, advice=advice)
    files = sorted({child.source / word for word in words if word.endswith((".c", ".cpp"))})
    loops = SHARED_LOOP.findall("".join(file.read_text(encoding="utf-8") for file in files))
    if not loops:
        raise CheckFailed("the build has -fopenmp, but no loop is a `prange`")
    if any(switched_off for switched_off, _ in loops):
        raise CheckFailed("a `prange` inside a `prange` has no effect: share the outer loop only")
    if not any("schedule(runtime)" in clauses for _, clauses in loops):
        raise CheckFailed('the argument `schedule` has no effect: write `schedule="runtime"`')
    alone = "is the loop over the rows a `prange`?"
    return teams.check(answer, random, alone, schedule=("static", 0))
