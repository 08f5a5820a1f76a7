"""A row's limits in the terminal: a bar for each limit, one for the time, and explanations.

A row on a GPU has the parts of its call instead of limits.
"""

import math

from rich.table import Table

from ladder import registry
from ladder.cost import device_call
from ladder.report import device_calls, limits, table
from polymask.common import figures

BAR = 24  # characters
EIGHTHS = " ▏▎▍▌▋▊▉"


def for_terminal(result, key):
    """Return a table of a row's limits (from `limits.of_result`), and the lines below it."""
    row_limits = limits.of_result(result)[key]
    name, median_s = row_limits.largest.name, row_limits.row.median_s
    largest = "the largest limit" if row_limits.binds else f"{name}, which does not bind it"
    times = [("measured", median_s, f"{figures.digits(row_limits.distance, 2)} × {largest}")]
    times += [(limit.name, limit.seconds, limits.why(limit)) for limit in row_limits.all]
    rung, sentences = registry.BY_KEY.get(key), [limits.explanation(row_limits)]
    if rung and (paid := limits.price_paid(rung, result)):
        sentences.append(f"{paid}.")
    sentences += first_call(rung, row_limits.row)
    return chart(result, key, times, {"measured", name if row_limits.binds else ""}), sentences


def of_device(result, key):
    """Return a table of the parts of a row's call on a GPU, and the lines below it."""
    row, parts = result.row(key), device_call.parts(result, key)
    times = [("measured", row.median_s, "The whole call.")]
    pixels = result.workload.pixels
    times += [(part.name, part.seconds, device_calls.why(part, row, pixels)) for part in parts]
    sentences = [device_calls.explanation(result, key), *first_call(registry.get(key), row)]
    return chart(result, key, times, {"measured", parts[0].name}), sentences


def chart(result, key, times, bold):
    """Return a table with a bar for each of `times`: name, seconds and a sentence."""
    bars = Table(title=f"{key}: {table.heading(result)}", title_justify="left", box=None)
    bars.add_column("")
    bars.add_column("logarithmic", no_wrap=True, style="cyan")
    bars.add_column("time", justify="right", no_wrap=True)
    bars.add_column("why", overflow="fold")
    least, most = (find(seconds for _, seconds, _ in times) for find in (min, max))
    for row, seconds, text in times:
        style = "bold" if row in bold else None
        bars.add_row(row, bar(seconds, least, most), figures.seconds(seconds), text, style=style)
    return bars


def first_call(rung, row):
    """Return the sentence about a row's first call, if its rung does more then."""
    if not (rung and rung.first_call and row.first_call_s):
        return []
    return [f"Its first call took {figures.seconds(row.first_call_s)}: it {rung.first_call}."]


def bar(seconds, least, most):
    """Return a bar for the logarithm of a time: one character at `least`, all of them at `most`."""
    part = math.log(seconds / least) / math.log(most / least) if most > least else 1.0
    whole, eighth = divmod(round(8 * (1 + part * (BAR - 1))), 8)
    return "█" * whole + EIGHTHS[eighth].strip()
