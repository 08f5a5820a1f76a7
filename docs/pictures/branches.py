"""Draw the time of a pixel with predictable and unpredictable branches, and without branches.

python docs/pictures/branches.py

The pixels are those of every 16th row of the course's mask. The same pixels are tested in three
orders: the work is the same, but the branches are more or less predictable. For comparison, every
64th of the pixels is tested 64 times in succession, so that nearly all branches are predictable.
"""

import ctypes
from pathlib import Path

import measure as measuring
import numpy as np

from ladder.registry import workload
from ladder.report.charts import drawing

ROUNDS = 200
ORDERS = ("each 64 times", "row by row", "each row shuffled", "all shuffled")
LOOPS = {"branches": ("&&, with branches", "blue"), "branch_free": ("&, without", "amber")}
CODE = r"""
#include <stdint.h>
#include "inside_polygon.h"

void branches(const double *points, long count, const double *vertices, long n, uint8_t *inside)
{
    for (long i = 0; i < count; i++)
        inside[i] = (uint8_t)inside_polygon(points[2 * i], points[2 * i + 1], vertices, n, 1);
}

/* The same formula, in which no branch depends on the point: `&` evaluates both of its sides. */
void branch_free(const double *points, long count, const double *vertices, long n, uint8_t *inside)
{
    for (long i = 0; i < count; i++) {
        const double x = points[2 * i], y = points[2 * i + 1];
        int odd = 0, on_vertex = 0;
        double x1 = vertices[2 * n - 2], y1 = vertices[2 * n - 1];
        for (long j = 0; j < n; j++) {
            const double x2 = vertices[2 * j], y2 = vertices[2 * j + 1];
            on_vertex |= (x == x1) & (y == y1);
            odd ^= (y > (y1 < y2 ? y1 : y2)) & (y <= (y1 > y2 ? y1 : y2)) &
                   (x <= (x1 > x2 ? x1 : x2)) & (y1 != y2) &
                   ((x1 == x2) | (x <= crossing_x(y, x1, y1, x2, y2)));
            x1 = x2;
            y1 = y2;
        }
        inside[i] = (uint8_t)(on_vertex | odd);
    }
}
"""


def points():
    """Map each of `ORDERS` to the same points in this order."""
    rows, cols = workload.SHAPE
    y, x = np.mgrid[0:rows:16, 0:cols].astype(np.float64)
    ordered, shuffle = np.stack((x, y), -1), np.random.default_rng(0).permutation
    in_rows = np.array([shuffle(row) for row in ordered])
    repeated = np.repeat(ordered[:, ::64], 64, axis=1)
    orders = repeated, ordered, in_rows, shuffle(ordered.reshape(-1, 2))
    return dict(zip(ORDERS, orders, strict=True))


def measure():
    """Return the nanoseconds of a pixel, for each loop and order."""
    library, polygon = measuring.compiled(CODE), np.ascontiguousarray(workload.polygon())
    orders = {name: np.ascontiguousarray(order) for name, order in points().items()}
    count = orders[ORDERS[0]].size // 2
    results = np.empty(count, np.uint8)

    def call(loop, order):
        sizes = ctypes.c_long(count), ctypes.c_long(len(polygon))
        return lambda: getattr(library, loop)(
            measuring.address(orders[order]), sizes[0], measuring.address(polygon), sizes[1],
            measuring.address(results))  # fmt: skip

    calls = {(loop, order): call(loop, order) for loop in LOOPS for order in ORDERS}
    for order in ORDERS:
        calls[("branches", order)]()
        expected = results.copy()
        calls[("branch_free", order)]()
        np.testing.assert_array_equal(results, expected)
    shortest = measuring.shortest_s(calls, ROUNDS)
    per_pixel = {name: round(1e9 * seconds / count, 1) for name, seconds in shortest.items()}
    return {
        "ns": {loop: {order: per_pixel[loop, order] for order in ORDERS} for loop in LOOPS},
    }


@drawing.chart
def draw(data):
    """Return the figure: for each order, a bar for each loop."""
    figure = drawing.figure(480, 360)
    axes = drawing.axes(figure, 136, 14, 60, 40)
    longest = max(max(times.values()) for times in data["ns"].values())
    axes.set(xlim=(0, 1.12 * longest), ylim=(3.8, -0.5), xlabel="ns per pixel")
    for number, order in enumerate(ORDERS):
        for below, (loop, (_, colour)) in enumerate(LOOPS.items()):
            ns, top = data["ns"][loop][order], number + 0.38 * below
            axes.barh(top, ns, 0.34, color=drawing.LIGHT[colour])
            axes.text(ns + 0.01 * longest, top, f"{ns:.0f}", va="center", size=13)
    axes.set_yticks([number + 0.19 for number in range(len(ORDERS))], ORDERS, size=13)
    axes.tick_params(axis="y", length=0)
    drawing.title(figure, "Pixels in different orders, one core")
    handles = [
        axes.barh(0, 0, color=drawing.LIGHT[colour], label=label)
        for label, colour in LOOPS.values()
    ]
    drawing.legend(figure, handles, 30, ncols=2, fontsize=13)
    return figure


if __name__ == "__main__":
    drawing.save(draw(measuring.recorded(__file__)), Path(__file__).with_suffix(""), ("svg",))
