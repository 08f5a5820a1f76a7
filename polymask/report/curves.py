"""Sweeps as curves on logarithmic axes, each labelled on the line, the yardstick drawn in."""

import zlib

from rich.console import Group
from rich.table import Table

from polymask import rungs
from polymask.bench import references
from polymask.report import amdahl, doubts, numbers, plot, table

TITLES = {"size": "rows and columns of the image", "vertices": "vertices", "threads": "threads"}
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
DASHES = ("-", "--", "-.", ":")
YARDSTICK = ("#666666", ":")


def style(key):
    """Return the colour and the dash of a row's curve: the same in every chart.

    Neighbours in the registry's order differ by both: in grey, too, they are told apart.
    """
    if key == "memset":
        return YARDSTICK
    order = [rung.key for rung in rungs.RUNGS]
    order += [references.NUMBA, references.API_FRESH, references.API_OUT]
    # other libraries, and rungs of another version, have no place in the order
    number = order.index(key) if key in order else zlib.crc32(key.encode())
    return COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]


def series(found):
    """Return key to its points, (value, seconds), in the order of the table; memset last."""
    curves = {}
    for value, measured in zip(found["sweep"]["values"], found["results"], strict=True):
        for row in measured["rows"]:
            if row["median_s"]:
                curves.setdefault(row["key"], []).append((value, row["median_s"]))
        yardstick = measured["yardstick"]["memset_fresh_s"]
        if yardstick:
            curves.setdefault("memset", []).append((value, yardstick))
    curves["memset"] = curves.pop("memset", [])
    return curves


def heading(found):
    """Return what was measured along a sweep, in a line."""
    return f"{work(found)}, {table.cores(found['results'][0])}"


def work(found):
    """Return the image and the polygon of a sweep, and from where to where it goes."""
    over, values = found["sweep"]["over"], found["sweep"]["values"]
    first, last = found["results"][0], found["results"][-1]
    if len(values) == 1 and over != "threads":
        return table.work(first)
    if over == "size":
        return f"{table.image(first)} to {table.image(last)} pixels, {table.polygon(first)}"
    if over == "vertices":
        return f"{table.image(first)} pixels, {values[0]} to {table.polygon(last)}"
    threads = numbers.count(values[-1], "thread")
    return f"{table.work(first)}, {f'{values[0]} to ' if len(values) > 1 else ''}{threads}"


def markdown(found):
    """Return the medians as a table, a column a value, and the fitted cost model."""
    over, values = found["sweep"]["over"], found["sweep"]["values"]
    lines = [f"**{heading(found)}**", "", f"| {over} | " + " | ".join(map(str, values)) + " |"]
    lines.append("|:--|" + "--:|" * len(values))
    for key, points in series(found).items():
        times = dict(points)
        texts = [numbers.seconds(times.get(value)) for value in values]
        lines.append(f"| {key} | " + " | ".join(texts) + " |")
    return "\n".join([*lines, "", *(f"- {note}" for note in notes(found))]) + "\n"


def for_terminal(found, width):
    """Return the medians as a table for the terminal."""
    rows = []
    for key, points in series(found).items():
        times = dict(points)
        texts = [numbers.seconds(times.get(value)) for value in found["sweep"]["values"]]
        rows.append((key, *texts))
    title = f"Time per mask over {TITLES[found['sweep']['over']]}: {heading(found)}"
    return in_width(title, found, rows, width)


def in_width(title, found, rows, width, caption=None):
    """Return rows of a key and a text a value as rich renders them.

    Columns that do not fit into `width` go into tables below.
    """
    values, tables, start = found["sweep"]["values"], [], 0
    while start < len(values):
        stop = len(values)
        while stop > start + 1 and table.width_of(_columns(found, rows, start, stop)) > width:
            stop -= 1
        tables.append(_columns(found, rows, start, stop))
        start = stop
    return Group(title, *tables, *([caption] if caption else []))


