"""Tables and notes of a run on many polygons, with polymask and other libraries."""

from rich.console import Group

from benchmarks.harness import tables
from benchmarks.harness.tables import format_count, title
from ladder.common import confidence
from ladder.report import kinds, marks, readme, results, table, text_table
from ladder.report.text_table import Heading
from polymask.common import figures

OURS = "polymask"
HEADINGS = (
    Heading("", words=True),
    Heading("time"),
    Heading("times polymask's"),
    *(
        Heading(text, leaves=n)
        for n, text in enumerate(["minimum", "memory", "differ", "off edges"])
    ),
)
LEGEND = (
    "Time: the median of one call, with one thread unless the row names two. Times polymask's: the "
    "time divided by that of the first row. Memory: the peak of a process during its first call, "
    "without inputs and result. Differ: the elements that differ from those of the first row; off "
    "edges: the ones whose sample lies on no edge (to a millionth of a pixel), where only one "
    "answer is right."
)


def scene_table(run, scene):
    """Return the `text_table.Table` of a scene: its rows with a time."""
    rows = [row for row in run.of(scene) if row.ok]
    ours = next((row for row in rows if row.key == OURS), None)
    texts = []
    for row in rows:
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
    return text_table.Table(title(scene), HEADINGS, texts)


def heading(run):
    """Describe a run in one line: the scenes and the machine."""
    return f"Many polygons: {figures.count(len(run.scenes), 'scene')}, {table.cores(run)}"


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
    parts = ["\n".join([*text_table.markdown(scene_table(run, scene)), ""]) for scene in run.scenes]
    return tables.page(run, heading(run), parts, LEGEND)


def for_terminal(run, width):
    """Return the tables and the legend for rich; `width` is the terminal's."""
    scenes = (scene_table(run, scene) for scene in run.scenes)
    return Group(*(text_table.for_terminal(scene, width) for scene in scenes), LEGEND)


def readme_text(run, json_name):
    """Return the text between the marks of a page."""
    stem = json_name.removesuffix(".json")
    return (
        f"\n{summary(run)}\n"
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
    lambda run: None,
    rewrite,
    on_page=False,
)
