"""Draw a vertex in memory: as a tuple of Python floats, and as a row of an array of doubles.

python 0_python/pictures/boxing.py

The words of eight bytes are read from the memory of this process, and compared with the addresses
and the values of the objects (CPython 3.10 to 3.13, with the global interpreter lock).
"""

import ctypes
import struct
import sys
from pathlib import Path

import numpy as np

from ladder.report.charts import drawing

WORD = 8  # bytes
VERTEX = (200.5, 31.25)
BOX, HIGH = 58, 22  # width and height of a word, pixels


def words(address, count):
    """Return the words of eight bytes at an address, as integers."""
    return struct.unpack(f"{count}Q", ctypes.string_at(address, count * WORD))


def fields(thing):
    """Return the name of each word of a float or a tuple; check them against its memory."""
    value = [f"{thing:g}"] if isinstance(thing, float) else ["pointer"] * len(thing)
    names = ["count", "type"] + ["length"] * isinstance(thing, tuple) + value
    actual = words(id(thing), len(names))
    if isinstance(thing, tuple):
        expected = (len(thing), *map(id, thing))
    else:
        expected = struct.unpack("Q", struct.pack("d", thing))
    if actual[1:] != (id(type(thing)), *expected):
        sys.exit("this picture shows the objects of CPython 3.10 to 3.13; here, they differ")
    return ["collector"] * (sys.getsizeof(thing) // WORD - len(names)) + names


def draw_words(axes, left, top, names, marked):
    """Draw a row of words; return the middle of each."""
    from matplotlib.patches import Rectangle

    for number, text in enumerate(names):
        data = text[0].isdigit()
        colour = drawing.LIGHT["amber" if data else "blue" if text == marked else "soft"]
        fill = drawing.LIGHT["tint"] if data or text == marked else drawing.LIGHT["paper"]
        corner = (left + BOX * number, top)
        axes.add_patch(Rectangle(corner, BOX, HIGH, facecolor=fill, edgecolor=colour))
        axes.text(corner[0] + BOX / 2, top + HIGH / 2, text, ha="center", va="center",
                  color=colour, size=drawing.SIZE - 2.5)  # fmt: skip
    return [left + BOX * (number + 0.5) for number in range(len(names))]


def point(axes, start, end):
    """Draw a pointer."""
    arrow = {"arrowstyle": "->", "color": drawing.LIGHT["blue"], "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", end, start, arrowprops=arrow)


@drawing.chart
def draw():
    """Return the figure: a vertex of a list of tuples above, one of an array below."""
    vertex = tuple(map(float, VERTEX))
    array = np.array([vertex])
    assert words(array.ctypes.data, 2) == struct.unpack("2Q", struct.pack("2d", *vertex))
    sizes = [WORD, sys.getsizeof(vertex), *map(sys.getsizeof, vertex)]

    figure = drawing.figure(420, 314)
    axes = drawing.axes(figure, 6, 6, 4, 0)
    axes.set(xlim=(-1, 407), ylim=(310, 0))
    axes.axis("off")
    axes.text(0, 14, f"a list of tuples: {sum(sizes)} bytes for one vertex", weight="bold")
    axes.text(BOX + 8, 39, "in the list: 8 bytes", va="center")
    (item,) = draw_words(axes, 0, 28, ["pointer"], "pointer")
    axes.text(2 * BOX + 36, 86, f"the tuple: {sizes[1]} bytes")
    middles = draw_words(axes, 0, 94, fields(vertex), "pointer")
    point(axes, (item, 50), (fields(vertex).index("count") * BOX + BOX / 2, 94))
    for number, (left, text) in enumerate([(0, 3 * BOX + 8), (4 * BOX, 2 * BOX + 8)]):
        top = 164 + 52 * number
        axes.text(text, top + HIGH / 2, f"a float: {sizes[2 + number]} bytes", va="center")
        draw_words(axes, left, top, fields(vertex[number]), "pointer")
        point(axes, (middles[number - len(vertex)], 116), (left + BOX / 2, top))
    axes.text(0, 272, f"an array: {array.itemsize * 2} bytes for one vertex", weight="bold")
    draw_words(axes, 0, 282, [f"{value:g}" for value in array[0]], "")
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
