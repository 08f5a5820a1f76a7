"""Draw all orders in which two threads can each load, add and store the same number.

python docs/pictures/orders.py
"""

import itertools
from pathlib import Path

from ladder.report.charts import drawing

STEPS = "load", "add", "store"
COLUMNS = 2
WIDTH, CELL, HIGH, TOP = 400, 24, 22, 52  # pixels of the picture


def orders():
    """Return each order: for each of its six steps, the thread that takes it."""
    length = 2 * len(STEPS)
    return [
        [int(step not in first) for step in range(length)]
        for first in itertools.combinations(range(length), len(STEPS))
    ]


def result(order):
    """Return the number in memory after all steps of an order, which begins as 0."""
    memory, register, taken = 0, [0, 0], [0, 0]
    for thread in order:
        step = STEPS[taken[thread]]
        taken[thread] += 1
        if step == "load":
            register[thread] = memory
        elif step == "add":
            register[thread] += 1
        else:
            memory = register[thread]
    return memory


@drawing.chart
def draw():
    """Return the figure: for each order a strip of six steps, and the result."""
    from matplotlib.patches import Rectangle

    # first the orders that are correct
    strips = sorted(orders(), key=result, reverse=True)
    lines = -(-len(strips) // COLUMNS)
    height = TOP + lines * HIGH + 4
    figure = drawing.figure(WIDTH, height)
    axes = drawing.axes(figure, 8, 8, 0, 0)
    axes.set(xlim=(0, WIDTH - 16), ylim=(height, 0))
    axes.axis("off")
    colours = drawing.LIGHT["blue"], drawing.LIGHT["amber"]
    axes.text(0, 16, "load, add, store", weight="bold")
    for thread, left in enumerate((130, 240)):
        axes.add_patch(Rectangle((left, 5), 14, 14, color=colours[thread], linewidth=0))
        axes.text(left + 20, 16, f"thread {thread}")
    for column in range(COLUMNS):
        axes.text(column * WIDTH / COLUMNS, TOP - 10, "order")
        axes.text(column * WIDTH / COLUMNS + 6 * CELL + 10, TOP - 10, "result")
    for number, order in enumerate(strips):
        left, y = number // lines * WIDTH / COLUMNS, TOP + number % lines * HIGH
        taken = [0, 0]
        for step, thread in enumerate(order):
            cell = Rectangle((left + step * CELL, y), CELL - 2, HIGH - 6, linewidth=0)
            cell.set_facecolor(colours[thread])
            axes.add_patch(cell)
            axes.text(left + step * CELL + CELL / 2 - 1, y + 12, STEPS[taken[thread]][0],
                      ha="center", color=drawing.LIGHT["paper"], weight="bold")  # fmt: skip
            taken[thread] += 1
        right = result(order) == len(set(order))
        axes.text(left + 6 * CELL + 14, y + 12, str(result(order)),
                  color=drawing.LIGHT["ink" if right else "vermilion"],
                  weight="bold" if right else "normal")  # fmt: skip
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
