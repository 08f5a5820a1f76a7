"""A row's limits in the terminal: a bar each beside that of its time, and what they consist of."""

import math

from rich.table import Table

from polymask.report import bounds, numbers, table

BAR = 24  # characters
EIGHTHS = " ▏▎▍▌▋▊▉"


def for_terminal(result, key):
    """Return a table of a row's limits, and lines to read below it.

    Parameters
    ----------
    result : dict
        With a bound for the row; see `polymask.report.bounds.bounds`.
    key : str

    Returns
    -------
    Table, list of str
    """
    bound = bounds.bounds(result)[key]
    drawn = Table(title=f"{key}: {table.heading(result)}", title_justify="left", box=None)
    drawn.add_column("")
    drawn.add_column("logarithmic", no_wrap=True, style="cyan")
    drawn.add_column("time", justify="right", no_wrap=True)
    drawn.add_column("why", overflow="fold")
    least = bound.limits[-1].seconds
    held = "the bound" if bound.explained else f"{bound.limit.name}, which does not bind it"
    times = [("measured", bound.median_s, f"{numbers.digits(bound.distance, 2)} × {held}")]
    times += [(limit.name, limit.seconds, limit.why) for limit in bound.limits]
    most = max(seconds for _, seconds, _ in times)
    for name, seconds, why in times:
        bold = name == "measured" or (bound.explained and name == bound.limit.name)
        style = "bold" if bold else None
        drawn.add_row(name, bar(seconds, least, most), numbers.seconds(seconds), why, style=style)
    words = [bound.words]
    if key == "cython.typed" and (border := bounds.border_words(result)):
        words.append(f"{border}.")
    return drawn, words


def bar(seconds, least, most):
    """Return a bar by the logarithm of a time: one character for `least`, all for `most`."""
    part = math.log(seconds / least) / math.log(most / least) if most > least else 1.0
    whole, eighth = divmod(round(8 * (1 + part * (BAR - 1))), 8)
    return "█" * whole + EIGHTHS[eighth].strip()
