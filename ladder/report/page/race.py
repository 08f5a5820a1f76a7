"""The race, in which every rung fills its mask at its measured pace.

Paces differ by six powers of ten. In real time, the slow rungs crawl, and the laps of the fast ones
are counted. A slower clock, which the page offers, shows the fast rungs, too.
"""

import base64
import io
import math
from dataclasses import dataclass

from PIL import Image

from ladder.bench.result import Row
from ladder.report.charts import polygon
from polymask.common import figures

CLOCKS = 4  # real time, and slower ones


@dataclass(frozen=True)
class Race:
    """The rows in the race, and the available clocks."""

    entered: list[Row]
    clocks: list[tuple[float, str]]  # slowdown against real time, and its text
    rows: int  # of the mask

    @property
    def data(self):
        """The script's input, for JSON."""
        lanes = [{"key": row.key, "seconds": row.median_s} for row in self.entered]
        return {"rows": self.rows, "lanes": lanes}


def race(result):
    """Return the race of a result, or None if fewer than two rows have times."""
    entered = list(result.timed.values())
    if len(entered) < 2 or result.workload.pixels == 0:
        return None
    fastest = min(row.median_s for row in entered)
    return Race(entered, _clocks(fastest), result.workload.shape[0])


def png(mask):
    """Convert a mask to an image that is transparent outside, as a data URI."""
    image = Image.fromarray(mask).convert("P")
    image.putpalette([*polygon.INSIDE, *polygon.INSIDE])
    file = io.BytesIO()
    image.save(file, "PNG", bits=1, transparency=0, optimize=True)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode("ascii")


def _clocks(least):
    """Return the clocks, from real time to a clock on which the fastest rung takes seconds."""
    slowest = max(0, -math.floor(math.log10(least)))
    places = sorted({round(slowest * part / (CLOCKS - 1)) for part in range(CLOCKS)})
    factors = [float(f"1e{place}") for place in places]
    worth = [figures.seconds(1 / factor, figures.stated) for factor in factors]
    return [
        (factor, "real time" if factor == 1 else f"{factor:,.0f} × slower: 1 s shows {text}")
        for factor, text in zip(factors, worth, strict=True)
    ]
