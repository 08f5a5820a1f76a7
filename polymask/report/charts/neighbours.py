"""Old against new: each rung's time beside that of the rung which its lesson departs from."""

from dataclasses import dataclass

from polymask.bench.result import Row
from polymask.common import robust
from polymask.report import compare, figures
from polymask.report.charts import drawing, in_rows


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
            ratio, ci95 = robust.ratio(old.samples_s, new.samples_s)
            text = figures.ratio(ratio, min(old.samples, new.samples))
            noise = compare.verdict(ci95) == compare.SAME
            found.append(Step(old, new, text, figures.of_ratio(ci95), noise))
    return found, [row.key for row in later if row.before not in good]


HEADINGS = ("row", "after", "changes", "before", "now", "times as fast", "95 %")


def table(found):
    """Return the texts of steps, below the headings."""
    return [HEADINGS] + [
        (
            *(step.new.key, step.old.key, step.new.changes or ""),
            *map(figures.seconds, (step.old.median_s, step.new.median_s)),
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
    return in_rows.Row(
        new.key, text, f"after {old.key}" + (f": {new.changes}" if new.changes else "")
    )
