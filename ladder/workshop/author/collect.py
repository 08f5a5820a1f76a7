"""The class view: the students' results, merged into tables and charts.

`student_results` reads the files, whose texts are escaped in the tables.
"""

import itertools

from ladder.common import confidence
from ladder.report.charts import dot_plot, drawing, speedups
from ladder.workshop import exercises
from ladder.workshop.author.student_results import in_markdown
from polymask.common import figures, saving
from polymask.contract import Unavailable

NAMES = ("open for", "broken for", "speed not judged for")  # columns of students
MACHINES = ("student", "machine", "cores", "Python", "hints", "checks")
SUMMARY = ("exercise", "passed", "speed-up", "predicted", "near", *NAMES)
NEAR = 2.0  # the largest error, as a factor, of a near prediction
MOST_LETTERS = 60  # of a machine's name
FAR = 1 / 100, 100  # predictions with larger errors are drawn at the side
FORMS = ("svg", "png")


def names(students):
    """Return the exercises that any student tried, in the order of the ladder."""
    attempted = {name for student in students.values() for name in student.exercises}
    return [exercise.name for exercise in exercises.every() if exercise.name in attempted]


def of_all(students, name):
    """Return a dict from student to `Result`, for the students who tried an exercise."""
    return {who: s.exercises[name] for who, s in students.items() if name in s.exercises}


def near(done):
    """Return the ratios measured / predicted of results that have both."""
    return [result.off for result in done if result.off]


def summary(students, narrow=False):
    """Return a table of the exercises, headings first, without empty columns of students.

    A narrow table has only medians.
    """
    write = middle if narrow else span
    rows = []
    for name in names(students):
        results = of_all(students, name)
        passes = f"{sum(result.passed for result in results.values())} of {len(students)}"
        speeds = [result.times_before for result in results.values() if result.times_before]
        guesses = [result.predicted for result in results.values() if result.predicted]
        lists = (
            [who for who, result in results.items() if not result.passed and not result.broken],
            [who for who, result in results.items() if result.broken],
            [who for who, result in results.items() if result.passed and not result.judged],
        )
        rows.append(
            (name, passes, write(speeds), write(guesses), hits(results), *map(", ".join, lists))
        )
    columns = [h not in NAMES or any(row[i] for row in rows) for i, h in enumerate(SUMMARY)]
    return [list(itertools.compress(row, columns)) for row in (SUMMARY, *rows)]


def hits(results):
    """Return the number of near predictions among the measured ones, as text."""
    ratios = near(results.values())
    good = sum(1 / NEAR <= ratio <= NEAR for ratio in ratios)
    return f"{good} of {len(ratios)}" if ratios else ""


def is_text(heading):
    """Whether a column of the table holds names, which are aligned left."""
    return heading in ("exercise", *NAMES)


def span(values):
    """Return the median of some numbers, with their range in brackets."""
    if len(values) < 2:
        return middle(values)
    return f"{middle(values)} ({figures.digits(min(values), 2)}–{figures.digits(max(values), 2)})"


def middle(values):
    """Return the median of some numbers."""
    return figures.digits(confidence.median(values), 2) if values else ""


LEGEND = f"""
Speed-up: over the rung that the exercise starts from; the median, with the range in brackets. Near:
predictions that were wrong by a factor of at most {NEAR:g}, of those that were measured.
"""
CELLS = """
Each student's best speed-up, with the prediction in brackets. ×: not passed yet. broken: it passed
once, but not at the last check. right: the speed could not be judged, as the machine was busy or
had too few cores.
"""


def markdown(students):
    """Return the class as tables: the summary, the students, and the machines."""
    headings, *rows = summary(students)
    tried = names(students)
    done = [
        [who, *(cell(student.exercises.get(name)) for name in tried)]
        for who, student in students.items()
    ]
    machines = [
        [
            *(who, student.cpu or "?", str(student.cores or "?"), student.python or "?"),
            str(sum(result.hints for result in student.exercises.values())),
            str(sum(result.checks for result in student.exercises.values())),
        ]
        for who, student in students.items()
    ]
    return "\n".join(
        [
            *table(headings, rows, map(is_text, headings)),
            LEGEND,
            *table(["student", *tried], done, [True]),
            CELLS,
            *table(MACHINES, machines, [True] * 2),
            "",
        ]
    )


