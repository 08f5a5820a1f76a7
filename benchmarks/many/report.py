"""Many polygons, by us and by other libraries: tables, notes, and the times as bars."""

from rich.console import Group
from rich.table import Table

from polymask.cli.terminal import folded
from polymask.common import confidence
from polymask.report import figures, marks, readme, results, table, tables
from polymask.report.charts import drawing, in_rows

OURS = "polymask"
HEIGHT = 13  # of a bar of the chart, pixels
HEADINGS = ("", "time", "times polymask's", "least", "memory", "differ", "off edges")
LEGEND = (
    "Time: the median of one call, with one thread unless the row names two. Times polymask's: how "
    "many times as long as the first row. Memory: the peak memory of a process during its first "
    "call, without its input and its result. Differ: elements that differ from the first row; off "
    "edges: those whose sample lies on no edge (within a millionth of a pixel) and has only one "
    "right value."
)


def lines(found, scene):
    """Return the texts of a scene's table: for each row that has a time, one for each heading."""
    rows = found.of(scene)
    ours = next((row for row in rows if row.key == OURS and row.ok), None)
    texts = []
    for row in rows:
        if row.ok:
            times = ours and figures.ratio(
                confidence.median_ratio(row.samples_s, ours.samples_s),
                min(len(row.samples_s), len(ours.samples_s)),
            )
            texts.append(
                (
                    row.key,
                    figures.seconds(row.median_s),
                    times or "",
                    figures.seconds(row.min_s),
                    figures.size(row.beyond_bytes),
                    counted(row.differ),
                    counted(row.differ_off_edges),
                )
            )
    return texts


def counted(number):
    """Write a count, or nothing where it is not known."""
    return "" if number is None else f"{number:,}"


def title(scene):
    """Return what is asked for, and of what, in a line."""
    rows, cols = scene.shape
    vertices = f", {scene.vertices:,} vertices" if scene.polygons > 1 else ""
    return f"{scene.title}{vertices}, on {rows} x {cols} pixels: {scene.wanted}"


def heading(found):
    """Return what was measured, and where, in a line."""
    return f"Many polygons: {figures.count(len(found.scenes), 'scene')}, {table.cores(found)}"


def notes(found):
    """Return what a reader must know besides: what was left out, what is timed, the machine."""
    said = ["Interrupted: the scenes that are not here were not measured."] * found.interrupted
    skipped = {}
    for row in found.rows:
        if not row.ok:
            skipped.setdefault((row.key, row.reason), []).append(row.scene)
    for (key, reason), scenes in skipped.items():
        said.append(f"{key} was left out ({figures.listed(list(dict.fromkeys(scenes)))}): {reason}")
    versions, peers = found.machine.packages, {}
    for row in found.rows:
        if row.ok and row.package:
            peers[row.title] = row
    for row in peers.values():
        beside = f"; the time includes {row.included}" if row.included else ""
        said.append(
            f"{row.key}: {row.package} {versions.get(row.package) or ''}, {row.title}{beside}."
        )
    return [*said, *table.machine_notes(found)]


def markdown_tables(found):
    """Return the tables as Markdown."""
    parts = []
    for scene in found.scenes:
        body = "".join(f"| {' | '.join(texts)} |\n" for texts in lines(found, scene))
        head = f"| {' | '.join(HEADINGS)} |\n|:--{'|--:' * (len(HEADINGS) - 1)}|\n"
        parts.append(f"**{title(scene)}**\n\n{head}{body}")
    return "\n".join(parts)


def summary(found):
    """Return one table of all scenes as Markdown: our times, and those of the libraries."""
    body, differs = "", False
    for scene in found.scenes:
        rows = [row for row in found.of(scene) if row.ok]
        ours = ", ".join(
            f"{row.key} {figures.seconds(row.median_s)}".removeprefix(OURS).lstrip(": ")
            for row in rows
            if row.kind == "ours"
        )
        theirs = ", ".join(
            f"{row.key} {figures.seconds(row.median_s)}{' ≠' * bool(row.differ_off_edges)}"
            for row in rows
            if row.kind == "peer"
        )
        differs |= "≠" in theirs
        body += f"| {scene.title}, {scene.shape[0]} x {scene.shape[1]} | {scene.wanted} | "
        body += f"{ours} | {theirs} |\n"
    mark = "\n≠: some pixels differ even off the edges.\n" if differs else ""
    return f"| input | output | polymask | other libraries |\n|:--|:--|:--|:--|\n{body}{mark}"


