"""Predicted against measured: the speed-ups that somebody expected, and those that came."""

from polymask.report import figures
from polymask.report.charts import drawing, in_rows, speedups

TOP = 26  # room for the title


@drawing.chart
def draw(found, narrow=False):
    """Draw an arrow from what was expected to what was measured; None where nothing was.

    `found` has tuples: a name, what was predicted and what was measured.
    """
    if not found:
        return None
    words = [in_rows.Row(name, said(*both)) for name, *both in found]
    values = [value for _, *both in found for value in both]
    figure, axes, middles = in_rows.draw(words, values, 26, speedups.times, narrow, TOP)
    for (name, predicted, measured), y in zip(found, middles, strict=True):
        in_rows.step(axes, name, y, predicted, measured)
    title = "times as fast as the rung before: predicted → measured"
    drawing.title(figure, title if narrow else f"{title}, and measured / predicted")
    return figure


def said(predicted, measured):
    """Write both, and how far apart they are."""
    ratio = figures.digits(measured / predicted, 2)
    return f"{figures.stated(predicted)} → {figures.digits(measured)}: {ratio} ×"
