"""The speed-up table, for the terminal and in Markdown, from a result."""

import math

from rich.console import Console
from rich.table import Table

from polymask import rungs, workload
from polymask.report import bounds, doubts, numbers, peers

COLUMNS = (
    # heading, whether numbers (right aligned)
    ("row", False),
    ("changes", False),
    ("time", True),
    ("95 %", True),
    ("least", True),
    ("n", True),
    ("speed-up", True),
    ("× before", True),
    ("× memset", True),
    ("cores", True),
    ("first call", True),
    ("course: time", True),
    ("course: speed-up", True),
    ("× api.fresh", True),
    ("differ on edges", True),
    ("off edges", True),
)
# Without peers, and with them: the course knew no other libraries.
RUNGS_SHOW = [heading for heading, _ in COLUMNS[:-3]]
PEERS_SHOW = ["row", "time", "n", "speed-up", "× before", "× memset"]
PEERS_SHOW += ["× api.fresh", "differ on edges", "off edges"]
# What a narrow terminal does without, in this order.
LEAST_NEEDED = ("first call", "least", "95 %", "cores", "course: time", "n", "× memset", "changes")
LEAST_NEEDED += ("course: speed-up",)
LEAST_NEEDED_WITH_PEERS = ("n", "× before", "speed-up", "× memset", "× api.fresh")
CAPTION = "Course: their machine, their times; compare the order, not the numbers."
OTHER_WORKLOAD = (
    "The course measured {course}; here are {here}: its figures are of other work than ours."
)
LEGEND = {
    "time": "Time: median of n samples, with the 95 % interval that they allow, and the least; end "
    "to end, each mask a new array.",
    "speed-up": "Speed-up: against python.tuples.",
    "× before": "× before: against the row that its lesson departs from.",
    "× memset": "× memset: times as long as filling a new mask with ones.",
    "cores": "Cores: as many as were busy.",
}
# How `stats.ratio` makes one; for readers who divide the medians themselves.
RATIOS = (
    "A ratio is the median of all ratios between samples; on a noisy row it may differ from the "
    "ratio of the medians beside it."
)
PEERS_CAPTION = "Differ: how many pixels are unlike the reference's, on the edges and off them."
PEERS_LEGEND = (
    "Time: one thread but in rows of threads or a device; each mask a fresh array, but for "
    "api.out. × before: against the rung that its lesson departs from. × memset: times as long as "
    "filling a fresh mask with ones, for api.out one that is there. × api.fresh: times as long as "
    "`polymask.polygon_mask` into a fresh array. Differ: pixels unlike the reference's. On edges: "
    "the sample lies on an edge (to a millionth of a pixel), and libraries have other rules. Off "
    "edges: all other samples, where there is but one right answer."
)


COURSE = {"workload": {"shape": workload.SHAPE, "vertices": workload.VERTICES}}


def with_peers(result):
    """Return whether other libraries were measured."""
    return any(row["kind"] == "peer" for row in result["rows"])


def ordered(result):
    """Return the rows as the table shows them: the peers last, the fastest first."""
    peers = [row for row in result["rows"] if row["kind"] == "peer"]
    peers.sort(key=lambda row: row["median_s"] or math.inf)
    return [row for row in result["rows"] if row["kind"] != "peer"] + peers


def headings(result):
    """Return the columns that the table shows where there is room: those that some row fills."""
    counts = sample_counts(result)
    columns = zip(*(cells(row, counts) for row in result["rows"]), strict=True)
    names = [heading for heading, _ in COLUMNS]
    filled = {name for name, texts in zip(names, columns, strict=False) if any(texts)}
    wanted = PEERS_SHOW if with_peers(result) else RUNGS_SHOW
    return [heading for heading in wanted if heading in filled | {"row", "time"}]


