"""The class view: the students' results, merged into tables.

`student_results` reads the files, whose texts are escaped in the tables.
"""

import itertools

from ladder.common import confidence
from ladder.workshop import exercises
from ladder.workshop.author.student_results import in_markdown
from ladder.workshop.student.progress import BROKEN, OPEN, PASSED, RIGHT
from polymask.common import figures

NAMES = ("open for", "broken for", "speed not judged for")  # columns of students
MACHINES = ("student", "machine", "cores", "Python", "hints", "checks")
SUMMARY = ("exercise", "passed", "speed-up", "predicted", "near", *NAMES)
NEAR = 2.0  # the largest error, as a factor, of a near prediction


def names(students):
    """Return the exercises that any student tried, in the order of the ladder."""
    attempted = {name for student in students.values() for name in student.exercises}
    return [exercise.name for exercise in exercises.every() if exercise.name in attempted]


def summary(students):
    """Return a table of the exercises, headings first, without empty columns of students."""
    rows = []
    for name in names(students):
        results = {who: s.exercises[name] for who, s in students.items() if name in s.exercises}
        passes = f"{sum(result.holds for result in results.values())} of {len(students)}"
        judged = [result for result in results.values() if result.state == PASSED]
        speeds = [result.speed_up for result in judged if result.speed_up]
        guesses = [result.predicted for result in results.values() if result.predicted]
        lists = [
            ", ".join(who for who, result in results.items() if result.state == state)
            for state in (OPEN, BROKEN, RIGHT)
        ]
        rows.append((name, passes, span(speeds), span(guesses), hits(results), *lists))
    columns = [h not in NAMES or any(row[i] for row in rows) for i, h in enumerate(SUMMARY)]
    return [list(itertools.compress(row, columns)) for row in (SUMMARY, *rows)]


def hits(results):
    """Return the number of near predictions among the measured ones, as text."""
    ratios = [result.off for result in results.values() if result.off]
    good = sum(1 / NEAR <= ratio <= NEAR for ratio in ratios)
    return f"{good} of {len(ratios)}" if ratios else ""


def is_text(heading):
    """Whether a column of the table holds names, which are aligned left."""
    return heading in ("exercise", *NAMES)


def span(values):
    """Return the median of some numbers, with their range in brackets."""
    median = figures.digits(confidence.median(values), 2) if values else ""
    if len(values) < 2:
        return median
    return f"{median} ({figures.digits(min(values), 2)}–{figures.digits(max(values), 2)})"


LEGEND = f"""
Speed-up: over the rung that the exercise starts from; the median, with the range in brackets. Near:
predictions that were wrong by a factor of at most {NEAR:g}, of those that were measured.
"""
CELLS = """
Each student's speed-up, with the prediction in brackets. ×: not passed yet. broken: it passed
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
            *(who, student.machine.cpu or "?", str(student.machine.cores or "?")),
            student.machine.python or "?",
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
    state = {OPEN: "×", PASSED: figures.digits(result.speed_up, 2) or PASSED}
    state = state.get(result.state, result.state)
    return f"{state} ({figures.stated(result.predicted)})" if result.predicted else state
