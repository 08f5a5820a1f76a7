"""Writes and draws the class view: how fast the answers are, and how near predictions were."""

from functools import partial

from polymask.common import robust, saving
from polymask.contract import Unavailable
from polymask.report import figures
from polymask.report.charts import drawing, speedups, swarms
from polymask.workshop.author import collect

LETTERS = 60  # of a machine's name
FAR = 1 / 100, 100  # a prediction that is wrong by more is drawn at the side

FORMS = ("svg", "png")


def write(students, out):
    """Write class.md and the charts into a folder, where others may have put anything.

    Returns the files that were written, a line for each that was not, and what the machine lacks
    for the charts, or an empty text.
    """
    file, files, errors, pictures, lacking = out / "class.md", [], [], {}, ""
    steps = {file: partial(saving.write, file, collect.markdown(students), trusted=False)}
    try:
        pictures = {out / stem: draw(students) for stem, draw in CHARTS.items()}
    except Unavailable as unavailable:
        lacking = str(unavailable)
    for stem, figure in pictures.items():
        for form in FORMS if figure else ():
            step = partial(drawing.save, figure, stem, (form,), trusted=False)
            steps[stem.with_suffix(f".{form}")] = step
    for file, step in steps.items():
        try:
            step()
            files.append(file)
        except saving.NotWritten as error:
            errors.append(str(error))
    return files, errors, lacking


def draw_speedups(students):
    """Draw the best speed-ups by exercise, a dot a student, a kind of dot a machine.

    Returns a figure, or None where nobody measured anything.
    """
    groups = collect.by_machine(students)
    kind_of = {who: kind for kind, members in enumerate(groups.values()) for who in members}
    rows = []
    for name in collect.names(students):
        tried = collect.of_all(students, name)
        dots = [(kind_of[who], one.times_before) for who, one in tried.items() if one.times_before]
        if dots:
            values = [value for _, value in dots]
            words = f"{collect.span(values)}, of {len(dots)}"
            rows.append(swarms.Swarm(name, words, robust.median(values), tuple(dots)))
    kinds = [f"{len(members)} of the class: {in_font(group)}" for group, members in groups.items()]
    title = "speed-up against the rung before, each student's best; the line is the median"
    return swarms.draw(rows, title, kinds, speedups.times)


def draw_predictions(students):
    """Draw by exercise how many times as fast as predicted the answers are, a dot a student.

    Returns a figure, or None where nobody predicted anything that was measured.
    """
    rows = []
    for name in collect.names(students):
        done = collect.of_all(students, name)
        ratios = collect.near(done.values())
        if ratios:
            words = (
                f"{collect.hits(done)} near; median {figures.digits(robust.median(ratios), 2)} ×"
            )
            dots = tuple((0, ratio) for ratio in ratios)
            rows.append(swarms.Swarm(name, words, robust.median(ratios), dots))
    title = (
        "measured / predicted: at the right faster than expected; "
        f"tinted: within a factor of {collect.NEAR:g}; line: the median"
    )
    near = 1 / collect.NEAR, collect.NEAR
    return swarms.draw(rows, title, [], speedups.times, near, FAR)


def in_font(text):
    """Return a text in letters that the font of a picture has."""
    return text[:LETTERS].encode("latin-1", "replace").decode("latin-1")


CHARTS = {"class": draw_speedups, "class-predictions": draw_predictions}