def cells(row, counts):
    """Return the texts of a row, one a column; a row that has no time tells its reason.

    `counts` has the number of samples of each row: a ratio has the digits of its poorer side.
    """
    head = [row["key"] + (" ¹" if row["other_algorithm"] else ""), row["changes"] or ""]
    course = [
        numbers.seconds(row["course_s"], numbers.stated),
        numbers.stated(row["course_speedup"]),
    ]
    if row["status"] != "ok":
        return [*head, row["status"], *[""] * 8, *course, "", "", ""]
    samples = row["samples"]
    busy = row["cores_used"]
    return [
        *head,
        numbers.seconds(row["median_s"]),
        numbers.interval(row["ci95_s"]),
        numbers.seconds(row["min_s"]),
        str(samples),
        numbers.ratio(row["speedup"], min(samples, counts.get(rungs.BASE, 0))),
        numbers.ratio(row["speedup_before"], min(samples, counts.get(row["before"], 0))),
        numbers.ratio(row["times_yardstick"], samples),
        f"{busy:.1f}" if busy else "",
        numbers.seconds(row["first_call_s"]),
        *course,
        numbers.ratio(row.get("times_api"), samples),
        *(str(row.get(name) or 0) for name in ("differ_on_edges", "differ_off_edges")),
    ]


def sample_counts(result):
    """Return key to number of samples, of all rows."""
    return {row["key"]: row["samples"] for row in result["rows"]}


def base_samples(result):
    """Return how many samples the denominator of the speed-ups rests on."""
    return sample_counts(result).get(rungs.BASE, 0)


def for_terminal(result, width):
    """Return the table as rich renders it, with as many columns as fit into `width`."""
    wanted = headings(result)
    for least in LEAST_NEEDED_WITH_PEERS if with_peers(result) else LEAST_NEEDED:
        if _rich_table(result, wanted)[1] <= width:
            break
        if least in wanted:
            wanted.remove(least)
    return _rich_table(result, wanted)[0]


def _rich_table(result, wanted):
    """Return the table with the wanted columns, and its width."""
    table = Table(title=heading(result), caption=caption(result), title_justify="left")
    for text, right in COLUMNS:
        if text in wanted:
            table.add_column(text, justify="right" if right else "left", no_wrap=True)
    counts = sample_counts(result)
    styles = {"ok": None, "skipped": "dim", "wrong": "bold red"}
    for row in ordered(result):
        table.add_row(*_shown(row, counts, wanted), style=styles[row["status"]])
    return table, width_of(table)


def width_of(table):
    """Return how many columns of a terminal a table of rich's takes."""
    return Console(width=1000, markup=False, emoji=False).measure(table).maximum


def _shown(row, counts, wanted):
    """Return the row's texts in the wanted columns."""
    texts = zip(COLUMNS, cells(row, counts), strict=True)
    return [text for (name, _), text in texts if name in wanted]


def markdown(result):
    """Return the table, its notes and its machine as Markdown."""
    counts, wanted = sample_counts(result), headings(result)
    right = [right for name, right in COLUMNS if name in wanted]
    lines = [f"**{heading(result)}**", ""]
    lines.append("| " + " | ".join(wanted) + " |")
    lines.append("|" + "|".join("--:" if number else ":--" for number in right) + "|")
    for row in ordered(result):
        lines.append("| " + " | ".join(_shown(row, counts, wanted)) + " |")
    said = [legend(result)] if with_peers(result) else [caption(result), legend(result)]
    lines += ["", *filter(None, said), ""]
    lines += [f"- {note}" for note in notes(result)]
    return "\n".join(lines) + "\n"


def caption(result):
    """Say how to read the columns that are not ours alone; nothing where there are none."""
    if with_peers(result):
        return PEERS_CAPTION
    if "course: time" not in headings(result):
        return ""
    other = other_workload(result)
    return f"{CAPTION} {other}" if other else CAPTION


def legend(result):
    """Say what the columns hold."""
    if with_peers(result):
        return PEERS_LEGEND
    wanted = headings(result)
    return " ".join(text for heading, text in LEGEND.items() if heading in wanted)


