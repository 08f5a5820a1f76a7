"""Draw the calls of offload.copied and offload.bound for one mask in two bands, side by side.

python 7_offload/pictures/calls_of_bound.py

The runtime's trace lists the calls. The limit for the work of one band is lowered until the mask
has two bands. A call that only one rung makes leaves a gap in the other rung.
"""

from difflib import SequenceMatcher
from pathlib import Path

from calls_of_copy import IN, OUT, STEP, calls, draw_call, lanes

from ladder.offload.masks import bound, copied
from ladder.report.charts import drawing

BANDS, TOP, WIDTH = 2, 46, 400
SIDES = ("offload.copied", 8, 192), ("offload.bound", 208, 392)


def places(before, after):
    """Return the line of each call of the second list beside the first, which contains it."""
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    result = [start + i for start, _, size in blocks for i in range(size)]
    assert len(result) == len(after)
    return result


def total(traced, name):
    """Return the bytes of all copies with a name."""
    return sum(size for call, size, _ in traced if call == name)


@drawing.chart
def draw():
    """Return the figure: two columns of calls, from top to bottom, and the sums of their bytes."""
    both = [
        [call for call in calls(module, BANDS) if "allocate" not in call[0]]
        for module in (copied, bound)
    ]
    lines = range(len(both[0])), places(*both)
    bottom = TOP + STEP * len(both[0])
    figure = drawing.figure(WIDTH, bottom + 44)
    axes = drawing.axes(figure, 0, 0, 0, 0)
    axes.set(xlim=(0, WIDTH), ylim=(bottom + 44, 0))
    axes.axis("off")
    for (key, left, right), traced, at in zip(SIDES, both, lines, strict=True):
        axes.text(left, 18, key, weight="bold")
        lanes(axes, left, right, TOP, bottom)
        for line, call in zip(at, traced, strict=True):
            draw_call(axes, call, left, right, TOP + STEP * line)
        axes.text(left, bottom + 18, f"in: {total(traced, IN):,} bytes")
        axes.text(left, bottom + 35, f"out: {total(traced, OUT):,} bytes")
    middle = TOP + STEP * len(both[0]) / BANDS
    axes.plot((0, WIDTH), (middle, middle), color=drawing.LIGHT["ink"], linewidth=1, ls=":")
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
