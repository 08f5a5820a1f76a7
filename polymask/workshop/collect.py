"""The class view: the students' result files, merged into one table and one plot."""

import json
from pathlib import Path

from polymask.bench import stats
from polymask.contract import Unavailable
from polymask.report import numbers
from polymask.workshop import exercises

FORMAT = "polymask workshop 1"


def load(folder):
    """Read every .json of a folder; return the student, as the file is called, to the result.

    Raises
    ------
    ValueError
        If a file is no result of a workshop, or there is none at all.
    """
    students = {}
    for file in sorted(Path(folder).glob("*.json")):
        try:
            said = json.loads(file.read_text(encoding="utf-8"))
            if said["format"] != FORMAT:
                raise KeyError("format")
            students[file.stem] = {"machine": said["machine"], "exercises": said["exercises"]}
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{file} is no results.json of a workshop") from None
    if not students:
        raise ValueError(f"{folder} has no .json: put each student's results.json there, renamed")
    return students


def names(students):
    """Return the exercises that somebody tried, in the order of the ladder."""
    tried = {name for said in students.values() for name in said["exercises"]}
    known = [exercise.name for exercise in exercises.every()]
    return [name for name in known if name in tried] + sorted(tried - set(known))


def markdown(students):
    """Return the class as tables: who passed what, and on which machine."""
    rows = ["| exercise | passed | median speed-up | " + " | ".join(students) + " |"]
    rows.append("|:--|--:|--:|" + "--:|" * len(students))
    for name in names(students):
        found = {who: said["exercises"].get(name) for who, said in students.items()}
        passed = sum(bool(one and one["passed"]) for one in found.values())
        speeds = [one["times_before"] for one in found.values() if one and one["times_before"]]
        middle = numbers.ratio(stats.median(speeds), len(speeds)) if speeds else ""
        cells = " | ".join(map(cell, found.values()))
        rows.append(f"| {name} | {passed} of {len(students)} | {middle} | {cells} |")
    rows += ["", "Speed-up against the exercise's rung before, predicted in brackets; × is open."]
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
    state = numbers.digits(one["times_before"], 2) or "passed"
    if not one["passed"]:
        state = "×"
    predicted = one.get("predicted")
    return state if predicted is None else f"{state} ({predicted:g})"


def plot(students, stem):
    """Write the speed-ups by exercise, a mark per student, as SVG and PNG; return the files."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise Unavailable("plots need matplotlib", "pip install 'polymask[bench]'") from None
    measured = [
        name
        for name in names(students)
        if any((s["exercises"].get(name) or {}).get("times_before") for s in students.values())
    ]
    if not measured:
        return []
    figure = Figure(figsize=(9, 1.2 + 0.45 * len(measured)), layout="constrained")
    axes = figure.subplots()
    for who, said in students.items():
        points = [
            (said["exercises"][name]["times_before"], at)
            for at, name in enumerate(measured)
            if (said["exercises"].get(name) or {}).get("times_before")
        ]
        label = f"{who}: {said['machine'].get('cpu') or 'unknown'}"
        axes.plot(*zip(*points, strict=True), "o", label=label, alpha=0.8) if points else None
    axes.set_yticks(range(len(measured)), measured)
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.axvline(1, color="0.8", zorder=0)
    axes.set_xlabel("speed-up against the rung before")
    axes.legend(fontsize="small", loc="best")
    files = [Path(f"{stem}.svg"), Path(f"{stem}.png")]
    for file in files:
        figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)
    return files
