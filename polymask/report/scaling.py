"""A sweep over threads: how many times as fast each rung is with more of them."""

from polymask.cost.scaling import speedups
from polymask.report import figures, sweeps

LEGEND = "In brackets: how many times as fast as in the first column."


def rows(found):
    """Return the table's rows: the key, then for each number of threads the time and speed-up."""
    texts = []
    for key, points in speedups(found).items():
        here = {point.threads: _text(point) for point in points}
        texts.append((key, *(here.get(value, "") for value in found.values)))
    return texts


def _text(point):
    time = figures.seconds(point.seconds)
    return time if point.speedup == 1.0 else f"{time} ({figures.digits(point.speedup)})"


def markdown(found):
    """Return times and speed-ups as a table, a column for each number of threads, and the notes."""
    return sweeps.in_markdown(found, rows(found), LEGEND, "")


def for_terminal(found, width):
    """Return the same for the terminal."""
    return sweeps.in_width(sweeps.heading(found), found, rows(found), width, caption=LEGEND)


notes = sweeps.notes  # Amdahl's law, and what was disturbed
