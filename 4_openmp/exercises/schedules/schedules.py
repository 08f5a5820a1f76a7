"""What OpenMP's schedules make of rows that cost unlike: a model that you can compute by hand.

`costs` are the costs of the rows, from the first to the last: whole numbers. A thread's load is the
sum of the costs of its rows. The loop ends when the thread with the largest load does.
"""


def static(costs, threads):
    """The threads' loads under schedule(static).

    The rows are cut into `threads` blocks of neighbours, each of ceil(rows / threads) rows, the
    last one of what is left; thread k has block k.
    """
    rows = -(-len(costs) // threads)
    return [sum(costs[k * rows : (k + 1) * rows]) for k in range(threads)]


def dynamic(costs, threads, chunk):
    """The threads' loads under schedule(dynamic, chunk).

    Whoever is free takes the next `chunk` rows: that is the thread with the smallest load so far,
    the one with the lowest number if there are several.
    """
    loads = [0] * threads
    for first in range(0, len(costs), chunk):
        free = loads.index(min(loads))
        loads[free] += sum(costs[first : first + chunk])
    return loads
