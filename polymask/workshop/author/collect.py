"""The class view: the students' results, merged into tables and charts.

`student_results` reads the files; what they say is escaped where it is written.
"""

import itertools
from functools import partial

from polymask.common import confidence, saving
from polymask.contract import Unavailable
from polymask.report import figures
from polymask.report.charts import dot_plot, drawing, speedups
from polymask.workshop import exercises
from polymask.workshop.author.student_results import in_markdown

NAMES = ("open for", "broken for", "speed not judged for")  # columns of students
SUMMARY = ("exercise", "passed", "speed-up", "predicted", "near", *NAMES)
NEAR = 2.0  # a prediction is near that is wrong by no larger factor
LETTERS = 60  # of a machine's name
FAR = 1 / 100, 100  # a prediction that is wrong by more is drawn at the side
FORMS = ("svg", "png")


def names(students):
    """Return the exercises that somebody tried, in the order of the ladder."""
    tried = {name for student in students.values() for name in student.exercises}
    return [exercise.name for exercise in exercises.every() if exercise.name in tried]


def of_all(students, name):
    """Return the student to `Done`, of those who tried an exercise."""
    return {who: s.exercises[name] for who, s in students.items() if name in s.exercises}


def near(done):
    """Return measured by predicted, of those who predicted and measured."""
    return [one.off for one in done if one.off]


def summary(students, narrow=False):
    """Return a table of the exercises, headings first, without columns of nobody.

    For a narrow terminal it has medians alone.
    """
    said = middle if narrow else span
    rows = []
    for name in names(students):
        tried = of_all(students, name)
        passes = f"{sum(one.passed for one in tried.values())} of {len(students)}"
        speeds = [one.times_before for one in tried.values() if one.times_before]
        guesses = [one.predicted for one in tried.values() if one.predicted]
        named = (
            [who for who, one in tried.items() if not one.passed and not one.broken],
            [who for who, one in tried.items() if one.broken],
            [who for who, one in tried.items() if one.passed and not one.judged],
        )
        rows.append(
            (name, passes, said(speeds), said(guesses), hits(tried), *map(", ".join, named))
        )
    shown = [h not in NAMES or any(row[i] for row in rows) for i, h in enumerate(SUMMARY)]
    return [list(itertools.compress(row, shown)) for row in (SUMMARY, *rows)]


def hits(tried):
    """Say how many predictions are near, of those that were measured."""
    ratios = near(tried.values())
    good = sum(1 / NEAR <= ratio <= NEAR for ratio in ratios)
    return f"{good} of {len(ratios)}" if ratios else ""


def is_text(heading):
    """Whether a column of the table holds names, which begin at its left side."""
    return heading in ("exercise", *NAMES)


def span(values):
    """Return the median, and in brackets the least and the largest, of some numbers."""
    if len(values) < 2:
        return middle(values)
    return f"{middle(values)} ({figures.digits(min(values), 2)}–{figures.digits(max(values), 2)})"


def middle(values):
    """Return the median of some numbers."""
    return figures.digits(confidence.median(values), 2) if values else ""


LEGEND = f"""
Speed-up: against the exercise's rung before; the median (least–largest). Near: predictions that
were wrong by a factor of {NEAR:g} at most, of those that were measured.
"""
CELLS = """
The best speed-up of each, what was predicted in brackets; × is open; broken: it passed once, and
did not at the last check; right: the speed could not be judged, as the machine was busy or had too
few cores.
"""


def markdown(students):
    """Return the class as tables: the summary, each student, and on which machine."""
    headings, *tried = summary(students)
    columns = {who: student.exercises for who, student in students.items()}
    done = [[name, *(cell(c.get(name)) for c in columns.values())] for name in names(students)]
    machines = [
        [
            *(who, student.cpu or "?", str(student.cores or "?"), student.python or "?"),
            str(sum(one.hints for one in student.exercises.values())),
            str(sum(one.checks for one in student.exercises.values())),
        ]
        for who, student in students.items()
    ]
    return "\n".join(
        [
            *table(headings, tried, map(is_text, headings)),
            LEGEND,
            *table(["exercise", *students], done, [True]),
            CELLS,
            *table(["who", "machine", "cores", "Python", "hints", "checks"], machines, [True] * 2),
            "",
        ]
    )


def table(headings, rows, texts):
    """Return the lines of a table of Markdown; which columns are `texts`, the others numbers."""
    sides = [":--" if is_text else "--:" for _, is_text in itertools.zip_longest(headings, texts)]
    escaped = [list(map(in_markdown, row)) for row in (headings, *rows)]
    escaped.insert(1, sides)
    return [f"| {' | '.join(row)} |" for row in escaped]


def cell(one):
    """Return what a table says of one student's exercise."""
    if one is None:
        return ""
    state = figures.digits(one.times_before, 2) or ("passed" if one.judged else "right")
    if not one.passed:
        state = "broken" if one.broken else "×"
    return f"{state} ({figures.stated(one.predicted)})" if one.predicted else state


def by_machine(students):
    """Return machine, in words, to its students, the largest group first."""
    groups = {}
    for who, student in students.items():
        number = "? cores" if student.cores is None else figures.count(student.cores, "core")
        groups.setdefault(f"{student.cpu or '?'}, {number}", []).append(who)
    return dict(sorted(groups.items(), key=lambda group: -len(group[1])))


# The files


def write(students, out):
    """Write class.md and the charts into a folder, where others may have put anything.

    Returns the files that were written, a line for each that was not, and what the machine lacks
    for the charts, or an empty text.
    """
    file, files, errors, pictures, lacking = out / "class.md", [], [], {}, ""
    steps = {file: partial(saving.write, file, markdown(students), trusted=False)}
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
    groups = by_machine(students)
    kind_of = {who: kind for kind, members in enumerate(groups.values()) for who in members}
    rows = []
    for name in names(students):
        tried = of_all(students, name)
        dots = [(kind_of[who], one.times_before) for who, one in tried.items() if one.times_before]
        if dots:
            values = [value for _, value in dots]
            words = f"{span(values)}, of {len(dots)}"
            rows.append(dot_plot.DotRow(name, words, confidence.median(values), tuple(dots)))
    kinds = [f"{len(members)} of the class: {in_font(group)}" for group, members in groups.items()]
    title = "speed-up against the rung before, each student's best; the line is the median"
    return dot_plot.draw(rows, title, kinds, speedups.times)


def draw_predictions(students):
    """Draw by exercise how many times as fast as predicted the answers are, a dot a student.

    Returns a figure, or None where nobody predicted anything that was measured.
    """
    rows = []
    for name in names(students):
        done = of_all(students, name)
        ratios = near(done.values())
        if ratios:
            words = f"{hits(done)} near; median {figures.digits(confidence.median(ratios), 2)} ×"
            dots = tuple((0, ratio) for ratio in ratios)
            rows.append(dot_plot.DotRow(name, words, confidence.median(ratios), dots))
    title = (
        "measured / predicted: at the right faster than expected; "
        f"tinted: within a factor of {NEAR:g}; line: the median"
    )
    return dot_plot.draw(rows, title, [], speedups.times, (1 / NEAR, NEAR), FAR)


def in_font(text):
    """Return a text in letters that the font of a picture has."""
    return text[:LETTERS].encode("latin-1", "replace").decode("latin-1")


CHARTS = {"class": draw_speedups, "class-predictions": draw_predictions}
