"""A sweep over threads: how many times as fast each rung is with more of them."""

from dataclasses import dataclass

from polymask.bench import stats
from polymask.report import curves, numbers, plot

LEGEND = "In brackets: how many times as fast as in the first column."
IDEAL = "#666666"
GAP = 1 / 18  # of the axis: the height of a label, and a little


@dataclass(frozen=True)
class Point:
    """One rung with one number of threads.

    Attributes
    ----------
    threads : int
    seconds : float
        The median.
    speedup : float
        Median over median, against the sweep's first number of threads.
    ci95 : tuple of float or None
        Its bootstrap interval; None for the first, and with fewer than five samples.
    """

    threads: int
    seconds: float
    speedup: float
    ci95: tuple[float, float] | None


def speedups(found):
    """Return key to its points, in the order of the table; rungs without a first one are left out.

    Parameters
    ----------
    found : dict
        A sweep over threads.

    Returns
    -------
    dict of str to list of Point
    """
    first, scaled = {}, {}
    for threads, measured in zip(found["sweep"]["values"], found["results"], strict=True):
        for row in measured["rows"]:
            if row["kind"] != "rung" or not row["median_s"]:
                continue
            if threads == found["sweep"]["values"][0]:
                first[row["key"]] = row["samples_s"]
            if row["key"] in first:
                gain = _gain(first[row["key"]], row["samples_s"])
                point = Point(threads, row["median_s"], *gain)
                scaled.setdefault(row["key"], []).append(point)
    return scaled


def _gain(one, more):
    """Return the ratio of two medians, as Amdahl's law is fitted to medians, and its interval."""
    value = stats.median(one) / stats.median(more)
    if one is more or min(len(one), len(more)) < stats.ENOUGH:
        return value, None
    medians = stats.resampled_medians([one, more])
    return value, stats.percentiles(medians[:, 0] / medians[:, 1])


def heading(found):
    """Return what was measured, in a line."""
    return curves.heading(found)


def rows(found):
    """Return the table's rows: the key, then for each number of threads the time and speed-up."""
    texts = []
    for key, points in speedups(found).items():
        here = {point.threads: _text(point) for point in points}
        texts.append((key, *(here.get(value, "") for value in found["sweep"]["values"])))
    return texts


def _text(point):
    time = numbers.seconds(point.seconds)
    return time if point.speedup == 1.0 else f"{time} ({numbers.digits(point.speedup)})"


def markdown(found):
    """Return times and speed-ups as a table, a column for each number of threads, and the notes."""
    values = found["sweep"]["values"]
    lines = [f"**{heading(found)}**", "", "| threads | " + " | ".join(map(str, values)) + " |"]
    lines.append("|:--|" + "--:|" * len(values))
    lines += ["| " + " | ".join(row) + " |" for row in rows(found)]
    return "\n".join([*lines, "", LEGEND, "", *(f"- {one}" for one in notes(found))]) + "\n"


def for_terminal(found, width):
    """Return the same for the terminal."""
    return curves.in_width(heading(found), found, rows(found), width, caption=LEGEND)


def notes(found):
    """Return what a reader must know besides: Amdahl's law, and what was disturbed."""
    return curves.notes(found)


def draw(found, stem, formats=("png", "svg")):
    """Draw the speed-up of each rung over the number of threads, beside the ideal one.

    Returns
    -------
    list of Path
        The files; empty where no rung has a time.
    """
    plt = plot.pyplot()
    scaled, values = speedups(found), found["sweep"]["values"]
    if not scaled:
        return []
    first, last = values[0], values[-1]
    figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    axes.plot([first, last], [1, last / first], "--", color=IDEAL, linewidth=1.2)
    ends = [(last / first, "ideal", IDEAL)]
    for key, points in scaled.items():
        colour, dash = curves.style(key)
        x, y = [point.threads for point in points], [point.speedup for point in points]
        axes.plot(x, y, dash, marker="o", markersize=4, color=colour, linewidth=1.4)
        for point in points:
            if point.ci95:
                axes.plot([point.threads] * 2, point.ci95, color=colour, linewidth=3, alpha=0.35)
        ends.append((y[-1], key, colour))
    axes.set_xlabel("threads")
    axes.set_ylabel(f"times as fast as with {numbers.count(first, 'thread')}")
    axes.set_title(f"speed-up over threads\n{heading(found)}", loc="left", fontsize=10)
    axes.xaxis.set_major_locator(plt.MaxNLocator(integer=True))
    axes.set_xlim(first - 0.05 * (last - first), last + max(0.35 * (last - first), 0.5))
    axes.set_ylim(bottom=0)
    _label(axes, last, ends)
    axes.grid(visible=True, linewidth=0.3)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    files = plot.save(figure, stem, formats)
    plt.close(figure)
    return files


def _label(axes, last, ends):
    """Write each key beside the end of its line, moved up where two would lie on each other."""
    left, right = axes.get_xlim()
    axes.set_ylim(top=max(axes.get_ylim()[1], 1.05 * max(y for y, *_ in ends)))
    gap, place = GAP * axes.get_ylim()[1], -1.0
    for y, key, colour in sorted(ends):
        place = max(y, place + gap)
        axes.annotate(
            key,
            (last, y),
            (last + 0.05 * (right - left), place),
            va="center",
            fontsize=8,
            color=colour,
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.4, "shrinkB": 3},
        )
