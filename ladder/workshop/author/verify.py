"""The proof that every exercise can be failed and passed, for the right reasons."""

import shutil
import tempfile
from pathlib import Path

from ladder.workshop import exercises
from ladder.workshop.student import check

FEWEST_HINTS, VARIATIONS = 3, {"wrong": (2, 6), "honest": (0, 2)}
TRIES = 3  # for a verdict on speed: other programs may keep the cores busy
PARTS = ("learn", "do", "know", "think")  # a word of each heading of a task


def verify(exercise, say=lambda text: None):
    """Return a list of an exercise's faults; `say` gets a line before each attempt."""
    faults = on_paper(exercise)
    if faults:
        return faults
    with tempfile.TemporaryDirectory(prefix="polymask workshop ä ") as where:
        folder = Path(where) / exercise.directory
        folder.mkdir()

        def attempt(label, texts):
            say(f"{exercise.name}: {label}")
            shutil.rmtree(folder)  # with leftovers of an earlier answer
            folder.mkdir()
            for name, text in texts.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(text, encoding="utf-8")
            return check.check(exercise, Path(where), force=True)

        def until(is_settled, label, texts):
            """Repeat an attempt until it is settled: other programs may keep the cores busy."""
            for _ in range(TRIES):
                outcome = attempt(label, texts)
                if is_settled(outcome):
                    break
            return outcome

        solution = {name: exercise.solution(name) for name in exercise.files}
        start = attempt("starter", {name: exercise.starter(name) for name in exercise.files})
        if start.passed:
            faults.append("the starter passes")
        elif exercise.starter_says not in start.message:
            faults.append(f"the starter's message lacks {exercise.starter_says!r}: {start.message}")
        outcome = until(is_decided, "solution", solution)
        if not outcome.passed:
            faults.append(f"the solution fails: {outcome.message}\n{outcome.printed}")
            return faults
        for wrong in exercise.wrong.values():
            texts = varied(exercise, wrong)
            outcome = until(lambda o: not o.untimed, f"wrong answer: {wrong.name}", texts)
            faults += failing(wrong, outcome)
        for honest in exercise.honest.values():
            texts = varied(exercise, honest)
            faults += passing(honest, until(is_decided, f"honest answer: {honest.name}", texts))
    return faults


def is_decided(outcome):
    """Whether a further attempt cannot change the outcome."""
    return outcome.passed or not outcome.correct


def failing(wrong, outcome):
    """Return a list of the exercise's faults that a wrong answer shows."""
    if outcome.untimed:
        return [f"the wrong answer {wrong.name} is not judged: {outcome.untimed}"]
    if outcome.passed:
        return [f"the wrong answer {wrong.name} passes"]
    if not outcome.message or "Traceback" in outcome.message or wrong.says not in outcome.message:
        text = f", and must contain {wrong.says!r}" if wrong.says else ""
        return [f"the message for {wrong.name} does not help{text}: {outcome.message!r}"]
    return []


def passing(honest, outcome):
    """Return a list of the exercise's faults that an honest answer shows."""
    if not outcome.passed:
        return [f"the honest answer {honest.name} fails: {outcome.message}\n{outcome.printed}"]
    if honest.says not in outcome.note:
        return [f"the note for {honest.name} lacks {honest.says!r}: {outcome.note!r}"]
    return []


def on_paper(exercise):
    """Return the faults in an exercise's files, which show without a run."""
    faults = []
    hints = exercise.hints()
    if len(hints) < FEWEST_HINTS or not all(hints):
        faults.append(f"{len(hints)} hints, but {FEWEST_HINTS} are required, none of them empty")
    asked, answers = len(exercise.questions()), exercise.answers()
    if len(answers) != asked or not all(answers):
        faults.append(f"{len(answers)} answers, but task.md has {asked} questions")
    if not all(region.why for regions in exercise.regions.values() for region in regions):
        faults.append("each region needs a `why`, which `solution` shows")
    if exercise.checks != "mask" and not (exercise.folder / "check.py").exists():
        faults.append(f"checks is {exercise.checks!r}, but check.py is missing")
    beside = exercise.folder.parent.glob("*/exercise.toml")
    lesson = [exercises.read(file.parent) for file in beside if file.parent != exercise.folder]
    if exercise.number in [other.number for other in lesson]:
        faults.append(f"number {exercise.number} of this lesson belongs to another exercise")
    for kind, (fewest, most) in VARIATIONS.items():
        number = len(getattr(exercise, kind))
        if not fewest <= number <= most:
            faults.append(f"{number} {kind} answers, but {fewest} to {most} are required")
    headings = [line.lower() for line in exercise.task().splitlines() if line.startswith("## ")]
    for part in PARTS:
        if not any(part in heading for heading in headings):
            faults.append(f"task.md has no heading with the word {part!r}")
    for file in exercise.files:
        try:
            starter = exercise.starter(file)
        except exercises.Drifted as drifted:
            faults.append(f"{file}: {drifted}")
            continue
        if exercise.regions.get(file) and starter == exercise.solution(file):
            faults.append(f"{file}: the regions remove nothing")
    if not any(exercise.regions.values()):
        faults.append("no file has a region: the starter is the solution")
    for variation in (*exercise.wrong.values(), *exercise.honest.values()):
        try:
            varied(exercise, variation)
        except exercises.Drifted as drifted:
            faults.append(str(drifted))
    return faults


def varied(exercise, variation):
    """Return a dict from name to text of the files in a variation of the solution."""
    solution = {name: exercise.solution(name) for name in exercise.files}
    texts = solution | variation.files
    if variation.old or not variation.files:
        texts[variation.file] = exchange(texts[variation.file], variation)
    if texts == solution:
        raise exercises.Drifted(f"the answer {variation.name} is the solution")
    return texts


def exchange(text, variation):
    """Return a file's text with a variation's replacement."""
    if variation.old == variation.new:
        raise exercises.Drifted(f"the answer {variation.name} replaces a text with itself")
    if text.count(variation.old) != 1:
        raise exercises.Drifted(
            f"the answer {variation.name} replaces {variation.old!r}, which {variation.file} "
            f"has {text.count(variation.old)} times"
        )
    return text.replace(variation.old, variation.new)
