"""The race: every rung fills its mask at its measured pace; and stills of it for paper.

Paces differ by six powers of ten. In real time the slow rungs crawl, and of the fast ones laps are
counted; a slower clock, which the page names, shows the fast ones too.
"""

import base64
import io
import math
from dataclasses import dataclass

from PIL import Image

from polymask.report import figures
from polymask.report.charts import polygon

STILLS = 3
CLOCKS = 4  # real time, and slower ones


@dataclass(frozen=True)
class Lane:
    """A rung's pace, and how far it is in each still: (rows' share in per cent, words)."""

    key: str
    seconds: float
    pace: str
    other_algorithm: bool
    stills: list[tuple[float, str]]


@dataclass(frozen=True)
class Mask:
    """The mask that is filled: an image of every `step`-th pixel, as a data URI, and the shape."""

    png: str
    step: int
    rows: int
    cols: int


@dataclass(frozen=True)
class Race:
    """The lanes, the moments of the stills, and the clocks one may choose: (slower by, words)."""

    lanes: list[Lane]
    moments: list[str]
    clocks: list[tuple[float, str]]
    rows: int

    @property
    def data(self):
        """What the script needs: JSON."""
        lanes = [{"key": lane.key, "seconds": lane.seconds} for lane in self.lanes]
        return {"rows": self.rows, "lanes": lanes}


def race(result):
    """Lay out the race of a result; None where fewer than two rows have times."""
    rows, cols = result.workload.shape
    entered = list(result.timed.values())
    if len(entered) < 2 or rows * cols == 0:
        return None
    times = [row.median_s for row in entered]
    moments = _moments(min(times), max(times))
    lanes = [
        Lane(
            key=row.key,
            seconds=row.median_s,
            pace=figures.seconds(row.median_s),
            other_algorithm=row.other_algorithm,
            stills=[still(moment, row.median_s, rows) for moment in moments],
        )
        for row in entered
    ]
    words = [figures.seconds(moment, figures.stated) for moment in moments]
    return Race(lanes, words, _clocks(min(times)), rows)


def mask(result):
    """Return the mask of a result as an image: a colour inside, and nothing outside."""
    thinned, step = polygon.thinned(result)
    image = Image.fromarray(thinned).convert("P")
    image.putpalette([*polygon.INSIDE, *polygon.INSIDE])
    file = io.BytesIO()
    image.save(file, "PNG", bits=1, transparency=0, optimize=True)
    png = "data:image/png;base64," + base64.b64encode(file.getvalue()).decode("ascii")
    return Mask(png, step, *result.workload.shape)


def still(moment, seconds, rows):
    """Say how far a rung is at a moment: the filled part of the mask it is at, and words."""
    laps = moment / seconds
    if laps >= 1:
        whole = f"{laps:.1f}" if laps < 10 else figures.stated(int(laps))
        return 100.0, f"{whole} mask{'' if whole == '1.0' else 's'}"
    done = int(laps * rows)
    return round(100 * laps, 2), f"row {done} of {rows}"


def _moments(least, most):
    """Return powers of ten from the first mask of the fastest to near the last of the slowest."""
    first, last = math.ceil(math.log10(least)), math.floor(math.log10(most))
    places = sorted({first, (first + last) // 2, max(first, last)})
    return [float(f"1e{place}") for place in places][:STILLS]


def _clocks(least):
    """Return how much slower than real time the clocks run; with the slowest, the fastest crawls.

    The fastest rung then takes seconds for its mask.
    """
    slowest = max(0, -math.floor(math.log10(least)))
    places = sorted({round(slowest * part / (CLOCKS - 1)) for part in range(CLOCKS)})
    found = []
    for place in places:
        factor = float(f"1e{place}")
        worth = figures.seconds(1 / factor, figures.stated)
        if place == 0:
            found.append((factor, "real time"))
        else:
            found.append((factor, f"{factor:,.0f} × slower: 1 s shows {worth}"))
    return found