def table(headings, rows, texts):
    """Return the lines of a Markdown table; `texts` says which columns are text."""
    sides = [":--" if is_text else "--:" for _, is_text in itertools.zip_longest(headings, texts)]
    escaped = [list(map(in_markdown, row)) for row in (headings, *rows)]
    escaped.insert(1, sides)
    return [f"| {' | '.join(row)} |" for row in escaped]


def cell(result):
    """Return the table cell of a student's result."""
    if result is None:
        return ""
    state = figures.digits(result.times_before, 2) or ("passed" if result.judged else "right")
    if not result.passed:
        state = "broken" if result.broken else "×"
    return f"{state} ({figures.stated(result.predicted)})" if result.predicted else state


def by_machine(students):
    """Return a dict from each machine, as text, to its students, the largest group first."""
    groups = {}
    for who, student in students.items():
        number = "? cores" if student.cores is None else figures.count(student.cores, "core")
        groups.setdefault(f"{student.cpu or '?'}, {number}", []).append(who)
    return dict(sorted(groups.items(), key=lambda group: -len(group[1])))


# The files


def write(students, out):
    """Write class.md and the charts into a folder with arbitrary contents.

    Returns the written files, and the reason why charts cannot be drawn here, or an empty text.
    Raises `polymask.common.saving.NotWritten` at the first file that cannot be written.
    """
    files = [out / "class.md"]
    saving.write(files[0], markdown(students), trusted=False)
    try:
        for stem, draw in CHARTS.items():
            files += drawing.save(draw(students), out / stem, FORMS, trusted=False)
    except Unavailable as unavailable:
        return files, str(unavailable)
    return files, ""


def draw_speedups(students):
    """Draw the best speed-ups by exercise: a dot per student, a kind of dot per machine.

    Returns a figure, or None if nothing was measured.
    """
    groups = by_machine(students)
    kind_of = {who: kind for kind, members in enumerate(groups.values()) for who in members}
    rows = []
    for name in names(students):
        results = of_all(students, name)
        dots = [(kind_of[who], r.times_before) for who, r in results.items() if r.times_before]
        if dots:
            values = [value for _, value in dots]
            label = f"{span(values)}, of {len(dots)}"
            rows.append(dot_plot.DotRow(name, label, confidence.median(values), tuple(dots)))
    kinds = [f"{len(members)} of the class: {in_font(group)}" for group, members in groups.items()]
    title = "speed-up over the rung before, the best of each student; the line is the median"
    return dot_plot.draw(rows, title, kinds, speedups.times)


def draw_predictions(students):
    """Draw the ratio of measured to predicted speed-up by exercise, a dot per student.

    Returns a figure, or None if no speed-up was both predicted and measured.
    """
    rows = []
    for name in names(students):
        results = of_all(students, name)
        ratios = near(results.values())
        if ratios:
            label = f"{hits(results)} near; median {figures.digits(confidence.median(ratios), 2)} ×"
            dots = tuple((0, ratio) for ratio in ratios)
            rows.append(dot_plot.DotRow(name, label, confidence.median(ratios), dots))
    title = (
        "measured / predicted speed-up; right: faster than expected; "
        f"tinted: within a factor of {NEAR:g}; line: the median"
    )
    return dot_plot.draw(rows, title, [], speedups.times, (1 / NEAR, NEAR), FAR)


def in_font(text):
    """Return a text with only the characters that the font of a picture has."""
    return text[:MOST_LETTERS].encode("latin-1", "replace").decode("latin-1")


CHARTS = {"class": draw_speedups, "class-predictions": draw_predictions}
