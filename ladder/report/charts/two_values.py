"""Two values of each row on one axis: old and new, or limit and time."""

from dataclasses import dataclass

from ladder.bench.result import Row
from ladder.common import confidence
from ladder.report import limits, text_table
from ladder.report.charts import drawing, in_rows
from polymask.common import figures

HEADINGS = ("row", "after", "changes", "before", "now", "times as fast", "95 %")


@dataclass(frozen=True)
class Step:
    """A step from one rung's row to another's."""

    old: Row
    new: Row
    ratio: str  # old time / new time
    interval: str  # its 95 % interval
    noise: bool  # whether the interval contains 1

    @property
    def slower(self):
        """Whether the new rung is slower, beyond the noise."""
        return self.new.median_s > self.old.median_s and not self.noise


def steps(result):
    """Return the steps of a result, and the keys of rungs whose `before` was not measured."""
    good, steps = result.timed, []
    later = [row for row in good.values() if row.before]
    for new in later:
        if old := good.get(new.before):
            ratio, ci95 = confidence.ratio(old.samples_s, new.samples_s)
            text = figures.ratio(ratio, min(old.samples, new.samples))
            noise = bool(ci95) and ci95[0] <= 1 <= ci95[1]
            steps.append(Step(old, new, text, figures.of_ratio(ci95), noise))
    return steps, [row.key for row in later if row.before not in good]


def steps_table(steps):
    """Return the `steps` of a result as a table."""
    rows = [
        (
            *(step.new.key, step.old.key, step.new.changes or ""),
            *map(figures.seconds, (step.old.median_s, step.new.median_s)),
            step.ratio + (", within the noise" if step.noise else ""),
            step.interval,
        )
        for step in steps
    ]
    return text_table.make("Old against new", HEADINGS, 3, rows)


@drawing.chart
def draw_steps(steps, narrow=False):
    """Draw the `steps` of a result; return None without steps."""
    if not steps:
        return None
    words = [_words(step, narrow) for step in steps]
    values = [row.median_s for step in steps for row in (step.old, step.new)]
    height = 14 if narrow else 34
    figure, axes, middles = in_rows.draw(words, values, height, figures.seconds_tick, narrow)
    for step, y in zip(steps, middles, strict=True):
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
def draw_limits(limited, narrow=False):
    """Draw times and the largest limits from `limits.of_result`; return None without limits."""
    if not limited:
        return None
    words = [in_rows.Row(key, limits.outcome(bound)) for key, bound in limited.items()]
    values = [bound.row.median_s for bound in limited.values()]
    values += [bound.largest.seconds for bound in limited.values()]
    height = 14 if narrow else 26
    figure, axes, middles = in_rows.draw(words, values, height, figures.seconds_tick, narrow)
    ink, slow, blue = (drawing.LIGHT[name] for name in ("ink", "slow", "blue"))
    for (key, bound), y in zip(limited.items(), middles, strict=True):
        least, time = bound.largest.seconds, bound.row.median_s
        axes.plot([least, time], [y, y], color=ink, linewidth=1.4)
        axes.plot([least, least], [y - 7, y + 7], color=slow, linewidth=4, gid=f"limit-{key}")
        axes.plot(time, y, "o", color=blue, markersize=8, gid=f"time-{key}")
    return figure
