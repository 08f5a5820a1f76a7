"""The speed-up table, for the terminal and in Markdown, from a result."""

import math

from ladder.bench.machine import cores_in_use
from ladder.bench.result import Row
from ladder.common import confidence
from ladder.registry import workload
from ladder.report import caveats, columns, limits, origin, peers, text_table
from polymask.common import figures
from polymask.masks.container import within_quota

CAPTION = "Course: times from its own machine. Compare the ranking, not the numbers."
OTHER_WORKLOAD = "The course measured {course}, this table {here}, which is different work."
# The definition of a ratio, for readers who divide the medians themselves.
RATIOS = (
    "A ratio is the median of the ratios of all pairs of samples. In a noisy row, it may differ "
    "from the ratio of the medians in the table."
)
PEERS_CAPTION = "Differ: the number of pixels that differ from the reference, on and off the edges."
PEERS_LEGEND = (
    "Time: with one thread, except in rows with threads or a device; each mask is a new array, "
    "except in api.out. × before: speed-up over the rung that its lesson starts from. × memset: "
    "times as long as filling a new mask with ones, or an existing mask for api.out. × api.fresh: "
    "times as long as `polymask.polygon_mask` with a new array. Differ: pixels that differ from "
    "the reference. On edges: the sample lies on an edge (within a millionth of a pixel), where "
    "libraries have other rules. Off edges: all other samples, which have only one right value."
)


STYLES = {"ok": None, "skipped": "dim", "wrong": "bold red"}  # of rows in the terminal
COURSE = f"{workload.SHAPE[0]} x {workload.SHAPE[1]} pixels, {workload.VERTICES} vertices"


def ordered(result):
    """Return the rows in the order of the table: the peers last, the fastest peer first."""
    peers = [row for row in result.rows if row.kind == "peer"]
    peers.sort(key=lambda row: row.median_s or math.inf)
    return [row for row in result.rows if row.kind != "peer"] + peers


def as_table(result, all_columns=True):
    """Return the table of a result, with all columns or only the default ones."""
    visible, rows = columns.select(result, all_columns), with_left(ordered(result))
    removal = [(column, columns.leaves(column, result)) for column in visible]
    return text_table.Table(
        heading(result),
        tuple(text_table.Heading(each.heading, each.words, leaves) for each, leaves in removal),
        [tuple(column.cell(row, result) for column in visible) for row in rows],
        caption(result),
        [STYLES[row.status] for row in rows],
    )


def with_left(rows):
    """Return the rows, each followed by that of its mask left on the device, if there is one."""
    shown = []
    for row in rows:
        shown.append(row)
        if samples := row.left_samples_s:
            shown.append(
                Row(
                    key=f"{row.key} ²",
                    kind=row.kind,
                    title=row.title,
                    status="ok",
                    median_s=confidence.median(samples),
                    min_s=min(samples),
                    ci95_s=confidence.bootstrap_ci95(samples),
                    samples_s=samples,
                )
            )
    return shown


def for_terminal(result, width, all_columns=True):
    """Return the table for rich, with as many columns as fit into `width`."""
    return text_table.for_terminal(as_table(result, all_columns), width)


def markdown(result):
    """Return the table, its notes and its machine as Markdown."""
    explanations = [legend(result)] if result.with_peers else [caption(result), legend(result)]
    lines = [*text_table.markdown(as_table(result)), "", *filter(None, explanations), ""]
    lines += [f"- {note}" for note in notes(result)]
    return "\n".join(lines) + "\n"


def caption(result):
    """Explain the columns of the course or of other libraries, if there are any."""
    if result.with_peers:
        return PEERS_CAPTION
    if not any(row.course_s for row in result.rows):
        return ""
    if work(result) == COURSE:
        return CAPTION
    return f"{CAPTION} {OTHER_WORKLOAD.format(course=COURSE, here=work(result))}"


def legend(result):
    """Explain the columns."""
    if result.with_peers:
        return PEERS_LEGEND
    return " ".join(filter(None, (column.legend for column in columns.select(result))))


def heading(result):
    """Return the work and the machine on one line."""
    return f"{work(result)}, {cores(result)}"


