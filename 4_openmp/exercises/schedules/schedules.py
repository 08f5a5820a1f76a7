"""A model of OpenMP's schedules for rows of different cost.

`costs` is the list of the costs of all rows in order, as integers; an image may have no rows. The
load of a thread is the sum of the costs of its rows. The loop ends when the thread with the largest
load is done.
"""


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
