"""Sweeps as tables and in words: the medians, the fitted cost model; the gain from threads."""

from dataclasses import replace

from rich.console import Group

from polymask.cost import amdahl, fit, scaling
from polymask.report import caveats, figures, table, tables

TITLES = {"size": "rows and columns of the image", "vertices": "vertices", "threads": "threads"}
MOST_COLUMNS = 12  # of a table on paper
LAWS = ("row", "serial share", "95 %", "serial", "parallel", "at most × one thread")
LAWS += ("farthest from the law",)
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


def as_table(found):
    """Return the medians as a table, a column a value; over threads with speed-ups."""
    texts = rows(found)
    if found.over == "threads":
        texts = []
        for key, points in scaling.speedups(found).items():
            here = dict.fromkeys(found.values, "")
            for one in points:
                gain = f" ({figures.digits(one.speedup)})" if one.speedup != 1.0 else ""
                here[one.threads] = figures.seconds(one.seconds) + gain
            texts.append((key, *here.values()))
    return tables.table("", (found.over, *map(str, found.values)), 1, texts)


def medians(found):
    """Return the table of medians as paper has room for it: many values are a row each."""
    texts = [(found.over, *map(str, found.values)), *rows(found)]
    if len(found.values) > MOST_COLUMNS and len(texts) < len(found.values):
        texts = list(zip(*texts, strict=True))
    return tables.table(f"Medians over {found.over}", texts[0], 1, texts[1:])


def laws(found):
    """Return Amdahl's laws of a sweep over threads: a table, remarks, a doubt.

    The doubt: whether they are but estimates, of two counts.
    """
    fits = amdahl.of_sweep(found) if found.over == "threads" else {}
    estimated = any(one.exact for one in fits.values())
    texts, remarks = [], []
    for key, one in fits.items():
        remark = held(one)  # then the share, and what follows from it, were not fitted
        remarks += [f"{key}: {remark}"] if remark else []
        texts.append(
            (
                key,
                "" if remark else percent(one.share),
                "" if remark else share_interval(one),
                figures.seconds(one.serial_s) if one.serial_s else "0",
                figures.seconds(one.parallel_s) if one.parallel_s else "0",
                "" if remark or not one.share else figures.digits(1 / one.share, 2),
                "" if one.exact else percent(one.deviation),
            )
        )
    title = f"Amdahl’s law, {'estimated' if estimated else 'fitted'}"
    return tables.table(title, LAWS, 1, texts), remarks, estimated


def markdown(found):
    """Return the table and notes."""
    lines = [f"**{heading(found)}**", "", *tables.markdown(as_table(found)), ""]
    lines += [LEGEND, ""] if found.over == "threads" else []
    lines += [f"- {one}" for one in [*notes(found), *table.machine_notes(found.results[0])]]
    return "\n".join(lines) + "\n"


def for_terminal(found, width):
    """Return the same table as rich renders it; what does not fit into `width` goes below."""
    whole, parts, start = as_table(found), [], 1
    end = len(whole.columns)
    while start < end:
        for stop in range(end, start, -1):
            part = whole.part([0, *range(start, stop)])
            part = replace(part, rows=[row for row in part.rows if any(row[1:])])
            made = tables.for_terminal(part)
            if tables.width_of(made) <= width:
                break
        parts.append(made)
        start = stop
    threads = found.over == "threads"
    title = ("" if threads else f"Time per mask over {TITLES[found.over]}: ") + heading(found)
    return Group(title, *parts, *([LEGEND] if threads else []))


def notes(found):
    """Return fitted cost models in words, and over threads Amdahl's law."""
    busy = caveats.busy_before(found.results[0])
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
