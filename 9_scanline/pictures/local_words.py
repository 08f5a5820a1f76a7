"""Draw how 32 work items turn the toggles of a row into the mask, as csrc/scanline.cl does.

python 9_scanline/pictures/local_words.py

The row is one of the course's mask. The crossings are computed as in toggles.py, the steps are
those of the kernel, and the result is compared with the row of scanline.rows.
"""

from pathlib import Path

import numpy as np
from toggles import crossings

from ladder.registry.workload import SHAPE, polygon
from ladder.report.charts import drawing
from ladder.scanline.rows import make_mask

ROW, WORDS, BITS = 544, 32, 32
ITEMS, ITEM = 32, 11  # that share the row; the framed one
WIDE, HIGH, PARITY, GAP, TOP = 3.2, 4.5, 9, 12.5, 18  # pixels, of a bit and around it
INK, BLUE, AMBER, GRID = (drawing.LIGHT[name] for name in ("ink", "blue", "amber", "grid"))


def scanned(bits):
    """Return the parity of each bit and all bits to its right, along the last axis."""
    return np.bitwise_xor.accumulate(bits[..., ::-1], axis=-1)[..., ::-1]


def steps():
    """Return the arrays of the picture, a word per row, and a column for the bits of one word."""
    toggles = np.zeros(WORDS * BITS, np.uint8)
    for x in crossings([tuple(vertex) for vertex in polygon()], ROW):
        toggles[int(min(x, SHAPE[1] - 1))] ^= 1
    toggles = toggles.reshape(WORDS, BITS)
    parities = np.bitwise_xor.reduce(toggles, axis=1)
    wanted, words = scanned(parities), scanned(toggles)
    row = words ^ (words[:, 0] ^ wanted)[:, np.newaxis]  # inverted where they differ
    assert np.array_equal(row.reshape(-1), make_mask(polygon(), SHAPE)[ROW])
    return toggles, parities[:, np.newaxis], wanted[:, np.newaxis], words, row


def box(axes, left, right, bits):
    """Draw words below each other: one path of stripes, and one of the bits that are set."""
    looks = {"dash_capstyle": "butt", "solid_capstyle": "butt"}
    wide = right - left
    stripes = (0, ((HIGH - 0.6) / wide, 0.6 / wide))  # a dash per word
    axes.plot([(left + right) / 2] * 2, (TOP, TOP + WORDS * HIGH), color=GRID, linewidth=wide,
              linestyle=stripes, **looks)  # fmt: skip
    changes = np.argwhere(np.diff(bits.astype(int), axis=1, prepend=0, append=0))
    y, x = changes.T * np.array([[HIGH], [wide / bits.shape[1]]])
    ends = np.arange(2, len(x), 2)  # a gap after each run of ones
    x, y = left + np.insert(x, ends, np.nan), TOP + (HIGH - 0.6) / 2 + np.insert(y, ends, 0)
    colour = BLUE if bits.shape[1] == BITS else AMBER
    axes.plot(x, y, color=colour, linewidth=HIGH - 0.6, **looks)


@drawing.chart
def draw():
    """Return the figure: the steps from left to right, and below them what they are."""
    lines = (
        f"row {ROW}: toggles, in {WORDS} words of {BITS} bits, word 0 on top",
        "the parity of each word: the bits of one more word",
        "this word, scanned from its last bit",
        "each word of toggles, scanned from its last bit",
        "the mask: a word is inverted if its bit 0 in D differs from C",
        f"Framed: the 2 x {BITS // 2} pixels that item {ITEM} stores.",
    )
    below = TOP + WORDS * HIGH + 20
    figure = drawing.figure(400, below + 17 * len(lines))
    axes = drawing.axes(figure, 12, 12, 6, 6)
    axes.set(xlim=(0, 376), ylim=(below + 17 * len(lines) - 12, 0))
    axes.axis("off")
    left = 0
    for bits, letter in zip(steps(), "ABCDE", strict=True):
        right = left + (WIDE * BITS if bits.shape[1] == BITS else PARITY)
        box(axes, left, right, bits)
        axes.text((left + right) / 2, TOP - 5, letter, ha="center")
        left = right + GAP
    for half in range(ITEM, 2 * WORDS, ITEMS):
        x, y = right - WIDE * BITS * (1 - half % 2 / 2), TOP + HIGH * (half // 2)
        axes.bar(x, HIGH, WIDE * BITS / 2, y - 0.3, align="edge", facecolor="none", edgecolor=INK,
                 linewidth=1.2, zorder=4)  # fmt: skip
    for letter, line, y in zip("ABCDE ", lines, below + 17 * np.arange(len(lines)), strict=True):
        axes.text(0, y, letter)
        axes.text(16, y, line)
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
