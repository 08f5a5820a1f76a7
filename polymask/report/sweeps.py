"""Sweeps as tables and in words: the medians, the fitted cost model; the gain from threads."""

from rich.console import Group
from rich.table import Column, Table

from polymask.cost import amdahl, fit, scaling
from polymask.report import doubts, figures, table

TITLES = {"size": "rows and columns of the image", "vertices": "vertices", "threads": "threads"}
LEGEND = "In brackets: how many times as fast as in the first column."
EACH = {"once": "call", "pixels": "pixel", "crossings": "crossing"}


def series(found):
    """Return key to its points, (value, seconds), in the order of the table; memset last."""
    curves = {}
    for value, measured in found.points:
        for row in measured.rows:
            if row.ok:
                curves.setdefault(row.key, []).append((value, row.median_s))
        if seconds := measured.yardstick.memset_fresh_s:
            curves.setdefault("memset", []).append((value, seconds))
    curves["memset"] = curves.pop("memset", [])
    return curves


def heading(found):
    """Return what was measured along a sweep, in a line."""
    return f"{work(found)}, {table.cores(found.results[0])}"


def work(found):
    """Return the image and the polygon of a sweep, and from where to where it goes."""
    over, values = found.over, found.values
    first, last = found.results[0], found.results[-1]
    if len(values) == 1 and over != "threads":
        return table.work(first)
    if over == "size":
        return f"{table.image(first)} to {table.image(last)} pixels, {table.polygon(first)}"
    if over == "vertices":
        return f"{table.image(first)} pixels, {values[0]} to {table.polygon(last)}"
    threads = figures.count(values[-1], "thread")
    return f"{table.work(first)}, {f'{values[0]} to ' if len(values) > 1 else ''}{threads}"


def rows(found):
    """Return the medians: the key, then a text for each value."""
    curves = {key: dict(points) for key, points in series(found).items()}
    return [
        (key, *(figures.seconds(times.get(value)) for value in found.values))
        for key, times in curves.items()
    ]


def gains(found):
    """Return times and speed-ups over threads, as `rows` returns the medians."""
    texts = []
    for key, points in scaling.speedups(found).items():
        here = dict.fromkeys(found.values, "")
        for one in points:
            gain = f" ({figures.digits(one.speedup)})" if one.speedup != 1.0 else ""
            here[one.threads] = figures.seconds(one.seconds) + gain
        texts.append((key, *here.values()))
    return texts


def markdown(found):
    """Return the medians as a table, a column a value, and notes; over threads, speed-ups too."""
    threads = found.over == "threads"
    texts = [(found.over, *map(str, found.values)), *(gains(found) if threads else rows(found))]
    first, *others = [f"| {' | '.join(row)} |" for row in texts]
    lines = [first, "|:--|" + "--:|" * len(found.values), *others, ""]
    lines += [LEGEND, ""] if threads else []
    lines += [f"- {one}" for one in [*notes(found), *table.machine_notes(found.results[0])]]
    return "\n".join([f"**{heading(found)}**", "", *lines]) + "\n"


def for_terminal(found, width):
    """Return the same table as rich renders it; what does not fit into `width` goes below."""
    threads = found.over == "threads"
    texts = gains(found) if threads else rows(found)
    title = ("" if threads else f"Time per mask over {TITLES[found.over]}: ") + heading(found)
    values, tables, start = found.values, [], 0
    while start < len(values):
        stop = len(values)
        while stop > start + 1 and table.width_of(_columns(found, texts, start, stop)) > width:
            stop -= 1
        tables.append(_columns(found, texts, start, stop))
        start = stop
    return Group(title, *tables, *([LEGEND] if threads else []))


def _columns(found, rows, start, stop):
    """Return a table of the values from `start` to before `stop`, of the rows that have any."""
    headings = map(str, found.values[start:stop])
    numbers = [Column(heading, justify="right", no_wrap=True) for heading in headings]
    shown = Table(Column(found.over, no_wrap=True), *numbers)
    for key, *texts in rows:
        if any(texts[start:stop]):
            shown.add_row(key, *texts[start:stop])
    return shown


def notes(found):
    """Return fitted cost models in words, and over threads Amdahl's law."""
    busy = doubts.busy_before(found.results[0])
    doubt = [busy] if busy else []
    if found.over == "threads":
        laws = [law(key, fitted) for key, fitted in amdahl.of_sweep(found).items()]
        return [*doubt, *laws, disturbed(found)] if laws else doubt
    return [*doubt, *(fitted(key, one) for key, one in fit.of_sweep(found.results).items())]


def fitted(key, model):
    """Return a rung's fitted cost model in words."""
    terms = (
        f"{figures.seconds(seconds)} per {EACH.get(name, name)}"
        for name, seconds in model.seconds.items()
        if seconds
    )
    return f"{key}, fitted to {model.samples} values: {', '.join(terms)}."


def law(key, fit):
    """Return Amdahl's law of a rung in words."""
    if held(fit):
        return f"{key}: {held(fit)}"
    interval = f" ({share_interval(fit)})" if fit.share_ci95 else ""
    text = f"{key}: {percent(fit.share)} of one thread's time is serial{interval}, by Amdahl's law"
    if fit.exact:
        return f"{text}, estimated from two counts of threads, which cannot contradict it."
    return f"{text}, fitted to {len(fit.counts)} counts of threads within {percent(fit.deviation)}."


def disturbed(found):
    """Say how often something else held a core: threads that wait for it look like serial work."""
    probes = sum(result.yardstick.probes for result in found.results)
    slowed = sum(result.yardstick.probes_slowed for result in found.results)
    if not probes:
        return "No probe watched whether something else held the cores."
    return (
        f"The probe was slowed {slowed} of {probes} times: while something else holds a core, "
        "threads wait for it, and the wait counts as serial."
    )


def held(fit):
    """Say which term of Amdahl's law would be negative, and was held at zero; or nothing."""
    if fit.superlinear:
        return "faster with more threads than Amdahl's law allows; its serial part is held at zero."
    if fit.parallel_s == 0:
        return "no faster with more threads; the part that they share is held at zero."
    return ""


def share_interval(fit):
    """Write the interval of a serial share."""
    return "–".join(map(percent, fit.share_ci95)) if fit.share_ci95 else ""


def percent(part):
    """Write a part of one: 12.3 %."""
    return f"{100 * part:.1f} %"
