"""The speed-ups as bars on a logarithmic axis, the course's beside ours; PNG and SVG."""

import sys
from pathlib import Path

from polymask import rungs, saving
from polymask.contract import Unavailable
from polymask.report import numbers, table

OURS, COURSE = "#0072b2", "#e69f00"  # told apart by the colour-blind, and by hatching in grey


def pyplot():
    """Import matplotlib for drawing into files, so that the same data make the same bytes."""
    try:
        import matplotlib as mpl
    except ImportError:
        raise Unavailable(
            "no plot, as matplotlib is not installed", "pip install 'polymask[bench]'"
        ) from None
    if "matplotlib.pyplot" not in sys.modules:  # a notebook that draws already goes on to show it
        mpl.use("Agg")
    mpl.rcParams.update({"svg.hashsalt": "polymask", "font.size": 10})
    import matplotlib.pyplot as plt

    return plt


def save(figure, stem, formats):
    """Write the figure as `stem`.png and so on; return the files."""
    files = [Path(f"{stem}.{extension}") for extension in formats]
    for file in files:
        # no date and no version inside: made twice, it is the same file
        metadata = {"Date": None, "Creator": None} if file.suffix == ".svg" else {"Software": None}
        with saving.replacing(file) as unfinished:
            figure.savefig(unfinished, dpi=150, metadata=metadata, facecolor="white")
    return files


def speedups(result, stem, formats=("png", "svg")):
    """Draw the speed-ups of a result.

    Parameters
    ----------
    result : dict
        As the driver returns it.
    stem : str or Path
        The files' name without extension.

    Returns
    -------
    list of Path
        The files; empty where no row has a speed-up.

    Raises
    ------
    Unavailable
        If matplotlib is not installed.
    """
    plt = pyplot()
    rows = [row for row in result["rows"] if row["speedup"]]
    if not rows:
        return []
    base = table.base_samples(result)
    height = 0.4
    figure, axes = plt.subplots(figsize=(8, 1.2 + 0.42 * len(rows)), layout="constrained")
    for y, row in enumerate(rows):
        other = row["other_algorithm"]
        text = numbers.ratio(row["speedup"], min(base, row["samples"]))
        _bar(axes, y, row["speedup"], text, height, color=OURS, hatch=".." if other else None)
        if row["course_speedup"]:
            text = numbers.stated(row["course_speedup"])
            _bar(axes, y + height, row["course_speedup"], text, height, color=COURSE, hatch="//")
    limit = next((row["times_yardstick"] for row in rows if row["key"] == rungs.BASE), None)
    if limit:  # how many times as fast as the base memset is
        axes.axvline(limit, color="black", linewidth=1.2, linestyle=":", zorder=0)
        axes.annotate(
            "memset",
            (limit, 1),
            xytext=(0, 3),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            ha="center",
            fontsize=8,
        )
    axes.set_yticks([y + height / 2 for y in range(len(rows))], [row["key"] for row in rows])
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlim(*_limits(rows, limit or 1))
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xlabel("speed-up against python.tuples (logarithmic)")
    shape = " x ".join(map(str, result["workload"]["shape"]))
    axes.set_title(f"{shape} pixels, {result['workload']['vertices']} vertices", loc="left")
    handles = [
        plt.Rectangle((0, 0), 1, 1, color=OURS),
        plt.Rectangle((0, 0), 1, 1, facecolor=COURSE, hatch="//", edgecolor="white"),
    ]
    labels = [f"here: {result['machine']['cpu']}", "the course, on its machine"]
    if any(row["other_algorithm"] for row in rows):
        handles.append(plt.Rectangle((0, 0), 1, 1, facecolor=OURS, hatch="..", edgecolor="white"))
        labels.append("here, another algorithm")
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    files = save(figure, stem, formats)
    plt.close(figure)
    return files


def _bar(axes, y, value, text, height, **style):
    """Draw a bar from 1 to `value`, to either side, and write the text at its end."""
    axes.barh(y, value - 1, height, left=1, edgecolor="white", **style)
    side = 1 if value >= 1 else -1
    axes.annotate(
        text,
        (value, y),
        xytext=(3 * side, 0),
        textcoords="offset points",
        va="center",
        ha="left" if side > 0 else "right",
        fontsize=8,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},  # the yardstick ends there
    )


def _limits(rows, limit):
    """Return the axis' ends, with room for the numbers at the bars' ends, and for the yardstick."""
    values = [row["speedup"] for row in rows]
    values += [row["course_speedup"] for row in rows if row["course_speedup"]]
    return min(min(values) / 4, 0.5), max(max(values) * 6, 2 * limit, 10)
