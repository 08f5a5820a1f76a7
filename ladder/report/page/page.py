"""The assembly of the page: results in, one HTML file out."""

import functools
import re
from dataclasses import replace
from importlib import resources

from ladder import registry
from ladder.bench import summary
from ladder.bench.result import Sweep
from ladder.report import columns, explanations, limits, origin, sweeps, table
from ladder.report.charts import curves, drawing, polygon, speedups, two_values
from ladder.report.page import race
from polymask.common import figures, saving
from polymask.contract import Unavailable

FOLDER = resources.files("ladder.report.page")
MOST_WORKS = 4  # named in the title
# Descriptions of charts for screen readers.
BARS = "Bar chart of the speed-ups; the table below has the numbers"
LEAST_AND_TIME = "Time and largest limit of each row; the list below has the numbers"


def write(results, file):
    """Write the page of results and sweeps, each a `results.Named`, in this order.

    Raises `Unavailable` if Jinja or matplotlib is not installed.
    """
    saving.write(file, page(results))


def page(results):
    """Return the page of results as HTML; the same results give the same bytes."""
    pages = environment()
    singles = [entry for entry in results if not isinstance(entry.result, Sweep)]
    along = [entry for entry in results if isinstance(entry.result, Sweep)]
    return pages.get_template("page.jinja").render(
        title=_title(results),
        names=list(dict.fromkeys(entry.name for entry in results)),
        reports=_reports(singles),
        sweeps=[_sweep(entry, f"s{number}") for number, entry in enumerate(along)],
        style=text("style.css"),
        light=drawing.colours(dark=False),
        dark=drawing.colours(dark=True),
        scripts=[text("race.js")],
    )


def environment():
    """Return Jinja's environment; raise `Unavailable` without Jinja or matplotlib."""
    drawing.need()
    try:
        import jinja2
    except ImportError:
        reason = "no page, as Jinja is not installed"
        raise Unavailable(reason, "pip install 'polymask[bench]'") from None
    return _templates(jinja2)


