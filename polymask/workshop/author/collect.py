"""The class view: the students' result files, merged into tables, and what is drawn of them.

`handed_in` reads the files, and `charts` draws. What a file says is escaped where it is written.
"""

import itertools

from polymask.common import robust
from polymask.report import figures
from polymask.workshop import exercises
from polymask.workshop.author.handed_in import load
from polymask.workshop.author.untrusted import in_markdown

__all__ = ["by_machine", "is_text", "load", "markdown", "names", "near", "of_all", "summary"]

NAMES = ("open for", "broken for", "speed not judged for")  # columns of students
SUMMARY = ("exercise", "passed", "speed-up", "predicted", "near", *NAMES)
NEAR = 2.0  # a prediction is near that is wrong by no larger factor


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
    return figures.digits(robust.median(values), 2) if values else ""


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
