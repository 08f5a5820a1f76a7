"""OpenMP's threads: their number in a call, the limits on it, and the schedule of loops."""

import operator

from polymask import contract
from ladder.devices import default_team
from threads cimport POLYMASK_OPENMP, startable_threads, max_threads
from threads cimport set_max_threads as omp_set_max_threads
from threads cimport set_schedule as omp_set_schedule

OPENMP = POLYMASK_OPENMP  # year and month of the OpenMP specification, 0 without OpenMP
SCHEDULES = {"static": 1, "dynamic": 2, "guided": 3}  # OpenMP's numbers
MOST_ROWS = 10**6
_tested = 1  # the largest number of threads that could be started


def check():
    """Raise `Unavailable` if this module was built without OpenMP."""
    if not OPENMP:
        raise contract.Unavailable("built without OpenMP", "install libgomp or libomp, then build")


def threads_used(threads=None, **options):
    """Return the number of threads of a call with these options.

    By default it is OMP_NUM_THREADS, or the cores that the process and its container may use.
    """
    if "schedule" in options:
        set_schedule(options["schedule"])  # raises an error for a bad schedule
    count = contract.check_team(threads) or _default_team()
    return min(count, available_threads(count))


def available_threads(count):
    """Return how many of `count` threads can be started; OpenMP ends the process if one cannot.

    The first call with a larger number tests it: the threads are started, and end.
    """
    global _tested
    if count > _tested:
        started = 1 + startable_threads(count - 1)
        if started < count:
            return started // 2 + 1  # leave some memory for each
        _tested = count
    return count


def check_startable(count, variable):
    """Refuse a team that cannot be started, if the call cannot use fewer threads."""
    limit = available_threads(count)
    if limit < count:
        reason = f"{count} threads would be started, but this process can safely start only {limit}"
        raise contract.BadSetting(reason, f"set {variable}={limit}")


def check_team_of_environment():
    """Refuse the team of loops without a number of threads, if it cannot be started."""
    check_startable(_default_team(), contract.OPENMP_THREADS)


def _default_team():
    return default_team(min(max_threads(), contract.MOST_THREADS), contract.OPENMP_THREADS)


def set_schedule(schedule):
    """Set how threads share the rows of each `prange` that the calling thread starts afterwards.

    Parameters
    ----------
    schedule : tuple
        "static", "dynamic" or "guided", and the number of rows that a thread takes at once; 0 lets
        OpenMP choose.
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
