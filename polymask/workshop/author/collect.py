"""The class view: the students' result files, merged into one table and one plot."""

import itertools
import json
from pathlib import Path

from polymask import stats
from polymask.report import figures
from polymask.report.charts import drawing
from polymask.workshop import exercises

FORMAT = "polymask workshop 1"
NAMES = ("open for", "speed not judged for")  # columns of students
SUMMARY = ("exercise", "passed", "speed-up", "predicted", *NAMES)
MARKS = "os^DvP"  # a machine's, for those who do not see colours; not as many as there are colours


def load(folder):
    """Read every .json of a folder.

    Returns
    -------
    students : dict
        The student, as the file is called, to the result.
    passed_over : list of Path
        Files that are no result of a workshop.

    Raises
    ------
    ValueError
        If there is no result at all.
    """
    students, passed_over = {}, []
    for file in sorted(p for p in Path(folder).iterdir() if p.suffix.lower() == ".json"):
        try:
            students[file.stem] = read(json.loads(file.read_text(encoding="utf-8")))
        except (ValueError, KeyError, TypeError, AttributeError):
            passed_over.append(file)
    if not students:
        others = f", but {', '.join(p.name for p in passed_over)}" if passed_over else ""
        raise ValueError(
            f"{folder} has no results.json of a workshop{others}: put each student's there, renamed"
        )
    return students, passed_over


def read(said):
    """Return machine and exercises of a result; raise an error where they are not what they are."""
    if said["format"] != FORMAT:
        raise ValueError("another format")
    for one in said["exercises"].values():
        numbers_or_none = one["times_before"], one.get("predicted")
        if not all(n is None or (type(n) in (int, float) and n >= 0) for n in numbers_or_none):
            raise TypeError("a speed-up is a number")
        if not all(type(one[name]) is int for name in ("hints", "checks")):
            raise TypeError("hints and checks are counted")
        one["passed"] = bool(one["passed"])
        one["judged"] = bool(one.get("judged", True))  # files of before had no such field
    return {"machine": dict(said["machine"]), "exercises": said["exercises"]}


def names(students):
    """Return the exercises that somebody tried, in the order of the ladder."""
    tried = {name for said in students.values() for name in said["exercises"]}
    known = [exercise.name for exercise in exercises.every()]
    return [name for name in known if name in tried] + sorted(tried - set(known))


def summary(students):
    """Return a table of the exercises, headings first, without columns of nobody."""
    rows = []
    for name in names(students):
        tried = {who: s["exercises"][name] for who, s in students.items() if name in s["exercises"]}
        passed = sum(one["passed"] for one in tried.values())
        open_ = [who for who, one in tried.items() if not one["passed"]]
        unjudged = [who for who, one in tried.items() if one["passed"] and not one["judged"]]
        speeds = [one["times_before"] for one in tried.values() if one["times_before"]]
        guesses = [one["predicted"] for one in tried.values() if one.get("predicted") is not None]
        passes = f"{passed} of {len(students)}"
        named = ", ".join(open_), ", ".join(unjudged)
        rows.append((name, passes, span(speeds), span(guesses), *named))
    shown = [h not in NAMES or any(row[i] for row in rows) for i, h in enumerate(SUMMARY)]
    return [list(itertools.compress(row, shown)) for row in (SUMMARY, *rows)]


def is_text(heading):
    """Whether a column of the table holds names, which begin at its left side."""
    return heading in ("exercise", *NAMES)


def span(values):
    """Return the median, and in brackets the least and the largest, of some numbers."""
    if not values:
        return ""
    middle = figures.digits(stats.median(values), 2)
    if len(values) == 1:
        return middle
    return f"{middle} ({figures.digits(min(values), 2)}–{figures.digits(max(values), 2)})"


