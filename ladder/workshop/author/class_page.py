"""The class view: a page to project, without names unless they are asked for."""

import math
import time
from pathlib import Path

from ladder.common import confidence
from ladder.report.charts import drawing
from ladder.report.page import page
from ladder.workshop import exercises
from ladder.workshop.student.progress import BROKEN, OPEN, PASSED, RIGHT
from polymask.common import figures

TEMPLATE = Path(__file__).with_name("class.jinja")
STATES = {  # and their words in the key of the page
    PASSED: "passed",
    RIGHT: "right, speed not judged (○)",
    BROKEN: "now broken",
    OPEN: "not passed",
}


def draw(students, names=False, reload_s=None, course=()):
    """Return the page as HTML, with a table of the students if `names` are asked for.

    The last exercise comes first. Those of `course` are shown even if no student checked them.
    With `reload_s`, a browser reloads the page at this interval.
    """
    order = dict.fromkeys([*course, *(exercise.name for exercise in exercises.every())])
    rows = [row for name in order if (row := _row(name, students))["students"] or name in course]
    points = ("guesses", "judged", "unjudged")
    place, ticks = _scale([value for row in rows for kind in points for value in row[kind]])
    return (
        page.environment()
        .from_string(TEMPLATE.read_text(encoding="utf-8"))
        .render(
            rows=rows,
            students=students,
            names=names,
            states={
                s: words for s, words in STATES.items() if any(s in row["shares"] for row in rows)
            },
            place=place,
            ticks=ticks,
            reload_s=reload_s,
            now=time.strftime("%H:%M"),
            light=drawing.colours(dark=False),
            dark=drawing.colours(dark=True),
            median=lambda values: figures.digits(confidence.median(values), 2) if values else "",
            cell=cell,
        )
    )


def _row(name, students):
    """Gather the row of an exercise."""
    results = [s.exercises[name] for s in students.values() if name in s.exercises]
    states = [result.state for result in results]
    return {
        "name": name,
        "students": len(results),
        "passes": sum(result.holds for result in results),
        "shares": {state: states.count(state) for state in STATES if state in states},
        # sorted, so that they do not follow the order of names
        "guesses": sorted(r.predicted for r in results if r.predicted),
        "judged": sorted(r.speed_up for r in results if r.state == PASSED and r.speed_up),
        "unjudged": sorted(r.speed_up for r in results if r.state == RIGHT and r.speed_up),
    }


def _scale(values):
    """Return a function from a speed-up to its place in percent, and the ticks of the axis."""
    low, high = (math.log10(end) for end in (min([1, *values]) / 1.5, max([10, *values]) * 1.5))
    ticks = [10**exponent for exponent in range(math.ceil(low), math.floor(high) + 1)]
    return lambda value: f"{100 * (math.log10(value) - low) / (high - low):.2f}%", ticks


def cell(result):
    """Return a student's result: the speed-up, or the state, with the prediction in brackets."""
    if result is None:
        return ""
    state = {OPEN: "×", PASSED: figures.digits(result.speed_up, 2) or PASSED}
    state = state.get(result.state, result.state)
    return f"{state} ({figures.stated(result.predicted)})" if result.predicted else state
