"""The page put together: results in, one HTML file out."""

import functools
import re
from importlib import resources

from polymask.bench import summary
from polymask.bench.result import Sweep
from polymask.common import saving
from polymask.contract import Unavailable
from polymask.ladder import registry
from polymask.report import columns, compare, figures, limits, origin, side_by_side, sweeps, table
from polymask.report.charts import curves, drawing, polygon, speedups, two_values
from polymask.report.page import measured, race

FOLDER = resources.files("polymask.report.page")
MOST_WORKS = 4  # named in the title
# What charts show, for those who cannot see them.
BARS = "Speed-ups as bars; the table above has the numbers"
OLD_AND_NEW = "Each rung's time beside the one before; the table below has the numbers"
LEAST_AND_TIME = "Each row's time beside the least; the list below has the numbers"


def write(found, file):
    """Write the page of results and sweeps, each a `results.Named`, in the order that it shows.

    Raises `Unavailable` if Jinja or matplotlib is not installed.
    """
    saving.write(file, page(found))


def page(found):
    """Return the page of results as HTML; the same results give the same bytes."""
    pages = environment()
    singles = [one for one in found if not isinstance(one.result, Sweep)]
    along = [one for one in found if isinstance(one.result, Sweep)]
    others = {place for _, place in compare.pairs([one.result for one in singles])}
    whole = [one for place, one in enumerate(singles) if place not in others]
    return pages.get_template("page.jinja").render(
        title=_title(found),
        names=list(dict.fromkeys(one.name for one in found)),
        reports=_reports(whole),
        pairs=side_by_side.pairs(singles),
        sweeps=[_sweep(one, f"s{place}") for place, one in enumerate(along)],
        style=text("style.css"),
        light=drawing.colours(dark=False),
        dark=drawing.colours(dark=True),
        scripts=[text("sort.js"), text("race.js")],
    )


def environment():
    """Return where templates come from; raise `Unavailable` where the page cannot be made."""
    drawing.need()
    try:
        import jinja2
    except ImportError:
        raise Unavailable(
            "no page, as Jinja is not installed", "pip install 'polymask[bench]'"
        ) from None
    return _templates(jinja2)