def markdown(students):
    """Return the class as tables: the summary, each student, and on which machine."""
    headings, *tried = summary(students)
    sides = (":--" if is_text(heading) else "--:" for heading in headings)
    rows = [f"| {' | '.join(row)} |" for row in (headings, sides, *tried)]
    rows += ["", "Speed-up: against the exercise's rung before; the median (least–largest)."]
    rows += ["", f"| exercise | {' | '.join(students)} |", "|:--|" + "--:|" * len(students)]
    for name in names(students):
        cells = " | ".join(cell(said["exercises"].get(name)) for said in students.values())
        rows.append(f"| {name} | {cells} |")
    rows += ["", "The best speed-up of each, what was predicted in brackets; × is open; right: the"]
    rows += ["speed could not be judged, as the machine was busy or had too few cores."]
    rows += ["", "| who | machine | cores | Python | hints | checks |", "|:--|:--|--:|:--|--:|--:|"]
    for who, said in students.items():
        machine, done = said["machine"], said["exercises"].values()
        rows.append(
            f"| {who} | {machine.get('cpu') or '?'} | {machine.get('affinity') or '?'} "
            f"| {machine.get('python') or '?'} | {sum(one['hints'] for one in done)} "
            f"| {sum(one['checks'] for one in done)} |"
        )
    return "\n".join(rows) + "\n"


def cell(one):
    """Return what a table says of one student's exercise."""
    if one is None:
        return ""
    state = figures.digits(one["times_before"], 2) or ("passed" if one["judged"] else "right")
    if not one["passed"]:
        state = "×"
    predicted = one.get("predicted")
    return state if predicted is None else f"{state} ({predicted:g})"


def by_machine(students):
    """Return machine, in words, to its students, the largest group first."""
    groups = {}
    for who, said in students.items():
        cpu, cores = said["machine"].get("cpu") or "?", said["machine"].get("affinity")
        words = f"{cpu}, {cores or '?'} core{'' if cores == 1 else 's'}"
        groups.setdefault(words, []).append(who)
    return dict(sorted(groups.items(), key=lambda group: -len(group[1])))


@drawing.chart
def draw(students):
    """Draw the speed-ups by exercise: a mark a student, a kind of mark a machine.

    Returns
    -------
    matplotlib.figure.Figure or None
        None where nobody measured anything.
    """
    groups, points = by_machine(students), {}
    for group, members in groups.items():
        for who in members:
            for name, one in students[who]["exercises"].items():
                if one["times_before"]:
                    points.setdefault(name, []).append((group, one["times_before"]))
    measured = [name for name in names(students) if name in points]
    if not measured:
        return None
    each, top = 28 + 8 * len(groups), 12 + 18 * len(groups)
    figure = drawing.figure(drawing.WIDE, top + each * len(measured) + 48)
    left = 12 + max(map(drawing.width, measured))
    axes = drawing.axes(figure, left, 12, top, 48)
    grid, ink = drawing.LIGHT["grid"], drawing.LIGHT["ink"]
    for number, group in enumerate(groups):
        beside = (number - (len(groups) - 1) / 2) * 0.8 / len(groups)
        marks = [
            (value, at + beside)
            for at, name in enumerate(measured)
            for machine, value in points[name]
            if machine == group
        ]
        axes.plot(
            *zip(*marks, strict=True) if marks else ([], []),
            MARKS[number % len(MARKS)],
            color=drawing.LIGHT[drawing.OF_ROWS[number % len(drawing.OF_ROWS)]],
            label=f"{group}: {len(groups[group])} of the class",
            alpha=0.75,
        )
    for at, name in enumerate(measured):
        middle = stats.median([value for _, value in points[name]])
        axes.plot([middle, middle], [at - 0.42, at + 0.42], color=ink, linewidth=1.2, zorder=1)
        axes.axhline(at + 0.5, color=grid, linewidth=0.6, zorder=0)
    axes.set_yticks(range(len(measured)), measured)
    axes.set(xscale="log", ylim=(len(measured) - 0.5, -0.5))
    axes.axvline(1, color=grid, zorder=0)
    axes.set_xlabel("speed-up against the rung before, logarithmic; the line is the class's median")
    figure.legend(loc="upper left")
    return figure
