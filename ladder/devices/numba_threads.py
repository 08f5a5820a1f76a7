"""Numba's threads: their number in a call, and the traps of their libraries.

Numba shares loops among the threads of one of three libraries: TBB, OpenMP, or its own "workqueue".
OpenMP is chosen here, unless the user chooses another: Numba itself would use TBB if another
library, such as Intel's OpenCL, had loaded it, so times would depend on earlier calls. Each library
has a trap:

- when Numba starts OpenMP's threads, it changes their number for the calling thread. With
  `OMP_NUM_THREADS=1` the OpenMP rungs would then have two, so a separate thread starts them;
- with threads of TBB, Numba prints a warning at each fork, even one for another program;
- workqueue ends the process if two of its loops run at the same time;
- a forked process has no threads of its parent. If they were OpenMP's, Numba ends the process.
"""

import contextlib
import functools
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np

from ladder import devices
from polymask import contract
from polymask.common.errors import NotBuilt

TARGETS = ("cpu", "parallel")
THREADS = "NUMBA_NUM_THREADS"
LAYER, PRIORITY = "NUMBA_THREADING_LAYER", "NUMBA_THREADING_LAYER_PRIORITY"  # user settings

_turn = threading.Lock()


@functools.cache
def most_threads():
    """Start Numba's threads, and return their number: NUMBA_NUM_THREADS, else the cores."""
    # more threads than OpenMP can start, from a configuration file or many cores, end the process
    threads = numba.config.NUMBA_NUM_THREADS
    contract.check_threads_setting(THREADS, str(threads))
    try:
        devices.load_openmp().check_startable(threads, THREADS)
    except contract.Unavailable as error:
        if not isinstance(error.__cause__, NotBuilt):  # where nothing is, it cannot be tried
            raise
    if PRIORITY not in os.environ:
        numba.config.THREADING_LAYER_PRIORITY = ["omp", "tbb", "workqueue"]
    with ThreadPoolExecutor(1) as starter:
        return starter.submit(numba.get_num_threads).result()  # starts them


def check():
    """Raise `Unavailable` if Numba finds no library for threads."""
    try:
        most_threads()
    except ValueError as error:
        message = str(error).partition("\n")[0].rstrip(".")
        reason = f"Numba starts no threads: {message}"
        if variables := [variable for variable in (LAYER, PRIORITY) if variable in os.environ]:
            raise contract.BadSetting(reason, f"unset {' and '.join(variables)}") from None
        raise contract.Unavailable(reason, "install libgomp or tbb") from None


def threads_used(threads=None, target="parallel"):
    """Return the number of threads of a call, at most `most_threads`: 1 for the target "cpu"."""
    if target not in TARGETS:
        raise ValueError(f"target must be {' or '.join(TARGETS)}, got {target!r}")
    team_size = contract.check_team(threads) if target == "parallel" else 1
    if team_size == 1:  # as always in a forked process
        return 1
    most = most_threads()
    if team_size:
        return min(team_size, most)
    return devices.default_team(numba.get_num_threads(), THREADS)


@contextlib.contextmanager
def team(members):
    """Run parallel functions with `members` threads in a block; a team of one changes nothing."""
    if members == 1:
        yield
        return
    alone = numba.threading_layer() == "workqueue"
    before = numba.get_num_threads()
    with _turn if alone else contextlib.nullcontext():
        numba.set_num_threads(members)
        try:
            yield
        finally:
            numba.set_num_threads(before)


@contextlib.contextmanager
def ufunc(kernel, target):
    """Run the ufunc `kernel(target)` in a block, with the threads of its target.

    A team of one uses the target "cpu", which starts no threads.
    """
    members = threads_used(target=target)
    with team(members), np.errstate(all="ignore"):  # huge coordinates follow IEEE
        yield kernel("parallel" if members > 1 else "cpu")
