"""Numba's threads: how many a call has, and what must not happen to them.

Numba shares loops by one of three libraries: TBB, OpenMP, or its own "workqueue" where neither is
there. Here OpenMP comes first, unless the user says otherwise: Numba would take TBB where another
library of the process has loaded it, as Intel's OpenCL does, so that times depended on what ran
before. Each has a trap:

- starting OpenMP's threads, Numba sets how many of them the calling thread has from then on. With
  `OMP_NUM_THREADS=1` the OpenMP rungs would have two, so a thread of its own starts them;
- where TBB has threads, Numba prints a warning at each fork, be it for another program;
- workqueue ends the process where two of its loops run at the same time;
- a forked process has none of the threads. Numba ends it where they were OpenMP's.
"""

import contextlib
import functools
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numba

from polymask import contract, devices

TARGETS = ("cpu", "parallel")
LAYER, PRIORITY = "NUMBA_THREADING_LAYER", "NUMBA_THREADING_LAYER_PRIORITY"  # the user's own

_turn = threading.Lock()


@functools.cache
def most_threads():
    """Start Numba's threads, and return how many there are: NUMBA_NUM_THREADS, else the cores."""
    # its configuration file, or the cores, may say more than OpenMP starts: that ends the process
    wanted = numba.config.NUMBA_NUM_THREADS
    contract.check_threads_setting("NUMBA_NUM_THREADS", str(wanted))
    if sys.platform != "win32":  # there nothing with OpenMP is built, and nothing could be tried
        devices.load_openmp().check_there_are(wanted, "NUMBA_NUM_THREADS")
    if PRIORITY not in os.environ:
        numba.config.THREADING_LAYER_PRIORITY = ["omp", "tbb", "workqueue"]
    with ThreadPoolExecutor(1) as starter:
        return starter.submit(numba.get_num_threads).result()  # which starts them


def check():
    """Refuse to go on where Numba finds no library for threads."""
    try:
        most_threads()
    except ValueError as error:
        said = str(error).partition("\n")[0].rstrip(".")
        reason = f"Numba starts no threads: {said}"
        if asked := [variable for variable in (LAYER, PRIORITY) if variable in os.environ]:
            raise contract.BadSetting(reason, f"unset {' and '.join(asked)}") from None
        raise contract.Unavailable(reason, "install libgomp or tbb") from None


def threads_used(threads=None, **options):
    """How many threads a call with these options has; all of Numba's, if more are asked for."""
    asked = contract.check_team(threads)
    if asked == 1:  # as always in a forked process
        return 1
    most = most_threads()
    return min(asked, most) if asked else numba.get_num_threads()


def of_target(target):
    """How many threads a ufunc of this target has."""
    if target not in TARGETS:
        raise ValueError(f"target must be {' or '.join(TARGETS)}, got {target!r}")
    return threads_used() if target == "parallel" else 1


@contextlib.contextmanager
def team(members):
    """Let parallel functions have so many threads within; one is no team, and changes nothing."""
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
