"""Why a row is as fast as it is: its time beside the least that its work allows."""

from polymask.report import figures
from polymask.report.charts import drawing, in_rows


@drawing.chart
def draw(found, narrow=False):
    """Draw the limits of a result, `report.limits.of_result`; None where none can be told."""
    if not found:
        return None
    words = [in_rows.Row(key, said(one)) for key, one in found.items()]
    values = [time for one in found.values() for time in (one.row.median_s, one.largest.seconds)]
    height = 14 if narrow else 26
    figure, axes, middles = in_rows.draw(words, values, height, figures.seconds_tick, narrow)
    ink, slow, blue = (drawing.LIGHT[name] for name in ("ink", "slow", "blue"))
    for (key, one), y in zip(found.items(), middles, strict=True):
        least, time = one.largest.seconds, one.row.median_s
        axes.plot([least, time], [y, y], color=ink, linewidth=1.4)
        axes.plot([least, least], [y - 7, y + 7], color=slow, linewidth=4, gid=f"limit-{key}")
        axes.plot(time, y, "o", color=blue, markersize=8, gid=f"time-{key}")
    return figure


def said(found):
    """Write the largest limit and the time, and how far apart they are."""
    times = f"{figures.digits(found.distance, 2)} × " if found.binds else "not "
    ends = f"{figures.seconds(found.largest.seconds)} → {figures.seconds(found.row.median_s)}"
    return f"{times}{found.largest.name}: {ends}"
