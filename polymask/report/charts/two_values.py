"""Two values of each row on one axis: old and new, least and measured, predicted and measured."""

from dataclasses import dataclass

from polymask.bench.result import Row
from polymask.common import confidence
from polymask.report import compare, figures, tables
from polymask.report.charts import drawing, in_rows, speedups

HEADINGS = ("row", "after", "changes", "before", "now", "times as fast", "95 %")
TOP = 26  # room for a title


@dataclass(frozen=True)
class Step:
    """From one rung's row to the next one's."""

    old: Row
    new: Row
    ratio: str  # how many times as fast the new one is,
    interval: str  # with which interval,
    noise: bool  # and whether that leaves it open

    @property
    def slower(self):
        """Whether the new rung takes longer, by more than the noise."""
        return self.new.median_s > self.old.median_s and not self.noise


def steps(result):
    """Return the steps of a result, and the rungs whose `before` was not measured."""
    good, found = result.timed, []
    later = [row for row in good.values() if row.before]
    for new in later:
        if old := good.get(new.before):
            ratio, ci95 = confidence.ratio(old.samples_s, new.samples_s)
            text = figures.ratio(ratio, min(old.samples, new.samples))
            noise = compare.verdict(ci95) == compare.SAME
            found.append(Step(old, new, text, figures.of_ratio(ci95), noise))
    return found, [row.key for row in later if row.before not in good]


def steps_table(found):
    """Return the `steps` of a result as a table."""
    rows = [
        (
            *(step.new.key, step.old.key, step.new.changes or ""),
            *map(figures.seconds, (step.old.median_s, step.new.median_s)),
            step.ratio + (", within the noise" if step.noise else ""),
            step.interval,
        )
        for step in found
    ]
    return tables.table("Old against new", HEADINGS, 3, rows)


@drawing.chart
def draw_steps(found, narrow=False):
    """Draw the `steps` of a result; None where there are none."""
    if not found:
        return None
    words = [_words(step, narrow) for step in found]
    values = [row.median_s for step in found for row in (step.old, step.new)]
    height = 14 if narrow else 34
    figure, axes, middles = in_rows.draw(words, values, height, figures.seconds_tick, narrow)
    for step, y in zip(found, middles, strict=True):
        colour, times = "slow" if step.slower else "blue", (step.old.median_s, step.new.median_s)
        in_rows.step(axes, step.new.key, y, *times, colour, dashed=step.slower)
    return figure


def _words(step, narrow):
    old, new = step.old, step.new
    text = f"{figures.seconds(old.median_s)} → {figures.seconds(new.median_s)}: {step.ratio} ×"
    if not narrow:
        text += " as fast" + (f" ({step.interval})" if step.interval else "")
        text += ", within the noise" if step.noise else ""
    beneath = f"after {old.key}" + (f": {new.changes}" if new.changes else "")
    return in_rows.Row(new.key, text, beneath)


@drawing.chart
def draw_limits(found, narrow=False):
    """Draw the limits of a result, `report.limits.of_result`, beside the times; None without."""
    if not found:
        return None
    words = [in_rows.Row(key, limit_words(one)) for key, one in found.items()]
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


def limit_words(found):
    """Write the largest limit and the time, and how far apart they are."""
    times = f"{figures.digits(found.distance, 2)} × " if found.binds else "not "
    ends = f"{figures.seconds(found.largest.seconds)} → {figures.seconds(found.row.median_s)}"
    return f"{times}{found.largest.name}: {ends}"


@drawing.chart
def draw_predictions(found, narrow=False):
    """Draw an arrow from what was predicted to what was measured; None where nothing was.

    `found` has tuples: a name, what was predicted and what was measured.
    """
    if not found:
        return None
    words = []
    for name, predicted, measured in found:
        ends = f"{figures.stated(predicted)} → {figures.digits(measured)}"
        words.append(in_rows.Row(name, f"{ends}: {figures.digits(measured / predicted, 2)} ×"))
    values = [value for _, *both in found for value in both]
    figure, axes, middles = in_rows.draw(words, values, 26, speedups.times, narrow, TOP)
    for (name, predicted, measured), y in zip(found, middles, strict=True):
        in_rows.step(axes, name, y, predicted, measured)
    title = "times as fast as the rung before: predicted → measured"
    drawing.title(figure, title if narrow else f"{title}, and measured / predicted")
    return figure
