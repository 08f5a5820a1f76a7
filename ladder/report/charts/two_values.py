"""Two values of each row on one axis: its limit and its time."""

from ladder.report import limits
from ladder.report.charts import drawing, in_rows
from polymask.common import figures


@drawing.chart
def draw_limits(limited):
    """Draw times and the largest limits from `limits.of_result`; return None without limits."""
    if not limited:
        return None
    words = [in_rows.Row(key, limits.outcome(bound)) for key, bound in limited.items()]
    values = [bound.row.median_s for bound in limited.values()]
    values += [bound.largest.seconds for bound in limited.values()]
    figure, axes, middles = in_rows.draw(words, values, 26, figures.seconds_tick)
    ink, slow, blue = (drawing.LIGHT[name] for name in ("ink", "slow", "blue"))
    for (key, bound), y in zip(limited.items(), middles, strict=True):
        least, time = bound.largest.seconds, bound.row.median_s
        axes.plot([least, time], [y, y], color=ink, linewidth=1.4)
        axes.plot([least, least], [y - 7, y + 7], color=slow, linewidth=4, gid=f"limit-{key}")
        axes.plot(time, y, "o", color=blue, markersize=8, gid=f"time-{key}")
    return figure
