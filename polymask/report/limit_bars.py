"""A row's limits in the terminal: a bar for each limit, one for the time, and explanations."""

import math

from rich.table import Table

from polymask.ladder import registry
from polymask.report import figures, limits, table

BAR = 24  # characters
EIGHTHS = " ▏▎▍▌▋▊▉"


def for_terminal(result, key):
    """Return a table of a row's limits (from `limits.of_result`), and the lines below it."""
    row_limits = limits.of_result(result)[key]
    bars = Table(title=f"{key}: {table.heading(result)}", title_justify="left", box=None)
    bars.add_column("")
    bars.add_column("logarithmic", no_wrap=True, style="cyan")
    bars.add_column("time", justify="right", no_wrap=True)
    bars.add_column("why", overflow="fold")
    name, median_s = row_limits.largest.name, row_limits.row.median_s
    largest = "the largest limit" if row_limits.binds else f"{name}, which does not bind it"
    times = [("measured", median_s, f"{figures.digits(row_limits.distance, 2)} × {largest}")]
    times += [(limit.name, limit.seconds, limits.why(limit)) for limit in row_limits.all]
    least, most = row_limits.all[-1].seconds, max(median_s, row_limits.largest.seconds)
    for row, seconds, text in times:
        style = "bold" if row == "measured" or (row_limits.binds and row == name) else None
        bars.add_row(row, bar(seconds, least, most), figures.seconds(seconds), text, style=style)
    rung, sentences = registry.BY_KEY.get(key), [limits.explanation(row_limits)]
    if rung and (paid := limits.price_paid(rung, result)):
        sentences.append(f"{paid}.")
    if rung and rung.first_call and row_limits.row.first_call_s:
        first_call = figures.seconds(row_limits.row.first_call_s)
        sentences.append(f"Its first call took {first_call}: it {rung.first_call}.")
    return bars, sentences


def bar(seconds, least, most):
    """Return a bar for the logarithm of a time: one character at `least`, all of them at `most`."""
    part = math.log(seconds / least) / math.log(most / least) if most > least else 1.0
    whole, eighth = divmod(round(8 * (1 + part * (BAR - 1))), 8)
    return "█" * whole + EIGHTHS[eighth].strip()
