"""Proves of every exercise that it can be failed and passed, and for the right reasons."""

import tempfile
from pathlib import Path

from polymask.workshop import starter
from polymask.workshop.student import check

FEWEST_HINTS, FEWEST_WRONG = 3, 2
TRIES = 3  # of what is judged by its speed: others may keep the cores busy
PARTS = ("learn", "do", "know", "think")  # the headings of a task, each by one word


def verify(exercise, say=lambda text: None):
    """Return what is wrong with an exercise, a list of lines; empty if all is well.

    Parameters
    ----------
    exercise : Exercise
    say : callable, optional
        Is told what is tried next.
    """
    faults = on_paper(exercise)
    if faults:
        return faults
    with tempfile.TemporaryDirectory(prefix="polymask workshop ä ") as where:
        folder = Path(where) / exercise.directory
        folder.mkdir()

        def attempt(what, texts, **keywords):
            say(f"{exercise.name}: {what}")
            for name, text in texts.items():
                (folder / name).write_text(text, encoding="utf-8")
            return check.check(exercise, Path(where), force=True, **keywords)

        solution = {name: exercise.solution(name) for name in exercise.files}
        begun = attempt("starter", {name: starter.make(exercise, name) for name in exercise.files})
        if begun.passed:
            faults.append("the starter passes")
        elif exercise.starter_says not in begun.message:
            faults.append(
                f"the starter's message is not {exercise.starter_says!r}: {begun.message}"
            )
        for _ in range(TRIES):
            solved = attempt("solution", solution)
            if solved.passed or not solved.correct:
                break
        if not solved.passed:
            faults.append(f"the solution fails: {solved.message}\n{solved.printed}")
            return faults
        if exercise.kind != "own":
            tried = attempt("known wrong ways", {}, tamper=True)
            if tried.undetected is None:
                faults.append(f"the known wrong ways were not tried: {tried.message}")
            faults += [f"the wrong answer {name} passes" for name in tried.undetected or ()]
        for wrong in exercise.wrong:
            texts = solution | {wrong.file: exchange(solution[wrong.file], wrong)}
            for _ in range(TRIES):
                tried = attempt(f"wrong answer: {wrong.name}", texts)
                if not tried.untimed:
                    break
            if tried.untimed:
                faults.append(f"the wrong answer {wrong.name} is not judged: {tried.untimed}")
            elif tried.passed:
                faults.append(f"the wrong answer {wrong.name} passes")
            elif not tried.message or "Traceback" in tried.message:
                faults.append(f"the message for {wrong.name} does not help: {tried.message!r}")
    return faults


def on_paper(exercise):
    """Return what is wrong with an exercise's files, before anything is run."""
    faults = []
    hints = exercise.hints()
    if len(hints) < FEWEST_HINTS or not all(hints):
        faults.append(f"{len(hints)} hints, {FEWEST_HINTS} are asked for, none of them empty")
    if len(exercise.wrong) < FEWEST_WRONG:
        faults.append(f"{len(exercise.wrong)} wrong answers, {FEWEST_WRONG} are asked for")
    headings = [line.lower() for line in exercise.task().splitlines() if line.startswith("## ")]
    for part in PARTS:
        if not any(part in heading for heading in headings):
            faults.append(f"task.md has no heading with the word {part!r}")
    for file in exercise.files:
        try:
            made = starter.make(exercise, file)
        except starter.Drifted as drifted:
            faults.append(f"{file}: {drifted}")
            continue
        if exercise.regions.get(file) and made == exercise.solution(file):
            faults.append(f"{file}: the regions remove nothing")
    if not any(exercise.regions.values()):
        faults.append("no file has a region: the starter is the solution")
    for wrong in exercise.wrong:
        try:
            exchange(exercise.solution(wrong.file), wrong)
        except starter.Drifted as drifted:
            faults.append(str(drifted))
    return faults


def exchange(text, wrong):
    """Return the solution with a wrong answer's piece of text exchanged."""
    if text.count(wrong.old) != 1 or wrong.old == wrong.new:
        raise starter.Drifted(
            f"the wrong answer {wrong.name} exchanges {wrong.old!r}, which {wrong.file} "
            f"has {text.count(wrong.old)} times"
        )
    return text.replace(wrong.old, wrong.new)
