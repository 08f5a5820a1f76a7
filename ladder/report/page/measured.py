"""The table of how each row of a result was measured."""

from ladder import registry
from ladder.report import origin, table
from ladder.report.charts import dot_plot, drawing
from polymask.common import figures

PLACES = {"fresh": "a new array", "out": "an existing one"}


def rows(result, name):
    """Return for each row: the row, a drawing of its samples as markup, and its description."""
    base = result.samples(registry.BASE)
    return [
        (row, _strip(row, f"{name}-samples{number}"), describe(row, base))
        for number, row in enumerate(table.ordered(result))
    ]


def _strip(row, name):
    if not row.samples:
        return "none"
    ends = " to ".join(figures.seconds(find(row.samples_s)) for find in (min, max))
    label = f"{figures.count(row.samples, 'sample')}, {ends}"
    chart = drawing.inline(dot_plot.draw_samples(row), name, label, "samples")
    return f"{chart}<small>{row.samples}: {ends}</small>"


def describe(row, base):
    """Describe how a row was measured; `base` is the number of samples of the ladder's base."""
    options = (f"{name}={origin.text(name, value)}" for name, value in row.options.items())
    speedup = figures.ratio(row.speedup, min(base, row.samples))
    busy = f", {row.cores_used:.1f} cores busy" if row.cores_used else ""
    return {
        "time, 95 % of the median": _with_interval(
            figures.seconds(row.median_s), figures.interval(row.ci95_s)
        ),
        "speed-up, 95 %": _with_interval(speedup, figures.of_ratio(row.speedup_ci95)),
        "first call": figures.seconds(row.first_call_s) or "not recorded",
        "kernel alone": figures.seconds(row.kernel_s),
        "checked": _checked(row),
        "threads": ("not known" if row.threads is None else str(row.threads)) + busy,
        "mask into": PLACES.get(row.mask, row.mask),
        "options": ", ".join(options) or "none",
        "flags": ", ".join(row.flags) or "none",
    }


def _with_interval(text, interval):
    """Append an interval to a number, or a note on too few samples."""
    if not text:
        return ""
    return f"{text} ({interval})" if interval else f"{text} (few samples)"


def _checked(row):
    """Describe the result of comparing the mask with the reference."""
    if row.differ_off_edges is not None:
        on, off = row.differ_on_edges, row.differ_off_edges
        return f"{_differ(on)} on edges, {off} off them"
    if row.wrong_pixels is None:
        return "not recorded"
    if row.wrong_pixels:
        return _differ(row.wrong_pixels)
    return "every pixel right"


def _differ(pixels):
    return f"{figures.count(pixels, 'pixel')} differ{'s' if pixels == 1 else ''}"
