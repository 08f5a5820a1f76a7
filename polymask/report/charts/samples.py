"""The samples of a row as dots, small enough for a cell of a table."""

from polymask.report.charts import drawing

SIZE = (126, 36)


@drawing.chart
def draw(row):
    """Draw samples from the least time to the greatest, the first at the top; None without any."""
    samples = row.samples_s
    if not samples:
        return None
    figure = drawing.figure(*SIZE)
    axes = drawing.axes(figure, 5, 5, 5, 5)
    axes.set_axis_off()
    axes.set(xscale="log", ylim=(max(len(samples) - 1, 1), 0))
    low, high = min(samples), max(samples)
    axes.set_xlim((low, high) if high > low else (low / 2, high * 2))
    dots = {"color": drawing.LIGHT["blue"], "markersize": 2.8, "markeredgewidth": 0}
    axes.plot(samples, range(len(samples)), "o", clip_on=False, **dots)
    return figure
