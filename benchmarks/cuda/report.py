"""Tables of a run: each scene's rows by both clocks."""

from benchmarks.cuda.contenders import MEMSET
from benchmarks.harness import tables
from ladder.common import confidence
from polymask.common import figures

LEGEND = (
    "Call: the median time, by the host's clock, from a call to the end of its work, with the "
    "result on the device; work on the CPU includes the copy. Device: the median time of the "
    "same work by the device's clock, without the host's. Memset: the device's time relative to "
    "that of memset. Differ: pixels that differ from the CPU function."
)
HEADINGS = ("", "call", "device", "memset", "differ")


def failures(run):
    """Return the rows of polymask without a time, as texts."""
    return [
        f"{row.scene}: {row.key}: {row.reason}"
        for row in run.rows
        if row.kind == "ours" and not row.ok
    ]


def scene_table(run, scene):
    """Return the rows of a scene with a time as Markdown."""
    rows = run.of(scene)
    memset = next((row.device_samples_s for row in rows if row.key == MEMSET and row.ok), [])
    return tables.table(HEADINGS, [texts(row, memset) for row in rows if row.ok])


def texts(row, memset):
    """Return the texts of a row; `memset` has the yardstick's samples."""
    on_device, relative = row.device_samples_s, ""
    if on_device and memset:
        relative = figures.digits(confidence.median_ratio(on_device, memset))
    return (
        row.key,
        figures.seconds(row.median_s),
        figures.seconds(confidence.median(on_device)) if on_device else "",
        relative,
        tables.format_count(row.differ),
    )


def markdown(run):
    """Return tables, legend, notes and machine as Markdown."""
    heading = f"Masks on a GPU: {run.machine.devices['cuda'].name}"
    scenes = [f"**{tables.title(scene)}**\n\n{scene_table(run, scene)}" for scene in run.scenes]
    return tables.page(run, heading, scenes, LEGEND)
