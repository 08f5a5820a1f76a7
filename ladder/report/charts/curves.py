"""A sweep as labelled curves: times, or speed-ups over threads."""

import zlib

from ladder import registry
from ladder.bench.result import API_FRESH, API_OUT
from ladder.cost import amdahl, scaling
from ladder.report import sweeps
from ladder.report.charts import drawing
from polymask.common import figures

DASHES = ("-", "--", "-.", ":", (0, (7, 1, 1, 1, 1, 1)))  # with seven colours, 35 curves
REFERENCE = "reference.numba"  # the plain loop with Numba in results of November 2026
YARDSTICK = ("grey", ":")
LEFT, TOP, BOTTOM = 62, 26, 46  # room around the curves, pixels
LINE = 15  # height of a key, pixels


def look(key):
    """Return the colour and the dash of a row's curve: the same in every chart.

    Neighbours in the registry differ in both, so they can be told apart even in shades of grey.
    """
    if key == "memset":
        return YARDSTICK
    order = [rung.key for rung in registry.RUNGS]
    order += [API_FRESH, API_OUT, REFERENCE]
    # other libraries, and rungs from another version, are not in the order
    number = order.index(key) if key in order else zlib.crc32(key.encode())
    return drawing.OF_ROWS[number % len(drawing.OF_ROWS)], DASHES[number % len(DASHES)]


def line(axes, key, x, y):
    """Draw the curve of a row."""
    colour, dash = look(key)
    looks = {"color": drawing.LIGHT[colour], "markersize": 4, "linewidth": 1.6, "linestyle": dash}
    return axes.plot(x, y, marker="o", gid=f"curve-{key}", **looks)[0]


def frame(sweep, keys, title):
    """Return a figure and its axes, with room at the right for the keys of curves."""
    height = max(560, LINE * len(keys) + TOP + BOTTOM)
    figure = drawing.figure(drawing.WIDE, height)
    room = 70 + max(drawing.width(key, drawing.SIZE - 1) for key in keys)  # for `keys_at_right`
    axes = drawing.axes(figure, LEFT, room, TOP, BOTTOM)
    axes.set_xlabel(sweeps.TITLES[sweep.over])
    axes.grid()
    drawing.title(figure, f"{title}: {sweeps.heading(sweep)}")
    return figure, axes


def ticks(axes, values):
    """Put ticks at the measured values, and omit labels that would touch others."""
    texts, free = [], float("-inf")
    for value in values:
        x, _ = axes.transData.transform((value, 1))
        half = drawing.width(str(value), 11) / 2
        texts.append(str(value) if x - half > free else "")
        free = x + half + 7 if texts[-1] else free
    axes.set_xticks(values, texts)
    axes.set_xticks([], minor=True)


@drawing.chart
def draw(sweep):
    """Draw the time of each row along a sweep; return None if no row has a time."""
    series = {key: points for key, points in sweeps.series(sweep).items() if points}
    if not series:
        return None
    figure, axes = frame(sweep, series, "time per mask")
    axes.set(xscale="log", yscale="log")
    curves = {key: line(axes, key, *zip(*points, strict=True)) for key, points in series.items()}
    drawing.decades(axes.yaxis, figures.seconds_tick)
    ticks(axes, sweep.values)
    drawing.keys_at_right(axes, curves)
    return figure


@drawing.chart
def draw_scaling(sweep):
    """Draw the speed-up of each rung over the number of threads; return None without times.

    Thin lines are Amdahl's law, if it was fitted to more than two counts of threads.
    """
    scaled, values = scaling.speedups(sweep), sweep.values
    if not scaled:
        return None
    first, last = values[0], values[-1]
    laws = {key: law for key, law in amdahl.of_sweep(sweep).items() if not law.exact}
    figure, axes = frame(sweep, [*scaled, "ideal"], "speed-up over threads")
    axes.set_ylabel(f"times as fast as with {figures.count(first, 'thread')}")
    grey = drawing.LIGHT["grey"]
    curves = {"ideal": axes.plot([first, last], [1, last / first], "--", color=grey)[0]}
    for key, points in scaled.items():
        x, y = [point.threads for point in points], [point.speedup for point in points]
        curves[key] = line(axes, key, x, y)
        colour = curves[key].get_color()
        for point in points:
            if point.ci95:
                axes.plot([point.threads] * 2, point.ci95, color=colour, linewidth=4, alpha=0.5)
        if key in laws:
            law = [points[0].seconds / laws[key].at(count) for count in x]
            axes.plot(x, law, color=colour, linewidth=0.8, gid=f"law-{key}")
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(lambda value, _: figures.stated(value))
    ticks(axes, values)
    drawing.keys_at_right(axes, curves)
    return figure
