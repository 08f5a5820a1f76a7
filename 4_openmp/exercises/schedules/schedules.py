"""OpenMP's schedules for rows of different cost: a model, and the measured loads of threads.

`costs` is the list of the costs of all rows in order, as integers; an image may have no rows. The
load of a thread is the sum of the costs of its rows. The loop ends when the thread with the largest
load is done.
"""

import os
import time
from functools import partial


def static(costs, threads):
    """Return the threads' loads under schedule(static).

    The rows are cut into `threads` blocks of consecutive rows, each of ceil(rows / threads) rows;
    the last block has the remaining rows. Thread k has block k.
    """
    rows = -(-len(costs) // threads)
    return [sum(costs[k * rows : (k + 1) * rows]) for k in range(threads)]


def dynamic(costs, threads, chunk):
    """Return the threads' loads under schedule(dynamic, chunk).

    A free thread takes the next `chunk` rows. This is the thread with the smallest load so far, or
    the one with the lowest number if there are several.
    """
    loads = [0] * threads
    for first in range(0, len(costs), chunk):
        free = loads.index(min(loads))
        loads[free] += sum(costs[first : first + chunk])
    return loads


def cpu_clocks():
    """Return the seconds that each thread of this process has used a core, by thread number.

    Linux keeps such a clock for each thread. The id of the clock follows from the thread number.
    """
    numbers = [int(name) for name in os.listdir("/proc/self/task")]
    return {number: time.clock_gettime(~number << 3 | 6) for number in numbers}


def measured(call):
    """Measure the loads during a call without arguments: busy seconds, the largest first.

    Threads that did nothing are left out. The call itself may start threads.
    """
    before = cpu_clocks()
    call()
    after = cpu_clocks()
    loads = [seconds - before.get(number, 0.0) for number, seconds in after.items()]
    return sorted((load for load in loads if load > 0), reverse=True)


def main():
    """Print the loads of two threads for a comb in the upper half, in four schedules."""
    from ladder.openmp.prange import make_mask

    vertices = [(43 * i, i % 2 * 511) for i in range(24)]
    for kind, rows in (("static", 0), ("guided", 0), ("dynamic", 16), ("dynamic", 1024)):
        call = partial(make_mask, vertices, (1024, 1024), threads=2, schedule=(kind, rows))
        call()  # the first call starts the threads
        loads = measured(call)
        print(f"{kind:7} {rows:5}", *(f"{1e3 * load:8.1f} ms" for load in loads))


if __name__ == "__main__":
    main()
