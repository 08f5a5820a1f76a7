"""Draw the memory of a Polygon of cclass.polygon and of cclass.cpp, and the pointers in it.

python 3_cclass/pictures/owners.py

The memory of two objects with the same vertices is read word by word. A word that is the address of
coordinates, or of the C++ object, is drawn as an arrow to it.
"""

import ctypes
import sys
from pathlib import Path

import numpy as np

from ladder.cclass import cpp, polygon
from ladder.report.charts import drawing

TRIANGLE = np.array([(0.0, 0), (6, 1), (2, 5)])
WORD, HIGH, LEFT = 12, 18, 8  # pixels for 8 bytes, and of the left margin
CPP_BYTES = 24  # of a polymask::Polygon: the three pointers of a std::vector
ARRAY, COPY, OBJECT, PLAIN = "blue", "vermilion", "green", "grid"


def words(start, size):
    """Return the memory at an address as a list of numbers of 8 bytes."""
    return list((ctypes.c_uint64 * (size // 8)).from_address(start))


def polygon_of(module):
    """Return a Polygon, its words, and whether it has added a reference to the array."""
    before = sys.getrefcount(TRIANGLE)
    item = module.Polygon(TRIANGLE)
    read = words(id(item), sys.getsizeof(item))
    if read[1] != id(type(item)):
        sys.exit("this picture shows the objects of CPython with 64 bits and a GIL")
    return item, read, sys.getrefcount(TRIANGLE) > before


def cells(axes, left, top, texts, colours):
    """Draw words of memory as rectangles with texts in them."""
    x, y = (WORD - 1) / 2, HIGH / 2
    marker = [(-x, -y), (x, -y), (x, y), (-x, y)]
    for colour in dict.fromkeys(colours):
        x = [left + WORD * (n + 0.5) for n, other in enumerate(colours) if other == colour]
        axes.plot(x, [top + HIGH / 2] * len(x), marker=marker, ms=HIGH, linestyle="none", mew=0,
                  color=drawing.LIGHT[colour])  # fmt: skip
    for number, text in enumerate(texts):
        axes.text(left + WORD * (number + 0.5), top + 13, text, size=11, ha="center",
                  color=drawing.LIGHT["paper"])  # fmt: skip


def arrow(axes, start, end, colour):
    """Draw an arrow between two points."""
    style = {"arrowstyle": "-|>", "color": drawing.LIGHT[colour], "linewidth": 1.5}
    axes.annotate("", end, start, arrowprops={**style, "shrinkA": 0, "shrinkB": 0})


@drawing.chart
def draw():
    """Return the figure: the two objects and the memory that belongs to them."""
    figure = drawing.figure(400, 276)
    axes = drawing.axes(figure, 0, 0, 0, 0)
    axes.set(xlim=(0, 400), ylim=(276, 0))
    axes.axis("off")
    digits = [f"{value:g}" for value in TRIANGLE.flat]
    for top, module in ((18, polygon), (150, cpp)):
        _item, read, added = polygon_of(module)  # alive until its memory has been read
        address = TRIANGLE.ctypes.data
        axes.text(LEFT, top, f"cclass.{module.__name__.split('.')[-1]}", weight="bold")
        axes.text(LEFT, top + 17, f"Polygon: {8 * len(read)} bytes", size=11)
        text = f"the array: {TRIANGLE.nbytes} bytes, {'kept' if added else 'not needed'}"
        axes.text(LEFT, top + 84, f"{text} by the Polygon", size=11)
        cells(axes, LEFT, top + 90, digits, [ARRAY] * TRIANGLE.size)
        colours = [ARRAY if word == address else PLAIN for word in read]
        if address in read:
            x = LEFT + WORD * (read.index(address) + 0.5)
            arrow(axes, (x, top + 41), (x, top + 72), ARRAY)
        else:
            colours[-1] = OBJECT
            vector = words(read[-1], CPP_BYTES)
            copy = words(vector[0], vector[1] - vector[0])
            assert copy == words(address, TRIANGLE.nbytes)
            for x, name, size, freed in (
                (124, "C++ object", CPP_BYTES, "deleted by __dealloc__"),
                (262, "its copy", 8 * len(copy), "freed by the destructor"),
            ):
                axes.text(x, top + 17, f"{name}: {size} bytes", size=11)
                axes.text(x, top + 56, freed, size=11, color=drawing.LIGHT["soft"])
            cells(axes, 124, top + 23, "", [COPY, PLAIN, PLAIN])
            cells(axes, 262, top + 23, digits, [COPY] * len(copy))
            arrow(axes, (LEFT + 3 * WORD, top + 32), (123, top + 32), OBJECT)
            arrow(axes, (124 + 3 * WORD, top + 32), (261, top + 32), COPY)
        cells(axes, LEFT, top + 23, "", colours)
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
