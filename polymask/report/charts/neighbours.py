"""Old against new: each rung's time beside that of the rung which its lesson departs from."""

from dataclasses import dataclass

from polymask import stats
from polymask.report import compare, figures
from polymask.report.charts import drawing, in_rows


@dataclass(frozen=True)
class Step:
    """From one rung's time to the next one's, in seconds and in words."""

    key: str
    before: str
    changes: str
    old: float
    new: float
    ratio: str
    interval: str
    noise: bool

    @property
    def slower(self):
        """Whether the new rung takes longer, by more than the noise."""
        return self.new > self.old and not self.noise


def steps(result):
    """Return the steps of a result, and the rungs whose `before` was not measured."""
    good = result.timed
    later = [row for row in good.values() if row.before]
    found = [_step(good[row.before], row) for row in later if row.before in good]
    return found, [row.key for row in later if row.before not in good]


def _step(old, new):
    ratio, ci95 = stats.ratio(old.samples_s, new.samples_s)
    return Step(
        key=new.key,
        before=old.key,
        changes=new.changes or "",
        old=old.median_s,
        new=new.median_s,
        ratio=figures.ratio(ratio, min(old.samples, new.samples)),
        interval=figures.of_ratio(ci95),
        noise=compare.verdict(ci95) == compare.SAME,
    )


HEADINGS = ("row", "after", "changes", "before", "now", "times as fast", "95 %")


def table(found):
    """Return the texts of steps, below the headings."""
    return [HEADINGS] + [
        (
            *(step.key, step.before, step.changes),
            *map(figures.seconds, (step.old, step.new)),
            step.ratio + (", within the noise" if step.noise else ""),
            step.interval,
        )
        for step in found
    ]


@drawing.chart
def draw(found, narrow=False):
    """Draw the `steps` of a result; None where there are none."""
    if not found:
        return None
    words = [in_rows.Row(step.key, _words(step, narrow), _beneath(step)) for step in found]
    values = [value for step in found for value in (step.old, step.new)]
    height = 14 if narrow else 34
    figure, axes, middles = in_rows.draw(words, values, height, figures.seconds_tick, narrow)
    for step, y in zip(found, middles, strict=True):
        colour = "slow" if step.slower else "blue"
        in_rows.step(axes, step.key, y, step.old, step.new, colour, dashed=step.slower)
    return figure


def _words(step, narrow):
    interval = f" ({step.interval})" if step.interval else ""
    times = f"{figures.seconds(step.old)} → {figures.seconds(step.new)}: "
    if narrow:
        return f"{times}{step.ratio} ×"
    return f"{times}{step.ratio} × as fast{interval}" + (", within the noise" if step.noise else "")


def _beneath(step):
    return f"after {step.before}" + (f": {step.changes}" if step.changes else "")