def work(result):
    """Describe the image and the polygon in a few words."""
    return f"{image(result)} pixels, {polygon(result)}"


def image(result):
    """Return the image's size: rows x columns."""
    return " x ".join(map(str, result.workload.shape))


def polygon(result):
    """Return the number of the polygon's vertices as text."""
    return figures.count(result.workload.vertices, "vertex", "vertices")


def cores(result):
    """Return the processor and the number of cores that the run could use."""
    machine = result.machine
    usable = within_quota(machine.affinity, machine.cpu_quota)
    return f"{machine.cpu}, {figures.count(usable, 'core')}"


def notes(result, all_columns=True):
    """Return notes: reasons, doubts, kernel times, and the machine.

    Without `all_columns`, return only doubts about rows and explanations of marks.
    """
    if all_columns or result.with_peers:
        return row_notes(result) + machine_notes(result)
    return [*troubles(result), *marks_explained(result)]


def troubles(result):
    """Return the reasons for missing times, and doubts about the other times."""
    missing = {f"{row.key} {row.status}": row.reason for row in result.rows if not row.ok}
    return figures.by_reason(missing) + caveats.notes(result)


def marks_explained(result):
    """Explain the marks for a different algorithm and for less work, if a row has them."""
    lines = []
    if any(row.other_algorithm for row in result.rows):
        lines.append("¹ A different algorithm, which does less work.")
    if any(row.left_samples_s for row in result.rows):
        lines.append(
            "² Left on the device: the call without the copy of the mask to the host. This is less "
            "work, so the row has no speed-up."
        )
    return lines


def row_notes(result):
    """Return notes on the rows: reasons, doubts, kernel times, and the yardstick."""
    lines = troubles(result)
    for row in result.rows:
        if row.kernel_s and result.with_peers:  # otherwise it is in a column
            kernel = figures.seconds(row.kernel_s)
            lines.append(f"{row.key}: the kernel alone takes {kernel} by the device's clock")
        if row.batch and row.batch.ci95_s:
            ends = figures.interval(row.batch.ci95_s)
            lines.append(
                f"{row.key}: a mask takes {ends} (95 %) in a batch of {row.batch.polygons} polygons"
            )
        if row.options:
            options = ", ".join(f"{name}={value}" for name, value in row.options.items())
            lines.append(f"{row.key}: {options}")
    lines += marks_explained(result)
    lines += limits.prices_paid(result)
    lines += peers.notes(result)
    yardstick = result.yardstick
    if yardstick.memset_fresh_s:
        lines.append(
            f"memset of the mask takes {figures.seconds(yardstick.memset_fresh_s)} for a new "
            f"array, and {figures.seconds(yardstick.memset_warm_s)} for an existing one."
        )
    return lines


def machine_notes(result):
    """Describe the machine and the software in a few lines."""
    machine = result.machine
    software = [f"Python {machine.python}", f"NumPy {machine.numpy}"]
    software += [f"Cython {machine.cython}"] if machine.cython else []
    software += [f"{machine.compiler} {machine.flags}"] if machine.compiler else []
    usable = cores_in_use(machine.affinity, machine.cores, machine.cpu_quota)
    memory = f"{machine.ram_bytes / 2**30:.0f} GiB, " if machine.ram_bytes else ""
    before, after, load = machine.load_before, machine.load_after, ""
    if not (before is None or after is None):
        load = f", load average {before:.1f} before and {after:.1f} after"
    lines = [
        f"{machine.cpu}, {usable}, {memory}{machine.kernel}"
        f"{', virtual machine' if machine.virtual_machine else ''}, {machine.date[:10]}{load}.",
        ", ".join(software) + ".",
    ]
    for kind, device in machine.devices.items():
        lines.append(f"{origin.plain(kind)}: {device.name}, {device.version}.")
    if len(machine.openmp_runtimes) > 1:
        lines.append(f"Several OpenMP runtimes: {', '.join(machine.openmp_runtimes)}.")
    if machine.flush_to_zero:
        lines.append(f"Denormals were flushed to zero after {machine.flush_to_zero[0]}.")
    if machine.commit:
        lines.append(f"Commit {machine.commit[:12]}{', with changes' if machine.dirty else ''}.")
    return lines