@functools.cache  # compiled once
def _templates(jinja2):
    made = jinja2.Environment(
        loader=jinja2.FunctionLoader(text),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["code"] = _code
    made.globals.update(columns=columns, figures=figures, origin=origin, sweeps=sweeps, table=table)
    made.globals.update(BASE=registry.BASE, still=race.still, prices_paid=limits.prices_paid)
    return made


def _code(words):
    """Mark what stands between backticks up as code, as Markdown does; the rest is escaped."""
    from markupsafe import Markup

    escaped = str(Markup.escape(words))
    return Markup(re.sub("`([^`]*)`", r"<code>\1</code>", escaped))


def text(name):
    """Return the text of a file of this room: a template, a stylesheet or a script."""
    return (FOLDER / name).read_text(encoding="utf-8")


def _title(found):
    """Say in a line what the page holds: every workload, and every machine."""
    works, machines = {}, {}  # as ordered sets
    for result in (one.result for one in found):
        along = isinstance(result, Sweep)
        works[(sweeps if along else table).work(result)] = None
        machines |= dict.fromkeys(map(table.cores, result.results if along else [result]))
    works, machines = list(works), list(machines)
    if len(works) > MOST_WORKS:
        works = [f"{len(works)} workloads"]
    if len(works) == len(machines) == 1:
        return f"{works[0]}, {machines[0]}"
    return "; ".join(works + machines)


def _reports(whole):
    """Gather all that the page says of results; one polygon is drawn once."""
    made, drawn = [], {}
    for place, one in enumerate(whole):
        report = _report(one, f"r{place}")
        workload = one.result.workload
        first = drawn.setdefault((workload.polygon_sha256, *workload.shape), report["id"])
        made.append(report | {"mask": f"{first}-mask", "drawn": first == report["id"]})
    return made


def _report(one, name):
    """Gather all that the page says of one result, but for what templates ask it for."""
    result = one.result
    # the steps of the ladder, and what holds them back, are no matter of libraries
    ladder = result.timed if not result.with_peers else {}
    steps, alone = two_values.steps(result) if ladder else ([], [])
    limited = limits.of_result(result) if ladder else {}
    return {
        "id": name,
        "name": one.name,
        "result": result,
        "polygon": _polygon(result, name),
        "bars": _drawn(speedups.draw, result, f"{name}-speedups", BARS) if ladder else "",
        "neighbours": _drawn(two_values.draw_steps, steps, f"{name}-neighbours", OLD_AND_NEW),
        "steps": two_values.steps_table(steps),
        "alone": alone,
        "race": race.race(result),
        "limits": _drawn(two_values.draw_limits, limited, f"{name}-limits", LEAST_AND_TIME),
        "limits_words": [_limits(key, one) for key, one in limited.items()],
        "no_limits": _no_limits(result) if ladder and not limited else "",
        "measured": measured.rows(result, name),
        "how": _how(result),
    }


def _drawn(draw, found, name, label):
    """Return a chart as markup, drawn wide and narrow; nothing where there is nothing to draw."""
    kinds = {"wide": draw(found), "narrow": draw(found, narrow=True)}
    return "\n".join(
        drawing.inline(figure, f"{name}-{kind}", label, kind)
        for kind, figure in kinds.items()
        if figure
    )


def _polygon(result, name):
    """Gather what is drawn and said of the polygon; None for an image without pixels."""
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


def _limits(key, found):
    """Return key, the largest limit and the time, words, and each limit's words."""
    parts = [f"{one.name}, {figures.seconds(one.seconds)}: {limits.why(one)}" for one in found.all]
    return key, two_values.limit_words(found), limits.explanation(found), parts


def _no_limits(result):
    """Say why a result has no limits, and what to do."""
    if 0 in result.workload.shape:
        return "An image without pixels takes no work: nothing limits it."
    if not result.yardstick.prices:
        return (
            "Not told here: this result holds no prices of single operations on its machine. "
            "Measure again with `polymask bench`, which takes them in the same run, once the "
            "modules are built."
        )
    return (
        "Not told here: of no row with a time are both work counted and prices known. Measure "
        "rungs that run on the CPU with `polymask bench`."
    )


def _how(result):
    """Say in sentences how the run went, and what the flags mean."""
    found = []
    if result.seconds is not None and result.budget_s is not None:
        found.append(
            f"The run took {result.seconds:.0f} s; the rounds of fast rows had "
            f"{result.budget_s:g} s."
        )
    else:
        found.append("How long the run took is not recorded.")
    yardstick = result.yardstick
    if yardstick.probes and yardstick.probe_s:
        found.append(
            "A fixed piece of Python's work, the probe, ran "
            f"{figures.count(yardstick.probes, 'time')} between samples: "
            f"{1e6 * yardstick.probe_s:.0f} µs in the median. It was slowed "
            f"{figures.count(yardstick.probes_slowed, 'time')}: it then took more than "
            f"{summary.SLOWED:g} times as long, as when something else holds the core."
        )
    else:
        found.append("No probe watched the machine.")
    found.append(
        f"Flags: few samples, under five; noisy, a median over {summary.NOISY:g} times the least; "
        f"slowed probe, if before more than {100 * summary.OFTEN:.0f} % of the row's samples the "
        "probe was slowed."
    )
    return found


def _sweep(one, name):
    """Gather all that the page says of one sweep, but for what templates ask it for."""
    found = one.result
    laws, remarks, estimated = sweeps.laws(found)
    shown = f"over {found.over}, a curve for each row; the table below has the times"
    if found.over == "threads":
        chart = _drawn(curves.draw_scaling, found, f"{name}-scaling", f"Speed-up {shown}")
    else:
        chart = _drawn(curves.draw, found, f"{name}-curves", f"Time per mask {shown}")
    keys = [{row.key for row in result.rows} for result in found.results]
    return {
        "id": name,
        "name": one.name,
        "result": found,
        "left": any(some - keys[-1] for some in keys),
        "timed": any(row.ok for row in found.rows),
        "chart": chart,
        "medians": sweeps.medians(found),
        "notes": [] if laws.rows else sweeps.notes(found),
        "laws": laws,
        "remarks": remarks,
        "estimated": estimated,
        "faults": [  # a curve that ended is none
            f"{value}: {row.key} {row.status}: {row.reason}"
            for value, result in found.points
            for row in result.rows
            if not row.ok
        ],
    }
