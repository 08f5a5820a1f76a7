"""A row's samples as dots in a cell of a table."""

from ladder.report.charts import drawing

CELL = (126, 36)  # pixels


@drawing.chart
def draw_samples(row):
    """Draw a row's samples, the first at the top; return None without samples."""
    samples = row.samples_s
    if not samples:
        return None
    figure = drawing.figure(*CELL)
    axes = drawing.axes(figure, 5, 5, 5, 5)
    axes.set_axis_off()
    axes.set(xscale="log", ylim=(max(len(samples) - 1, 1), 0))
    low, high = min(samples), max(samples)
    axes.set_xlim((low, high) if high > low else (low / 2, high * 2))
    dots = {"color": drawing.LIGHT["blue"], "markersize": 2.8, "markeredgewidth": 0}
    axes.plot(samples, range(len(samples)), "o", clip_on=False, **dots)
    return figure
