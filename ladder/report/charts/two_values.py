"""Two values of each row on one axis: limit and time, or predicted and measured."""

from ladder.report import limits
from ladder.report.charts import drawing, in_rows, speedups
from polymask.common import figures

TOP = 26  # room for a title


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


@drawing.chart
def draw_predictions(predictions):
    """Draw arrows from predicted to measured speed-ups; return None without predictions.

    `predictions` are tuples: a name, the predicted and the measured speed-up.
    """
    if not predictions:
        return None
    words = []
    for name, predicted, measured in predictions:
        ends = f"{figures.stated(predicted)} → {figures.digits(measured)}"
        words.append(in_rows.Row(name, f"{ends}: {figures.digits(measured / predicted, 2)} ×"))
    values = [value for _, *both in predictions for value in both]
    figure, axes, middles = in_rows.draw(words, values, 26, speedups.times, TOP)
    for (name, predicted, measured), y in zip(predictions, middles, strict=True):
        in_rows.step(axes, name, y, predicted, measured)
    title = "times as fast as the rung before: predicted → measured, and measured / predicted"
    drawing.title(figure, title)
    return figure
