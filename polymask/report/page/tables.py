"""How each row was measured, Amdahl's laws and the medians of a sweep, as tables."""

from polymask.cost import amdahl
from polymask.ladder import registry
from polymask.report import figures, origin, sweeps, table
from polymask.report.charts import drawing, samples

PLACES = {"fresh": "a new array", "out": "one that is there"}


def measured(result, name):
    """Return of each row: itself, its samples as markup of a drawing, and how it was measured."""
    base = result.samples(registry.BASE)
    return [
        (row, _strip(row, f"{name}-samples{number}"), how(row, base))
        for number, row in enumerate(table.ordered(result))
    ]


def _strip(row, name):
    if not row.samples:
        return "none"
    ends = " to ".join(figures.seconds(find(row.samples_s)) for find in (min, max))
    label = f"{figures.count(row.samples, 'sample')}, {ends}"
    drawn = drawing.inline(samples.draw(row), name, label, "samples")
    return f"{drawn}<small>{row.samples}: {ends}</small>"


def how(row, base):
    """Say how a row was measured; `base` is how many samples the ladder's base has."""
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
    """Put an interval behind a number; what has none rests on too few samples."""
    if not text:
        return ""
    return f"{text} ({interval})" if interval else f"{text} (few samples)"


def _checked(row):
    """Say whether the mask was held against the reference."""
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


MOST_COLUMNS = 12
LAWS = ("row", "serial share", "95 %", "serial", "parallel", "at most × one thread")
LAWS += ("farthest from the law",)


def laws(found):
    """Return Amdahl's laws of a sweep over threads: rows below `LAWS`, remarks, a doubt.

    The doubt: whether they are but estimates, of two counts.
    """
    fits = amdahl.of_sweep(found) if found.over == "threads" else {}
    held = {key: sweeps.held(fit) for key, fit in fits.items()}
    remarks = [f"{key}: {remark}" for key, remark in held.items() if remark]
    rows = [_law(key, fit, held[key]) for key, fit in fits.items()]
    return rows, remarks, any(fit.exact for fit in fits.values())


def _law(key, fit, held):
    return (
        key,
        # where a term was held at zero, its share and what follows from it were not fitted
        "" if held else sweeps.percent(fit.share),
        "" if held else sweeps.share_interval(fit),
        figures.seconds(fit.serial_s) if fit.serial_s else "0",
        figures.seconds(fit.parallel_s) if fit.parallel_s else "0",
        "" if held or not fit.share else figures.digits(1 / fit.share, 2),
        "" if fit.exact else sweeps.percent(fit.deviation),
    )


def medians(found):
    """Return headings and rows of the medians: a column a value, or a row where paper is narrow."""
    rows = [(found.over, *map(str, found.values)), *sweeps.rows(found)]
    if len(found.values) > MOST_COLUMNS and len(rows) < len(found.values):
        rows = list(zip(*rows, strict=True))
    return rows[0], rows[1:]
