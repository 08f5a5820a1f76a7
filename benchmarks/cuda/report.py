"""Tables of a run: the bars, and each scene's rows by both clocks."""

from benchmarks.cuda.bars import BARS, differing
from benchmarks.cuda.contenders import MEMSET
from benchmarks.many import report as many
from ladder.common import confidence
from polymask.common import figures

LEGEND = (
    "Call: the median time, by the host's clock, from a call to the end of its work, with the "
    "result on the device; libraries on the CPU include the copy. Device: the median time of the "
    "same work by the device's clock, without the host's. Memset: the device's time relative to "
    "that of memset. Intervals are of 95 %. Differ: pixels that differ from the CPU function; off "
    "edges: those whose sample lies on no edge."
)
HEADINGS = ("", "call", "interval", "device", "interval", "memset", "differ", "off edges")


def table(headings, rows):
    """Return a Markdown table."""
    head = f"| {' | '.join(headings)} |\n|:--{'|--:' * (len(headings) - 1)}|\n"
    return head + "".join(f"| {' | '.join(texts)} |\n" for texts in rows)


def bars_table(run):
    """Return the bars as Markdown: limit, value with its interval, and whether it is met."""
    rows = []
    for bar in BARS:
        write = figures.digits if bar.over else figures.seconds
        sign = "≥" if bar.faster else "≤"
        value, ends, verdict = "", "", "not measured"
        if measured := bar.value(run):
            value, ends = write(measured[0]), measured[1]
            ends = figures.of_ratio(ends) if bar.over else figures.interval(ends)
            verdict = "met" if bar.is_met_by(measured[0]) else "**missed**"
        rows.append((bar.title, f"{sign} {write(bar.limit)}", value, ends, verdict))
    count = differing(run)
    verdict = "**missed**" if count else "met" if run.rows else "not measured"
    rows.append(("differing pixels, all results of polymask", "0", f"{count:,}", "", verdict))
    return table(("bar", "limit", "value", "interval", ""), rows)


def scene_table(run, scene):
    """Return the rows of a scene with a time as Markdown."""
    rows = run.of(scene)
    memset = next((row.device_samples_s for row in rows if row.key == MEMSET and row.ok), [])
    return table(HEADINGS, [texts(row, memset) for row in rows if row.ok])


def texts(row, memset):
    """Return the texts of a row; `memset` has the yardstick's samples."""
    on_device, relative = row.device_samples_s, ""
    if on_device and memset:
        relative = figures.digits(confidence.median_ratio(on_device, memset))
    return (
        row.key,
        figures.seconds(row.median_s),
        figures.interval(confidence.bootstrap_ci95(row.samples_s)),
        figures.seconds(confidence.median(on_device)) if on_device else "",
        figures.interval(confidence.bootstrap_ci95(on_device)),
        relative,
        many.format_count(row.differ),
        many.format_count(row.differ_off_edges),
    )


def markdown(run):
    """Return bars, tables, legend, notes and machine as Markdown."""
    gpu = run.machine.devices["cuda"].name
    parts = [f"# Masks on a GPU: {gpu}\n", bars_table(run)]
    for scene in run.scenes:
        parts.append(f"**{many.title(scene)}**\n\n{scene_table(run, scene)}")
    items = "\n".join(f"- {note}" for note in many.notes(run))
    return "\n".join([*parts, LEGEND, "", items]) + "\n"
