"""Look at the build, and count the threads that work: without OpenMP only one, and no error."""

from pathlib import Path

from ladder.workshop.sandbox import child, teams
from ladder.workshop.sandbox.check_failed import CheckFailed

STARTS_THREADS = b"GOMP_parallel", b"__kmpc_fork_call"  # functions of GCC's and clang's OpenMP


def first(answer, random):
    """Raise `CheckFailed` unless OpenMP threads share the rows; the masks take longer."""
    compilations = [" ".join(words) for words in child.commands() if "-c" in words]
    if not any("openmp" in command for command in compilations):
        raise CheckFailed(
            "the compiler ran without -fopenmp, so `prange` would be `range`: in setup.py, pass it "
            "in extra_compile_args and in extra_link_args"
        )
    if not any(name in Path(answer.__file__).read_bytes() for name in STARTS_THREADS):
        raise CheckFailed("the build has -fopenmp, but no loop is a `prange`")
    alone = "is the loop over the rows a `prange`?"
    return teams.check(answer, random, alone, schedule=("static", 0))