@functools.cache  # compiled once
def _templates(jinja2):
    jinja = jinja2.Environment(
        loader=jinja2.FunctionLoader(text),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    jinja.filters["code"] = _code
    jinja.globals.update(columns=columns, figures=figures, origin=origin, sweeps=sweeps)
    jinja.globals.update(table=table, prices_paid=limits.prices_paid)
    jinja.globals["BASE"] = registry.BASE
    return jinja


def _code(text):
    """Mark text between backticks as code, like Markdown, and escape all text."""
    from markupsafe import Markup

    escaped = str(Markup.escape(text))
    return Markup(re.sub("`([^`]*)`", r"<code>\1</code>", escaped))


def text(name):
    """Return the text of a file in this folder: a template, a stylesheet or a script."""
    return (FOLDER / name).read_text(encoding="utf-8")


def _title(results):
    """Return the workloads and machines of the page on one line."""
    works, machines = {}, {}  # as ordered sets
    for result in (entry.result for entry in results):
        along = isinstance(result, Sweep)
        works[(sweeps if along else table).work(result)] = None
        machines |= dict.fromkeys(map(table.cores, result.results if along else [result]))
    works, machines = list(works), list(machines)
    if len(works) > MOST_WORKS:
        works = [f"{len(works)} workloads"]
    if len(works) == len(machines) == 1:
        return f"{works[0]}, {machines[0]}"
    return "; ".join(works + machines)


def _reports(singles):
    """Gather the reports of the page, and draw each polygon only once."""
    reports, first_reports = [], {}
    for number, entry in enumerate(singles):
        report = _report(entry, f"r{number}")
        workload = entry.result.workload
        first = first_reports.setdefault((workload.polygon_sha256, *workload.shape), report["id"])
        reports.append(report | {"mask": f"{first}-mask", "drawn": first == report["id"]})
    return reports


def _report(entry, name):
    """Gather the parts of a report that templates do not compute from the result."""
    result = entry.result
    # a comparison with other libraries omits the speed-ups of the ladder and its limits
    ladder = result.timed if not result.with_peers else {}
    limited = limits.of_result(result) if ladder else {}
    explained = list(explanations.of_result(result).values()) if ladder else []
    return {
        "id": name,
        "name": entry.name,
        "result": result,
        "polygon": _polygon(result, name),
        "bars": _markup(speedups.draw(result), f"{name}-speedups", BARS) if ladder else "",
        "race": race.race(result),
        "limits": _markup(two_values.draw_limits(limited), f"{name}-limits", LEAST_AND_TIME),
        "explanations": explained,
        "on_device": any(each.on_device for each in explained),
        "no_limits": _no_limits(result) if ladder and not limited else "",
        "how": _how(result),
    }


def _markup(figure, name, label):
    """Return a chart as markup, empty without a figure."""
    return drawing.inline(figure, name, label, "wide") if figure else ""


def _polygon(result, name):
    """Gather the drawing and the facts of the polygon, or None for an image without pixels."""
    if 0 in result.workload.shape:
        return None
    mask, step = polygon.thinned(result)
    label = f"A polygon of {result.workload.vertices} vertices over its mask"
    return {
        "drawing": drawing.inline(polygon.draw(result), f"{name}-polygon", label, "polygon"),
        "png": race.png(mask),
        "step": step,
        "inside": 100 * mask.mean(),
        "arrows": polygon.has_arrows(result),
        "outline": polygon.has_outline(result),
    }


def _no_limits(result):
    """Explain why a result has no limits, with a remedy."""
    if 0 in result.workload.shape:
        return "An image without pixels needs no work, so nothing limits it."
    if not result.yardstick.prices:
        return (
            "No limits: this result has no prices of single operations on its machine. Build the "
            "modules and measure again with `polymask bench`, which measures prices as well."
        )
    return (
        "No limits: no row with a time has both counted work and known prices. Measure rungs that "
        "run on the CPU with `polymask bench`."
    )


def _how(result):
    """Describe the run, and explain the flags."""
    sentences = []
    if result.seconds is not None and result.budget_s is not None:
        sentences.append(
            f"The run took {result.seconds:.0f} s. The rounds of fast rows were limited to "
            f"{result.budget_s:g} s."
        )
    else:
        sentences.append("The duration of the run was not recorded.")
    yardstick = result.yardstick
    if yardstick.probes and yardstick.probe_s:
        sentences.append(
            "The probe, a fixed piece of Python code, ran "
            f"{figures.count(yardstick.probes, 'time')} between samples, with a median of "
            f"{1e6 * yardstick.probe_s:.0f} µs. It was slowed "
            f"{figures.count(yardstick.probes_slowed, 'time')}: it took more than "
            f"{summary.SLOWED:g} times as long, as if another program held the core."
        )
    else:
        sentences.append("No probe ran on the machine.")
    sentences.append(
        "Flags: few samples, fewer than five; noisy, a median over "
        f"{summary.NOISY:g} times the minimum; slowed probe, a probe that was slowed before more "
        f"than {100 * summary.OFTEN:.0f} % of the row's samples."
    )
    return sentences


def _sweep(entry, name):
    """Gather the parts of a sweep that templates do not compute from it."""
    sweep = entry.result
    label = f"over {sweep.over}, a curve for each row; the table below has the times"
    if sweep.over == "threads":
        chart = _markup(curves.draw_scaling(sweep), f"{name}-scaling", f"Speed-up {label}")
    else:
        chart = _markup(curves.draw(sweep), f"{name}-curves", f"Time per mask {label}")
    return {
        "id": name,
        "name": entry.name,
        "result": sweep,
        "timed": any(row.ok for row in sweep.rows),
        "chart": chart,
        "medians": replace(sweeps.as_table(sweep), title=f"Medians over {sweep.over}"),
        "notes": sweeps.notes(sweep),
        "faults": [  # the end of a curve is not a fault
            f"{value}: {row.key} {row.status}: {row.reason}"
            for value, result in sweep.points
            for row in result.rows
            if not row.ok
        ],
    }
