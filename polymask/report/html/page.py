"""The page put together: results in, one HTML file out."""

from importlib import resources

from polymask import saving
from polymask.bench import result as records
from polymask.contract import Unavailable
from polymask.report import compare, curves, numbers, origin, side_by_side, table
from polymask.report.html import bars, limits, lines, neighbours, polygon, race, rows

FOLDER = resources.files("polymask.report.html")
MOST_WORKS = 4  # named in the title


def write(found, file):
    """Write the page of results.

    Parameters
    ----------
    found : sequence of results.Named
        Results and sweeps, in the order in which the page shows them.
    file : str or Path

    Raises
    ------
    Unavailable
        If Jinja is not installed.
    """
    saving.write(file, page(found))


def page(found):
    """Return the page of results as HTML; the same results give the same bytes."""
    pages = environment()
    singles = [one for one in found if "sweep" not in one.result]
    sweeps = [one for one in found if "sweep" in one.result]
    others = {place for _, place in compare.pairs([one.result for one in singles])}
    whole = [one for place, one in enumerate(singles) if place not in others]
    return pages.get_template("page.jinja").render(
        title=_title(found),
        names=list(dict.fromkeys(one.name for one in found)),
        reports=_reports(whole),
        pairs=side_by_side.pairs(singles),
        sweeps=[_sweep(one) for one in sweeps],
        style=_text("style.css"),
        scripts=[_text("sort.js"), _text("race.js")],
    )


def environment():
    """Return where templates come from; raise `Unavailable` if Jinja is not installed."""
    try:
        import jinja2
    except ImportError:
        raise Unavailable(
            "no page, as Jinja is not installed", "pip install 'polymask[bench]'"
        ) from None
    made = jinja2.Environment(
        loader=jinja2.FunctionLoader(_text),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["code"] = _code
    return made


def _code(text):
    """Mark what stands between backticks up as code, as Markdown does; the rest is escaped."""
    from markupsafe import Markup

    plain, *marked = text.split("`")
    if len(marked) % 2:  # a backtick of its own
        return text
    found = Markup.escape(plain)
    for code, after in zip(marked[::2], marked[1::2], strict=True):
        found += Markup("<code>{}</code>{}").format(code, after)
    return found


def _text(name):
    return (FOLDER / name).read_text(encoding="utf-8")


def _title(found):
    """Say in a line what the page holds: every workload, and every machine."""
    works = list(dict.fromkeys(_work(one.result) for one in found))
    if len(works) > MOST_WORKS:
        works = [f"{len(works)} workloads"]
    measured = [result for one in found for result in one.result.get("results", [one.result])]
    machines = list(dict.fromkeys(map(table.cores, measured)))
    if len(works) == len(machines) == 1:
        return f"{works[0]}, {machines[0]}"
    return "; ".join(works + machines)


def _work(found):
    """Return image and polygon of a result, or from where to where a sweep goes."""
    return curves.work(found) if "sweep" in found else table.work(found)


def _reports(whole):
    """Gather all that the page says of results; one polygon is drawn once."""
    made, drawn = [], {}
    for place, one in enumerate(whole):
        report = _report(one, f"r{place}")
        workload = one.result["workload"]
        first = drawn.setdefault((workload["polygon_sha256"], *workload["shape"]), report["id"])
        made.append(report | {"mask": f"{first}-mask", "drawn": first == report["id"]})
    return made


def _report(one, name):
    """Gather all that the page says of one result."""
    result = one.result
    with_peers = table.with_peers(result)
    timed = any(row["median_s"] for row in result["rows"])
    return {
        "id": name,
        "name": one.name,
        "label": table.work(result),
        "heading": table.heading(result),
        "interrupted": result["interrupted"],
        "timed": timed,
        "with_peers": with_peers,
        "caption": table.caption(result),
        "legend": f"{table.legend(result)} {table.RATIOS}",
        "course": table.work(table.COURSE),
        "ratios": table.RATIOS,
        "notes": table.row_notes(result),
        "table": rows.speedups(result),
        "polygon": polygon.picture(result),
        "workload": origin.workload(result),
        "bars": bars.chart(result),
        # the steps of the ladder, and what holds them back, are no matter of libraries
        "neighbours": None if with_peers else neighbours.chart(result),
        "race": race.race(result),
        "limits": None if with_peers else limits.chart(result),
        "no_limits": "" if with_peers or not timed else limits.missing(result),
        "measured": rows.measured(result),
        "measured_headings": rows.MEASURED,
        "how": _how(result),
        "machine": origin.machine(result),
    }


def _how(result):
    """Say in sentences how the run went, and what the flags mean."""
    found = []
    if result["measured"]:
        seconds, budget = result["measured"]["seconds"], result["measured"]["budget_s"]
        found.append(f"The run took {seconds:.0f} s; the rounds of fast rows had {budget:g} s.")
    else:
        found.append("How long the run took is not recorded.")
    yardstick = result["yardstick"]
    if yardstick["probes"]:
        found.append(
            "A fixed piece of Python's work, the probe, ran "
            f"{numbers.count(yardstick['probes'], 'time')} between samples: "
            f"{1e6 * yardstick['probe_s']:.0f} µs in the median. It was slowed "
            f"{numbers.count(yardstick['probes_slowed'], 'time')}: it then took more than "
            f"{records.SLOWED:g} times as long, as when something else holds the core."
        )
    else:
        found.append("No probe watched the machine.")
    found.append(
        f"Flags: few samples, under five; noisy, a median over {records.NOISY:g} times the least; "
        f"slowed probe, if before more than {100 * records.OFTEN:.0f} % of the row's samples the "
        "probe was slowed."
    )
    return found


def _sweep(one):
    """Gather all that the page says of one sweep."""
    found = one.result
    laws, estimated = lines.laws(found)
    charts = lines.charts(found)
    headings, medians = lines.medians(found)
    first = found["results"][0]
    over = found["sweep"]["over"]
    return {
        "name": one.name,
        "over": over,
        "work": _work(found),
        "machine": table.machine_notes(first),
        "interrupted": any(result["interrupted"] for result in found["results"]),
        "left": any(_keys(result) - _keys(found["results"][-1]) for result in found["results"]),
        "timed": any(row["median_s"] for result in found["results"] for row in result["rows"]),
        "charts": charts,
        "early": any(one.column and not one.leader for chart in charts for one in chart.labels),
        "headings": headings,
        "medians": medians,
        "notes": [] if laws else curves.notes(found),
        "laws": laws,
        "disturbed": curves.disturbed(found),
        "estimated": estimated,
        "faults": _faults(found),
    }


def _keys(result):
    return {row["key"] for row in result["rows"]}


def _faults(found):
    """Say which rows of a sweep have no time, where and why; a curve that ended is no fault."""
    return [
        f"{value}: {row['key']} {row['status']}: {row['reason']}"
        for value, result in zip(found["sweep"]["values"], found["results"], strict=True)
        for row in result["rows"]
        if row["status"] != "ok"
    ]
