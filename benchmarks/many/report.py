"""Tables, notes and charts of a run on many polygons, with polymask and other libraries."""

from rich.console import Group
from rich.table import Table

from benchmarks.harness import tables
from benchmarks.harness.tables import format_count, title
from ladder.common import confidence
from ladder.report import kinds, marks, readme, results, table
from ladder.report.charts import drawing, in_rows
from ladder.report.text_table import width_of
from polymask.cli.terminal import folded
from polymask.common import figures

OURS = "polymask"
HEIGHT = 13  # of a bar of the chart, pixels
HEADINGS = ("", "time", "times polymask's", "minimum", "memory", "differ", "off edges")
LEGEND = (
    "Time: the median of one call, with one thread unless the row names two. Times polymask's: the "
    "time divided by that of the first row. Memory: the peak of a process during its first call, "
    "without inputs and result. Differ: the elements that differ from those of the first row; off "
    "edges: the ones whose sample lies on no edge (to a millionth of a pixel), where only one "
    "answer is right."
)


def lines(run, scene):
    """Return the texts of a scene's table: for each row with a time, one text per heading."""
    rows = run.of(scene)
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
                    format_count(row.differ),
                    format_count(row.differ_off_edges),
                )
            )
    return texts


def heading(run):
    """Describe a run in one line: the scenes and the machine."""
    return f"Many polygons: {figures.count(len(run.scenes), 'scene')}, {table.cores(run)}"


def markdown_tables(run):
    """Return the table of each scene as Markdown."""
    parts = []
    for scene in run.scenes:
        parts.append(f"**{title(scene)}**\n\n{tables.table(HEADINGS, lines(run, scene))}")
    return parts


def summary(run):
    """Return one Markdown table of all scenes: the times of polymask and of the libraries."""
    body, differs = "", False
    for scene in run.scenes:
        rows = [row for row in run.of(scene) if row.ok]
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
    mark = "\n≠: some pixels differ although their samples lie on no edge.\n" if differs else ""
    return f"| scene | result | polymask | other libraries |\n|:--|:--|:--|:--|\n{body}{mark}"


def markdown(run):
    """Return tables, legend, notes and machine as Markdown."""
    return tables.page(run, heading(run), markdown_tables(run), LEGEND)


def for_terminal(run, width):
    """Return the tables and the legend for rich; `width` is the terminal's."""
    scene_tables = []
    for scene in run.scenes:
        scene_table = Table(title=title(scene), title_justify="left")
        for number, name in enumerate(HEADINGS):
            scene_table.add_column(name, justify="right" if number else "left", no_wrap=True)
        for texts in lines(run, scene):
            scene_table.add_row(*texts)
        while width_of(scene_table) > width and len(scene_table.columns) > 3:
            scene_table.columns.pop(3)
        scene_tables.append(scene_table)
    return Group(*scene_tables, LEGEND)


def headline(run):
    """Return a sentence that compares polymask with the first scene's fastest library."""
    for scene in run.scenes:
        rows = [row for row in run.of(scene) if row.ok]
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
def draw(run):
    """Draw the times of all scenes as bars, of polymask and of libraries; None without times."""
    rows = [(scene, row) for scene in run.scenes for row in run.of(scene) if row.ok]
    if not rows:
        return None
    labels, previous, starts = [], None, []
    for number, (scene, row) in enumerate(rows):
        if scene is not previous:
            starts.append(number)
        place = f"{scene.task}: {scene.title}, {scene.shape[0]} x {scene.shape[1]}"
        subtitle = place if scene is not previous else ""
        labels.append(in_rows.Row(row.key, figures.seconds(row.median_s), subtitle))
        previous = scene
    values = [row.median_s for _, row in rows]
    height = 2.5 * HEIGHT
    figure, axes, middles = in_rows.draw(labels, values, height, figures.seconds_tick, top=46)
    for number in starts[1:]:  # a line between scenes, across the figure
        y = number * (middles[1] - middles[0])
        axes.axhline(y, -1, 2, clip_on=False, linewidth=0.6, color=drawing.LIGHT["soft"])
    low = axes.get_xlim()[0]
    for (_, row), middle in zip(rows, middles, strict=True):
        colour = drawing.LIGHT["amber" if row.kind == "peer" else "blue"]
        axes.barh(middle, row.median_s - low, HEIGHT, left=low, color=colour, linewidth=0)
    _legend(figure)
    drawing.title(figure, f"time of a call. {heading(run)}")
    return figure


def _legend(figure):
    from matplotlib.patches import Patch

    labels = (("blue", "polymask"), ("amber", "other libraries"))
    patches = [Patch(facecolor=drawing.LIGHT[colour], label=text) for colour, text in labels]
    drawing.legend(figure, patches, 24, ncols=2)


def closing(run):
    """Return the last lines of `polymask bench many`."""
    return [folded(text) for text in [headline(run)] if text]


def readme_text(run, json_name):
    """Return the text between the marks of a page: one table, and the chart."""
    stem = json_name.removesuffix(".json")
    return (
        f"\n{summary(run)}\n![Times as bars](<{stem}.svg>)\n\n"
        f"[Memory, differing pixels, the timed work, and the machine](<{stem}.md>): "
        f"{table.cores(run)}.\n\n"
    )


def rewrite(page, json_file):
    """Write the table of a run between the marks of a page whose name begins with `MANY`."""
    name = readme.name_beside(page, json_file)
    name_and_text = readme.MANY + name, readme_text(results.load(json_file)[0], name)
    marks.rewrite(page, lambda mark: name_and_text if mark.startswith(readme.MANY) else None)


KIND = kinds.Kind(
    lambda run, width, _: for_terminal(run, width),
    lambda run, _: tables.notes(run),
    markdown,
    draw,
    rewrite,
    on_page=False,
)
