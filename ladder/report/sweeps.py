"""Sweeps as tables and sentences: medians, the fitted cost model, and the gain from threads."""

from dataclasses import replace

from rich.console import Group

from ladder.cost import amdahl, fit, scaling
from ladder.report import caveats, table, text_table
from polymask.common import figures

TITLES = {"size": "rows and columns of the image", "vertices": "vertices", "threads": "threads"}
LEGEND = "In brackets: the speed-up over the first column."
EACH = {"once": "call", "pixels": "pixel", "crossings": "crossing"}


def series(sweep):
    """Map each key to its points, (value, seconds), in the order of the table; memset is last."""
    curves = {}
    for value, measured in sweep.points:
        for row in measured.rows:
            if row.ok:
                curves.setdefault(row.key, []).append((value, row.median_s))
        if seconds := measured.yardstick.memset_fresh_s:
            curves.setdefault("memset", []).append((value, seconds))
    curves["memset"] = curves.pop("memset", [])
    return curves


def heading(sweep):
    """Return the work and the machine of a sweep on one line."""
    return f"{work(sweep)}, {table.cores(sweep.results[0])}"


def work(sweep):
    """Return the image and the polygon of a sweep, and its range."""
    over, values = sweep.over, sweep.values
    first, last = sweep.results[0], sweep.results[-1]
    if len(values) == 1 and over != "threads":
        return table.work(first)
    if over == "size":
        return f"{table.image(first)} to {table.image(last)} pixels, {table.polygon(first)}"
    if over == "vertices":
        return f"{table.image(first)} pixels, {values[0]} to {table.polygon(last)}"
    threads = figures.count(values[-1], "thread")
    return f"{table.work(first)}, {f'{values[0]} to ' if len(values) > 1 else ''}{threads}"


def rows(sweep):
    """Return the rows of medians: the key, then a text for each value."""
    curves = {key: dict(points) for key, points in series(sweep).items()}
    return [
        (key, *(figures.seconds(times.get(value)) for value in sweep.values))
        for key, times in curves.items()
    ]


def as_table(sweep):
    """Return the medians as a table with a column for each value, over threads with speed-ups."""
    texts = rows(sweep)
    if sweep.over == "threads":
        texts = []
        for key, points in scaling.speedups(sweep).items():
            cells = dict.fromkeys(sweep.values, "")
            for point in points:
                gain = f" ({figures.digits(point.speedup)})" if point.speedup != 1.0 else ""
                cells[point.threads] = figures.seconds(point.seconds) + gain
            texts.append((key, *cells.values()))
    return text_table.make("", (sweep.over, *map(str, sweep.values)), 1, texts)


def markdown(sweep):
    """Return the table and notes."""
    lines = [f"**{heading(sweep)}**", "", *text_table.markdown(as_table(sweep)), ""]
    lines += [LEGEND, ""] if sweep.over == "threads" else []
    lines += [f"- {note}" for note in [*notes(sweep), *table.machine_notes(sweep.results[0])]]
    return "\n".join(lines) + "\n"


def for_terminal(sweep, width):
    """Return the table for rich in parts that fit into `width`."""
    whole, parts, start = as_table(sweep), [], 1
    end = len(whole.columns)
    while start < end:
        for stop in range(end, start, -1):
            part = whole.part([0, *range(start, stop)])
            part = replace(part, rows=[row for row in part.rows if any(row[1:])])
            rendered = text_table.for_terminal(part)
            if text_table.width_of(rendered) <= width:
                break
        parts.append(rendered)
        start = stop
    threads = sweep.over == "threads"
    title = ("" if threads else f"Time per mask over {TITLES[sweep.over]}: ") + heading(sweep)
    return Group(title, *parts, *([LEGEND] if threads else []))


def notes(sweep):
    """Return sentences on the fitted cost models or, over threads, on Amdahl's law."""
    busy = caveats.busy_before(sweep.results[0])
    doubt = [busy] if busy else []
    if sweep.over == "threads":
        laws = [law(key, fitted) for key, fitted in amdahl.of_sweep(sweep).items()]
        return [*doubt, *laws, disturbed(sweep)] if laws else doubt
    return [*doubt, *(fitted(key, model) for key, model in fit.of_sweep(sweep.results).items())]


def fitted(key, model):
    """Describe a rung's fitted cost model."""
    terms = (
        f"{figures.seconds(seconds)} per {EACH.get(name, name)}"
        for name, seconds in model.seconds.items()
        if seconds
    )
    return f"{key}, fitted to {model.samples} values: {', '.join(terms)}."


def law(key, fit):
    """Describe the fit of Amdahl's law to a rung."""
    if remark := zero_term(fit):
        return f"{key}: {remark}"
    interval = f" ({'–'.join(map(percent, fit.share_ci95))})" if fit.share_ci95 else ""
    text = f"{key}: {percent(fit.share)} of one thread's time is serial{interval}, by Amdahl's law"
    if fit.exact:
        return f"{text}, estimated from two counts of threads, which cannot contradict it."
    return f"{text}, fitted to {len(fit.counts)} counts of threads within {percent(fit.deviation)}."


def disturbed(sweep):
    """Describe how often other programs held a core: waits for it look like serial work."""
    probes = sum(result.yardstick.probes for result in sweep.results)
    slowed = sum(result.yardstick.probes_slowed for result in sweep.results)
    if not probes:
        return "No probe measured whether other programs held the cores."
    return (
        f"The probe was slowed {slowed} of {probes} times. While another program holds a core, "
        "threads wait for it, and the wait counts as serial."
    )


def zero_term(fit):
    """Describe the term of Amdahl's law that is zero because it would be negative, if any."""
    if fit.superlinear:
        return "faster with more threads than Amdahl's law allows; its serial part is set to zero."
    if fit.parallel_s == 0:
        return "no faster with more threads; its parallel part is set to zero."
    return ""


def percent(part):
    """Write a part of one: 12.3 %."""
    return f"{100 * part:.1f} %"
