"""The student's folder: `start` creates it, other commands find it, and `reset` keeps copies."""

import json
import os
import sys
from pathlib import Path

from ladder.workshop import exercises
from ladder.workshop.student import progress
from polymask.common import figures, saving
from polymask.common.error_text import nearest
from polymask.contract import Unavailable

NAME = "workshop"
COURSE = "course.txt"  # the names of exercises in a course's own order, one per line
TASKS = ".vscode/tasks.json"  # VS Code: check the exercise whose file is open, mark its errors


def start(where, selected, as_course=False):
    """Write the missing exercises; return those that were written.

    An existing file belongs to the student, and is not changed. With `as_course`, course.txt lists
    the selected exercises from now on.
    """
    saving.make_folder(where)
    if not (where / progress.FILE).exists():
        progress.save(where, {})
    if as_course:
        saving.write(where / COURSE, "".join(f"{exercise.name}\n" for exercise in selected))
    if not (where / TASKS).exists():
        saving.make_folder((where / TASKS).parent)
        tasks = Path(__file__).with_name("tasks.json").read_text(encoding="utf-8")
        saving.write(where / TASKS, tasks.replace('"PYTHON"', json.dumps(sys.executable)))
    return [exercise for exercise in selected if write_missing(where, exercise)]


def write_missing(where, exercise):
    """Write the missing files of an exercise; return whether there were any."""
    folder = where / exercise.directory
    saving.make_folder(folder)
    texts = {"task.md": exercise.task()}
    texts |= {file: exercise.starter(file) for file in exercise.files}
    missing = {name: text for name, text in texts.items() if not (folder / name).exists()}
    for name, text in missing.items():
        saving.write(folder / name, text)  # half a starter would count as an answer
    return bool(missing)


def reset(where, exercise):
    """Restore the starter; return the copies of files that differed."""
    folder, copies = where / exercise.directory, []
    saving.make_folder(folder)
    for name in exercise.files:
        file, text = folder / name, exercise.starter(name)
        # a link itself is moved aside: writing through it would overwrite its target
        with saving.replacing(file, trusted=False) as unfinished:
            unfinished.write_text(text, encoding="utf-8")
            if file.exists() and file.read_text(encoding="utf-8", errors="replace") != text:
                copy = free_name(file)
                os.replace(file, copy)
                copies.append(copy)
    return copies


def free_name(file):
    """Return an unused name for a copy: type.pyx.1, type.pyx.2, ..."""
    number = 1
    while (copy := file.with_name(f"{file.name}.{number}")).exists() or copy.is_symlink():
        number += 1
    return copy


def edited(where, exercise):
    """Return the paths of the files that the student edits, from the current folder."""
    names = [name for name in exercise.files if exercise.regions.get(name)]
    return figures.listed([os.path.relpath(where / exercise.directory / name) for name in names])


def course(where):
    """Return the names in course.txt, without comments (`#`); a ValueError names a wrong one."""
    file, names = where / COURSE, []
    if not file.is_file():
        return names
    known = exercises.folders()
    text = file.read_text(encoding="utf-8-sig", errors="replace")
    for number, row in enumerate(text.splitlines(), start=1):
        name = exercises.NUMBERS.sub("", row.partition("#")[0].strip())
        if name in known:
            names.append(name)
        elif name:
            advice = nearest(name, known)
            raise ValueError(f"{file}, line {number}: no exercise is called {name!r}{advice}")
    return names


def select(where):
    """Return the exercises of course.txt, or all of them without this file."""
    return [exercises.get(name) for name in course(where)] or exercises.every()


def find(start=None):
    """Find the workshop's folder: here, above, or in ./workshop; raise `Unavailable` otherwise."""
    current = Path(start or Path.cwd()).resolve()
    for folder in (current, *current.parents, current / NAME):
        if (folder / progress.FILE).is_file():
            return folder
    raise Unavailable("no workshop here or above", "create one with `polymask workshop start`")


def find_or_name():
    """Return the workshop's folder here or above, or the one that `start` would create."""
    try:
        return find()
    except Unavailable:
        return Path(NAME).absolute()


def places(where):
    """Return a dict from exercise name to folder: those of course.txt, then the checked ones."""
    in_order, names = folders(where), course(where)
    if not names:
        return in_order
    checked = {name for name, result in progress.load(where).items() if result.checks}
    names += [name for name in in_order if name in checked - {*names}]
    return {name: in_order[name] for name in names if name in in_order}


def unfinished(where, after=None):
    """Yield the names of the exercises to do: broken ones first, then those behind `after`."""
    names, results = list(places(where)), progress.load(where)
    at = names.index(after) + 1 if after in names else 0
    todo = [name for name in names[at:] + names[:at] if not results[name].holds]
    todo.sort(key=lambda name: results[name].state != progress.BROKEN)
    return (name for name in todo if not exercises.get(name).closed())


def closed(names):
    """Return lines with those of the exercises that are closed on this machine, and why."""
    reasons = {name: exercises.get(name).closed() for name in names}
    return figures.by_reason({name: f"closed: {why}" for name, why in reasons.items() if why})


def folders(where):
    """Return a dict from exercise name to folder, for all in the workshop, by lesson."""
    named = {exercise.name: where / exercise.directory for exercise in exercises.every()}
    return {name: place for name, place in named.items() if place.is_dir()}


def name_here(where, start=None):
    """Return the name of the exercise in the current folder, or None."""
    current = Path(start or Path.cwd()).resolve()
    names = {place.name: name for name, place in folders(where).items()}
    return names.get(current.name) or names.get(current.parent.name)
