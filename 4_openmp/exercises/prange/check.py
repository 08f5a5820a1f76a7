"""Count the threads that work in a call: without OpenMP there is only one, and no error."""

from pathlib import Path

from ladder.workshop.sandbox import teams
from ladder.workshop.sandbox.check_failed import CheckFailed

ALONE = (
    "is the loop over the rows, not over the columns, a `prange` with `num_threads`, and does "
    "setup.py pass the flag to the compiler and to the linker?"
)
STARTS_THREADS = b"GOMP_parallel", b"__kmpc_fork_call"  # functions of GCC's and clang's OpenMP


def check(answer, random):
    """Raise `CheckFailed` unless the rows are distributed to OpenMP threads."""
    note = teams.check(answer, random, ALONE, schedule=("static", 0))
    if not any(name in Path(answer.__file__).read_bytes() for name in STARTS_THREADS):
        raise CheckFailed(
            "several threads work, but OpenMP did not start them: the module uses none of its "
            "functions. Use `prange` for the loop over the rows"
        )
    return note
