"""A row's limits in the terminal: a bar each beside that of its time, and what they consist of."""

import math

from rich.table import Table

from polymask.ladder import registry
from polymask.report import figures, limits, table

BAR = 24  # characters
EIGHTHS = " ▏▎▍▌▋▊▉"


def for_terminal(result, key):
    """Return a table of a row's limits, which `limits.of_result` has, and lines to read below."""
    found = limits.of_result(result)[key]
    drawn = Table(title=f"{key}: {table.heading(result)}", title_justify="left", box=None)
    drawn.add_column("")
    drawn.add_column("logarithmic", no_wrap=True, style="cyan")
    drawn.add_column("time", justify="right", no_wrap=True)
    drawn.add_column("why", overflow="fold")
    name, median_s = found.largest.name, found.row.median_s
    held = "the largest limit" if found.binds else f"{name}, which does not bind it"
    times = [("measured", median_s, f"{figures.digits(found.distance, 2)} × {held}")]
    times += [(limit.name, limit.seconds, limits.why(limit)) for limit in found.all]
    least, most = found.all[-1].seconds, max(median_s, found.largest.seconds)
    for row, seconds, text in times:
        style = "bold" if row == "measured" or (found.binds and row == name) else None
        drawn.add_row(row, bar(seconds, least, most), figures.seconds(seconds), text, style=style)
    rung, words = registry.BY_KEY.get(key), [limits.explanation(found)]
    if rung and (paid := limits.price_paid(rung, result)):
        words.append(f"{paid}.")
    if rung and rung.first_call and found.row.first_call_s:
        taken = figures.seconds(found.row.first_call_s)
        words.append(f"Its first call took {taken}: it {rung.first_call}.")
    return drawn, words


def bar(seconds, least, most):
    """Return a bar by the logarithm of a time: one character for `least`, all for `most`."""
    part = math.log(seconds / least) / math.log(most / least) if most > least else 1.0
    whole, eighth = divmod(round(8 * (1 + part * (BAR - 1))), 8)
    return "█" * whole + EIGHTHS[eighth].strip()
