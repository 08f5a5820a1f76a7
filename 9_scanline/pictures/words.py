"""Draw the steps that turn a word of toggles into parities, and these bits into bytes.

python 9_scanline/pictures/words.py

The toggles are those of the row in toggles.py, pixel 0 on the left. A word of 16 bits takes four
steps; the engine's words of 64 bits take six.
"""

from pathlib import Path

import numpy as np
import toggles

from ladder.report.charts import drawing

BITS = 16
STEPS = (1, 2, 4, 8)
INK, BLUE, AMBER = (drawing.LIGHT[name] for name in ("ink", "blue", "amber"))


def bits_of(word):
    """Return the bits of the row's pixels in a word, that of pixel 0 first."""
    return [word >> x & 1 for x in range(toggles.COLS)]


def words():
    """Return the word of the toggles, and the word after each step."""
    word = sum(int(odd) << x for x, odd in enumerate(toggles.toggles()))
    result = [word]
    for step in STEPS:
        word = (word ^ word << step) & (1 << BITS) - 1
        result.append(word)
    assert np.array_equal(bits_of(word), toggles.inside())
    return result


@drawing.chart
def draw():
    """Return the figure: one line of bits per step, and below them the bytes of the mask."""
    first, *others = words()
    figure = drawing.figure(480, 60 + 54 * len(STEPS) + 98)
    axes = drawing.axes(figure, 12, 12, 6, 6)
    axes.axis("off")
    lines = [("toggles, one bit per pixel", first)]
    for step, word in zip(STEPS, others, strict=True):
        lines.append((f"w ^= w << {step}: the parity of the last {2 * step} toggles", word))
    y = 0
    for number, (text, word) in enumerate(lines):
        axes.text(-0.5, y, text, va="center", size=13)
        y += 25
        toggles.digits(axes, y, bits_of(word), BLUE if number == len(STEPS) else AMBER)
        y += 29
    axes.text(-0.5, y, "expanded: one byte per pixel, stored to the mask", va="center", size=13)
    y += 25
    for x, bit in enumerate(bits_of(others[-1])):
        axes.bar(x, 26, 0.9, y - 13, facecolor=BLUE if bit else "none", alpha=0.4, edgecolor=INK,
                 linewidth=1)  # fmt: skip
        axes.text(x, y, f"{bit:02x}", ha="center", va="center", size=13)
    axes.set(xlim=(-0.6, toggles.COLS - 0.4), ylim=(y + 16, -12))
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
