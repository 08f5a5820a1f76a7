"""A logarithmic axis: where a value lies on it, and its ticks."""

import math
from dataclasses import dataclass

from polymask.report import numbers

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class LogAxis:
    """From `low` to `high`, drawn from `start` to `stop`: per cent of a width, or pixels."""

    low: float
    high: float
    start: float = 0.0
    stop: float = 100.0

    def at(self, value):
        """Return where a value lies, with no more decimals than a drawing needs."""
        part = math.log(value / self.low) / math.log(self.high / self.low)
        return round(self.start + part * (self.stop - self.start), 2)

    def decades(self):
        """Return the powers of ten on the axis."""
        first = math.ceil(round(math.log10(self.low), 9))
        last = math.floor(round(math.log10(self.high), 9))
        return [float(f"1e{exponent}") for exponent in range(first, last + 1)]


def around(values, factor=1.0, **ends):
    """Return an axis that holds all values, with room by a factor at both ends."""
    low, high = min(values) / factor, max(values) * factor
    if high <= low * (1 + 1e-9):
        low, high = low / 2, high * 2
    return LogAxis(low, high, **ends)


def times_tick(value):
    """Write a tick of ratios: 0.1, 1, 10, 100, 10³."""
    exponent = round(math.log10(value))
    if -2 <= exponent <= 2:
        return numbers.stated(value)
    return "10" + str(exponent).translate(SUPERSCRIPTS)


def seconds_tick(value):
    """Write a tick of times: 10 µs."""
    return numbers.seconds(value, numbers.stated)


@dataclass(frozen=True)
class Tick:
    """A tick: where, its text, which end of the text lies there; `spare` where room is short."""

    at: float
    text: str
    anchor: str
    spare: bool


def ticks(axis, write):
    """Return the decades of an axis in per cent."""
    found = []
    for place, value in enumerate(axis.decades()):
        at = axis.at(value)
        anchor = "start" if at < 5 else "end" if at > 95 else "middle"
        found.append(Tick(at, write(value), anchor, place % 2 == 1))
    return found