def other_workload(result):
    """Say that the course's figures are of another workload; nothing where they are not."""
    here, course = work(result), work(COURSE)
    if here == course or not any(row["course_s"] for row in result["rows"]):
        return ""
    return OTHER_WORKLOAD.format(course=course, here=here)


def heading(result):
    """Return what was measured, in a line."""
    return f"{work(result)}, {cores(result)}"


def work(result):
    """Return the image and the polygon, in a few words."""
    return f"{image(result)} pixels, {polygon(result)}"


def image(result):
    """Return the image's size: rows x columns."""
    return " x ".join(map(str, result["workload"]["shape"]))


def polygon(result):
    """Return how many vertices the polygon has, in words."""
    return numbers.count(result["workload"]["vertices"], "vertex", "vertices")


def cores(result):
    """Return the processor and its cores that were there for the run, in a few words."""
    machine = result["machine"]
    return f"{machine['cpu']}, {numbers.count(machine['affinity'], 'core')}"


def notes(result):
    """Return what a reader must know besides: reasons, doubts, kernel times, the machine."""
    return row_notes(result) + machine_notes(result)


def row_notes(result):
    """Return what a reader must know of the rows: reasons, doubts, kernel times, the yardstick."""
    found = [
        f"{row['key']} {row['status']}: {row['reason']}"
        for row in result["rows"]
        if row["status"] != "ok"
    ]
    found += doubts.notes(result)
    for row in result["rows"]:
        if row["kernel_s"]:
            kernel = numbers.seconds(row["kernel_s"])
            found.append(f"{row['key']}: kernel alone {kernel}, by the device's clock")
        if row["options"]:
            options = ", ".join(f"{name}={value}" for name, value in row["options"].items())
            found.append(f"{row['key']}: {options}")
    if any(row["other_algorithm"] for row in result["rows"]):
        found.append("¹ another algorithm: not the same work done faster, but less of it.")
    if border := bounds.border_words(result):
        found.append(border)
    found += peers.notes(result)
    yardstick = result["yardstick"]
    if yardstick["memset_fresh_s"]:
        found.append(
            f"memset of the mask: {numbers.seconds(yardstick['memset_fresh_s'])} into a new array, "
            f"{numbers.seconds(yardstick['memset_warm_s'])} into one that is there."
        )
    return found


def machine_notes(result):
    """Return where the numbers come from, in a few lines."""
    machine = result["machine"]
    software = [f"Python {machine['python']}", f"NumPy {machine['numpy']}"]
    software += [f"Cython {machine['cython']}"] if machine["cython"] else []
    software += [f"{machine['compiler']} {machine['flags']}"] if machine["compiler"] else []
    memory = f"{machine['ram_bytes'] / 2**30:.0f} GiB, " if machine["ram_bytes"] else ""
    found = [
        f"{machine['cpu']}, {machine['affinity']} of {machine['cores']} cores, "
        f"{memory}{machine['kernel']}"
        f"{', virtual machine' if machine['virtual_machine'] else ''}, {machine['date'][:10]}"
        f"{load_average(machine)}.",
        ", ".join(software) + ".",
    ]
    if machine.get("opencl"):
        opencl = machine["opencl"]
        found.append(f"OpenCL: {opencl['device']}, {opencl['version']}.")
    if len(machine["openmp_runtimes"]) > 1:
        found.append(f"Several OpenMP runtimes: {', '.join(machine['openmp_runtimes'])}.")
    if machine.get("flush_to_zero"):
        found.append(f"Denormals were flushed to zero after {machine['flush_to_zero'][0]}.")
    if machine["commit"]:
        found.append(
            f"Commit {machine['commit'][:12]}{', with changes' if machine['dirty'] else ''}."
        )
    return found


def load_average(machine):
    """Return how busy the machine was before and after, where that is known."""
    before, after = machine.get("load_before"), machine.get("load_after")
    if before is None or after is None:
        return ""
    return f", load average {before:.1f} before and {after:.1f} after"
