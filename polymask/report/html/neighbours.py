"""Old against new: each rung's time beside that of the rung which its lesson departs from."""

from dataclasses import dataclass

from polymask.bench import stats
from polymask.report import compare, numbers
from polymask.report.html import axis


@dataclass(frozen=True)
class Step:
    """From one rung's time to the next one's, in per cent of the axis, and in words."""

    key: str
    before: str
    changes: str
    old: float
    new: float
    old_text: str
    new_text: str
    ratio: str
    interval: str
    noise: bool

    @property
    def slower(self):
        """Whether the new rung takes longer, by more than the noise."""
        return self.new > self.old and not self.noise

    @property
    def far(self):
        """Whether there is room for an arrow."""
        return abs(self.new - self.old) > 5


@dataclass(frozen=True)
class Chart:
    """The steps, the ticks, and the rungs whose `before` was not measured."""

    steps: list[Step]
    ticks: list
    alone: list[str]


def chart(result):
    """Lay out the steps of a result; None where no rung and its `before` both have times."""
    good = {row["key"]: row for row in result["rows"] if row["status"] == "ok" and row["median_s"]}
    later = [row for row in good.values() if row["before"]]
    pairs = [(good[row["before"]], row) for row in later if row["before"] in good]
    if not pairs:
        return None
    scale = axis.around([row["median_s"] for pair in pairs for row in pair], 1.6)
    alone = [row["key"] for row in later if row["before"] not in good]
    steps = [_step(scale, *pair) for pair in pairs]
    return Chart(steps, axis.ticks(scale, axis.seconds_tick), alone)


def _step(scale, old, new):
    ratio, ci95 = stats.ratio(old["samples_s"], new["samples_s"])
    return Step(
        key=new["key"],
        before=old["key"],
        changes=new["changes"] or "",
        old=scale.at(old["median_s"]),
        new=scale.at(new["median_s"]),
        old_text=numbers.seconds(old["median_s"]),
        new_text=numbers.seconds(new["median_s"]),
        ratio=numbers.ratio(ratio, min(old["samples"], new["samples"])),
        interval=numbers.of_ratio(ci95),
        noise=compare.verdict(ci95) == compare.SAME,
    )