def _columns(found, rows, start, stop):
    """Return a table of the values from `start` to before `stop`, of the rows that have any."""
    shown = Table()
    shown.add_column(found["sweep"]["over"], no_wrap=True)
    for value in found["sweep"]["values"][start:stop]:
        shown.add_column(str(value), justify="right", no_wrap=True)
    for key, *texts in rows:
        if any(texts[start:stop]):
            shown.add_row(key, *texts[start:stop])
    return shown


def notes(found):
    """Return the fit of the engine's cost model in words, and over threads Amdahl's law."""
    fit = found["sweep"]["fit"]
    busy = doubts.busy_before(found["results"][0])
    doubt = [busy] if busy else []
    if found["sweep"]["over"] == "threads":
        laws = [law(key, fitted) for key, fitted in amdahl.of_sweep(found).items()]
        return [*doubt, *laws, disturbed(found)] if laws else doubt
    if not fit:
        return doubt
    words = {"call_s": "per call", "pixel_s": "per pixel", "crossing_s": "per crossing"}
    terms = [
        f"{numbers.seconds(fit[name])} {text}" for name, text in words.items() if fit.get(name)
    ]
    return [
        *doubt,
        f"scanline.engine, one thread, fitted to {fit['samples']} values: {', '.join(terms)}.",
    ]


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
    taken = [result["yardstick"] for result in found["results"]]
    probes, slowed = (sum(one[name] or 0 for one in taken) for name in ("probes", "probes_slowed"))
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


def draw(found, stem, formats=("png", "svg")):
    """Draw the curves of a sweep; return the files."""
    plt = plot.pyplot()
    figure, axes = plt.subplots(figsize=(9, 6.5), layout="constrained")
    ends = []
    for key, points in series(found).items():
        if not points:
            continue
        x, y = zip(*points, strict=True)
        colour, dash = style(key)
        axes.plot(x, y, dash, marker="o", markersize=3, color=colour, linewidth=1.4)
        ends.append((x[-1], y[-1], key, colour))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(TITLES[found["sweep"]["over"]])
    axes.set_ylabel("time per mask")
    axes.set_title(
        f"time of one mask, each into a new array\n{heading(found)}", loc="left", fontsize=10
    )
    low, high = axes.get_xlim()
    axes.set_xlim(low, high * (high / low) ** 0.28)
    values = found["sweep"]["values"]  # ticks where something was measured, and nowhere else
    axes.set_xticks(values, [f"{value:,}".replace(",", " ") for value in values])
    axes.set_xticks([], minor=True)
    axes.yaxis.set_major_formatter(lambda value, _: numbers.seconds(value, "{:g}".format))
    _label(axes, ends)
    axes.grid(visible=True, which="major", linewidth=0.3)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    files = plot.save(figure, stem, formats)
    plt.close(figure)
    return files


def _label(axes, ends):
    """Write each key beside the end of its line, moved up where two would lie on each other."""
    for _ in range(2):  # labels that are moved need room, and the room makes them larger
        placed = _places(axes, ends)
        low, high = axes.get_ylim()
        axes.set_ylim(low, max(high, 1.3 * max(y for _, y, *_ in placed)))
    for at, place, x, y, key, colour in placed:
        axes.annotate(
            key,
            (x, y),
            (at, place),
            va="center",
            fontsize=8,
            color=colour,
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.4, "shrinkB": 2},
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.4},  # over other lines
        )


def _places(axes, ends):
    """Return where each label goes, (x, y), and the end of its line, from below upwards."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    gap = (high / low) ** (1 / 36)  # the height of the text, and a little
    width = (right / left) ** 0.17  # about its length
    last = max(x for x, *_ in ends)
    placed = []
    for x, y, key, colour in sorted(ends, key=lambda end: end[1]):
        # beside all lines, or within the picture where a line ended early
        at = last * (right / last) ** 0.35 if x == last else x * (right / left) ** 0.03
        place = y
        for start, other, *_ in sorted(placed, key=lambda one: one[1]):
            beside = at < start * width and start < at * width
            if beside and other / gap < place < other * gap:
                place = other * gap
        placed.append((at, place, x, y, key, colour))
    return placed