def markdown(found):
    """Return tables, legend, notes and machine as Markdown."""
    said = "\n".join(f"- {note}" for note in notes(found))
    return f"# {heading(found)}\n\n{markdown_tables(found)}\n{LEGEND}\n\n{said}\n"


def for_terminal(found, width):
    """Return the tables as rich renders them; `width` is the terminal's."""
    shown = []
    for scene in found.scenes:
        one = Table(title=title(scene), title_justify="left")
        for number, name in enumerate(HEADINGS):
            one.add_column(name, justify="right" if number else "left", no_wrap=True)
        for texts in lines(found, scene):
            one.add_row(*texts)
        while tables.width_of(one) > width and len(one.columns) > 3:
            one.columns.pop(3)
        shown.append(one)
    return Group(*shown, LEGEND)


def headline(found):
    """Return the outcome in a sentence: how the first scene's fastest library compares."""
    for scene in found.scenes:
        rows = [row for row in found.of(scene) if row.ok]
        ours = next((row for row in rows if row.key == OURS), None)
        peers = [row for row in rows if row.kind == "peer"]
        if ours and peers:
            ratio = figures.ratio(
                confidence.median_ratio(peers[0].samples_s, ours.samples_s),
                min(len(ours.samples_s), len(peers[0].samples_s)),
            )
            return (
                f"{scene.title}, {scene.wanted}: polymask is {ratio} times as fast as the fastest "
                f"library, {peers[0].key}."
            )
    return ""


@drawing.chart
def draw(found, narrow=False):
    """Draw the times of all scenes as bars, ours and the libraries'; None without any."""
    rows = [(scene, row) for scene in found.scenes for row in found.of(scene) if row.ok]
    if not rows:
        return None
    words, last, begins = [], None, []
    for number, (scene, row) in enumerate(rows):
        if scene is not last:
            begins.append(number)
        place = f"{scene.task}: {scene.title}, {scene.shape[0]} x {scene.shape[1]}"
        beneath = place if scene is not last else ""
        words.append(in_rows.Row(row.key, figures.seconds(row.median_s), beneath))
        last = scene
    values = [row.median_s for _, row in rows]
    top = 20 if narrow else 46
    figure, axes, middles = in_rows.draw(
        words, values, 2.5 * HEIGHT, figures.seconds_tick, narrow, top
    )
    for number in begins[1:]:  # a line between scenes, across the figure
        y = number * (middles[1] - middles[0])
        axes.axhline(y, -1, 2, clip_on=False, linewidth=0.6, color=drawing.LIGHT["soft"])
    low = axes.get_xlim()[0]
    for (_, row), middle in zip(rows, middles, strict=True):
        colour = drawing.LIGHT["amber" if row.kind == "peer" else "blue"]
        axes.barh(middle, row.median_s - low, HEIGHT, left=low, color=colour, linewidth=0)
    _legend(figure, narrow)
    if not narrow:
        drawing.title(figure, f"time of a call. {heading(found)}")
    return figure


def _legend(figure, narrow):
    from matplotlib.patches import Patch

    said = (("blue", "polymask"), ("amber", "other libraries"))
    patches = [Patch(facecolor=drawing.LIGHT[colour], label=text) for colour, text in said]
    drawing.legend(figure, patches, 4 if narrow else 24, ncols=2)


def closing(found):
    """Return the last lines of `polymask bench many`."""
    return [folded(text) for text in [headline(found)] if text]


def readme_text(found, json_name):
    """Return what stands between the marks of a README: one table, and the chart."""
    stem = json_name.removesuffix(".json")
    return (
        f"\n{summary(found)}\n![Bar chart of the times](<{stem}.svg>)\n\n"
        f"[What is timed, memory, differing pixels, and the machine](<{stem}.md>): "
        f"{table.cores(found)}.\n\n"
    )


def rewrite(page, json_file):
    """Write the table of a run between the marks of a README, whose name begins with `MANY`."""
    name = readme.name_beside(page, json_file)
    made = readme.MANY + name, readme_text(results.load(json_file)[0], name)
    marks.rewrite(page, lambda of: made if of.startswith(readme.MANY) else None)
