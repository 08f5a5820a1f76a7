"""The student's folder: what `start` writes, where the others find it, and what is never lost."""

import os
import re
from pathlib import Path

from polymask.common import saving
from polymask.contract import Unavailable
from polymask.workshop import exercises
from polymask.workshop.student import progress

NAME = "workshop"
DIRECTORY = re.compile(r"(\d+)_(\d+)_(\w+)")  # of an exercise: lesson, number, name


def start(where, chosen):
    """Write the exercises that are not there yet; return those that were written.

    A file that is there already is the student's, and is not touched.
    """
    saving.make_folder(where)
    reached = where / progress.FILE
    if reached.exists() and not reached.is_file():  # without the file no command finds the folder
        mend = "move or rename it, and `polymask workshop start` begins a new one"
        raise ValueError(f"{reached} is no file: {mend}")
    if not reached.exists():
        progress.save(where, {})
    return [exercise for exercise in chosen if write_missing(where, exercise)]


def write_missing(where, exercise):
    """Write the files of an exercise that do not exist; say whether there were any."""
    folder = where / exercise.directory
    refuse_file(folder)
    saving.make_folder(folder)
    texts = {"task.md": exercise.task()}
    texts |= {file: exercise.starter(file) for file in exercise.files}
    missing = {name: text for name, text in texts.items() if not (folder / name).exists()}
    for name, text in missing.items():
        saving.write(folder / name, text)  # half a starter would be taken for the student's
    return bool(missing)


def refuse_file(place):
    """Refuse a file that stands where an exercise's folder goes: no command could make that."""
    if place.exists() and not place.is_dir():
        mend = "move or rename it, and `polymask workshop start` adds the exercise"
        raise ValueError(f"{place} is a file, not a folder: {mend}")


def refuse_no_file(place):
    """Refuse what stands where an answer goes and is no file: to read a pipe would never end."""
    if place.exists() and not place.is_file():
        mend = "move or rename it, and `polymask workshop reset` puts the starter there"
        raise ValueError(f"{place} is no file: {mend}")


def reset(where, exercise):
    """Put the starter back; return the copies that were kept of files that differed."""
    folder, kept = where / exercise.directory, []
    refuse_file(folder)
    for name in exercise.files:
        refuse_no_file(folder / name)  # all of them, before one is changed
    saving.make_folder(folder)
    for name in exercise.files:
        file, text = folder / name, exercise.starter(name)
        # a link is moved aside as it is: written through, it would lose what it leads to
        with saving.replacing(file, trusted=False) as made:
            made.write_text(text, encoding="utf-8")
            if file.exists() and file.read_text(encoding="utf-8", errors="replace") != text:
                copy = free_name(file)
                os.replace(file, copy)
                kept.append(copy)
    return kept


def free_name(file):
    """Return a name for a copy that no file has yet: type.pyx.1, type.pyx.2, ..."""
    number = 1
    while (copy := file.with_name(f"{file.name}.{number}")).exists() or copy.is_symlink():
        number += 1
    return copy


def find(start=None):
    """Find the workshop's folder: here, above, or in ./workshop; `Unavailable` if there is none."""
    here = Path(start or Path.cwd()).resolve()
    for folder in (here, *here.parents, here / NAME):
        if (folder / progress.FILE).is_file():
            return folder
    raise Unavailable("no workshop here or above", "`polymask workshop start` makes one")


def find_or_name():
    """Return the workshop's folder if there is one here or above, else where `start` puts one."""
    try:
        return find()
    except Unavailable:
        return Path(NAME)


def places(where):
    """Return the name and the folder of each exercise that is there, in their order."""
    known = exercises.folders()
    found = [(DIRECTORY.fullmatch(place.name), place) for place in where.iterdir()]
    there = [
        (int(match[1]), int(match[2]), match[3], place)
        for match, place in found
        if match and match[3] in known and place.is_dir()
    ]
    return {name: place for _, _, name, place in sorted(there)}


def name_here(where, start=None):
    """Return the name of the exercise whose folder this is, or None."""
    here = Path(start or Path.cwd()).resolve()
    there = {place.name: name for name, place in places(where).items()}
    return there.get(here.name) or there.get(here.parent.name)
