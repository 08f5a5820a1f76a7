"""OpenMP's threads: whether there are any, how many a call has, and how they share a loop."""

import operator

from polymask import contract
from threads cimport POLYMASK_OPENMP, startable_threads, max_threads
from threads cimport set_max_threads as omp_set_max_threads
from threads cimport set_schedule as omp_set_schedule

OPENMP = POLYMASK_OPENMP  # year and month of the OpenMP specification, 0 where there is none
SCHEDULES = {"static": 1, "dynamic": 2, "guided": 3}  # OpenMP's numbers
MOST_ROWS = 10**6
_had = 1  # so many threads could be started


def check():
    """Refuse to pass one thread for many."""
    if not OPENMP:
        raise contract.Unavailable("built without OpenMP", "install libgomp or libomp, then build")


def threads_used(threads=None, **options):
    """How many threads a call with these options has, whatever OMP_NUM_THREADS says."""
    if "schedule" in options:
        set_schedule(options["schedule"])  # which refuses a bad one
    wanted = contract.check_team(threads) or min(max_threads(), contract.MOST_THREADS)
    return min(wanted, there_are(wanted))


def there_are(wanted):
    """Return how many threads can be had, of so many: OpenMP ends the process where one cannot.

    The first time that so many are wanted, as many are started, and end.
    """
    global _had
    if wanted > _had:
        started = 1 + startable_threads(wanted - 1)
        if started < wanted:
            return started // 2 + 1  # and some memory for each
        _had = wanted
    return wanted


def check_there_are(wanted, variable):
    """Refuse a team that cannot be started, where a call cannot ask for fewer threads."""
    had = there_are(wanted)
    if had < wanted:
        reason = f"{wanted} threads would be started, and this process is sure to get only {had}"
        raise contract.BadSetting(reason, f"set {variable}={had}")


def check_team_of_environment():
    """Refuse the team of loops that are given no number of threads, if it cannot be started."""
    check_there_are(min(max_threads(), contract.MOST_THREADS), contract.OPENMP_THREADS)


def set_schedule(schedule):
    """Say how threads share the rows of each `prange` that the calling thread begins from now on.

    Parameters
    ----------
    schedule : tuple
        "static", "dynamic" or "guided", and how many rows a thread takes at once; with 0 rows
        OpenMP chooses.
    """
    try:
        kind, rows = schedule
        number, chunk = SCHEDULES[kind], operator.index(rows)
    except (KeyError, TypeError, ValueError):
        chunk = -1
    if not 0 <= chunk <= MOST_ROWS:
        raise ValueError(
            f"schedule must be {', '.join(SCHEDULES)} and 0 to {MOST_ROWS} rows at once, "
            f"got {schedule!r}"
        )
    omp_set_schedule(number, chunk)
