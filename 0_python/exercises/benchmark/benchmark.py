"""A benchmark of two functions that compute the rows of a mask, as a generator and as a list."""

import time

from ladder.python.tuples import inside_polygon
from ladder.registry import workload


def seconds(make_rows, draw, calls=5, clock=time.perf_counter):
    """Return the time in which `make_rows(draw())` computes all rows: the shortest of the calls.

    `draw()` returns vertices. `clock()` returns the current time in seconds.
    """
    times = []
    for _ in range(calls):
        vertices = draw()
        begin = clock()
        list(make_rows(vertices))
        times.append(clock() - begin)
    return min(times)


def generator(vertices):
    """Return a generator of rows."""
    return ([inside_polygon(x, y, vertices, True) for x in range(64)] for y in range(48))


if __name__ == "__main__":
    print(f"generator: {seconds(generator, workload.polygon):.6f} s")
    print(f"list:      {seconds(lambda v: list(generator(v)), workload.polygon):.6f} s")
