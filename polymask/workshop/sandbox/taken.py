"""The student's files, taken once at the start of a check: all that follows is of this copy."""

import hashlib
import os
import re
import shutil
import tokenize
from itertools import zip_longest
from pathlib import Path

from polymask.workshop.exercises import ROOT
from polymask.workshop.sandbox.wrong import Wrong

FOLDER = "source"
MOST_BYTES = 2**20
MOST_FILES, DEPTH = 200, 4  # in folders of the student's own, and how far down
MADE = re.compile(r"^(\.|build$|dist$|__pycache__$|venv$)|\.egg-info$")  # folders by tools
PYTHON = (".py", ".pyx", ".pxd", ".pxi")
TEXT = (*PYTHON, ".c", ".h", ".cpp", ".hpp", ".cl")


def take(exercise, folder, place):
    """Copy the files of a student's folder into a new folder `FOLDER` of `place`.

    Returns a hash of all names and contents. Raises `Wrong` if a file of the exercise's is too
    large, or no text that can be read, or not as it was given.
    """
    source = place / FOLDER
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    made = hashlib.sha256()
    for file in (*sorted(folder.iterdir()), *below(folder)):
        name = file.relative_to(folder).as_posix()
        asked = name in exercise.files
        if not file.is_file() or (file.is_symlink() and not asked):
            continue
        if file.stat().st_size > MOST_BYTES:
            if asked:
                raise Wrong(f"{name} is larger than {MOST_BYTES // 2**20} MiB: is it the file?")
            continue
        content = file.read_bytes()
        if asked:
            readable(name, content)
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes(content)
        if file.suffix in TEXT:
            made.update(name.encode(errors="surrogateescape") + b"\0" + content + b"\0")
    for name in exercise.given:
        as_given(exercise, name, (source / name).read_text(encoding="utf-8", errors="replace"))
    for name, path in exercise.watched.items():
        text = (ROOT / path).read_text(encoding="utf-8")
        text = text.replace(f'#include "{name}"', exercise.solution(name))
        (source / name).write_text(text, encoding="utf-8")
        made.update(text.encode())
    return made.hexdigest()


def below(folder):
    """Return the files of code in folders of the student's own, such as those of a package."""
    found = []
    for place, folders, names in os.walk(folder):
        depth = len(Path(place).relative_to(folder).parts)
        folders[:] = sorted(name for name in folders if depth < DEPTH and not MADE.search(name))
        if depth:
            found += [Path(place, name) for name in sorted(names) if name.endswith(TEXT)]
        if len(found) > MOST_FILES:
            raise Wrong(
                f"more than {MOST_FILES} files of code lie in folders beside the answer: leave "
                "only those there that the answer needs"
            )
    return found


def as_given(exercise, name, text):
    """Raise `Wrong` if a file is not the one that was given to the student."""
    given = exercise.solution(name).splitlines()
    for number, (old, new) in enumerate(zip_longest(given, text.splitlines()), start=1):
        if old != new:
            own = [file for file in exercise.files if file not in exercise.given]
            yours = f"{', '.join(own)} {'is' if len(own) == 1 else 'are'} yours"
            raise Wrong(
                f"{name} is not the file that was given to you: line {number} differs. Only "
                f"{yours} here; copy {exercise.files[name]} into this folder again"
            )


def readable(name, content):
    """Raise `Wrong` unless Python would read a file of that content."""
    if not name.endswith(PYTHON):
        return  # comments of C in another encoding do no harm
    lines = iter(content.splitlines(keepends=True))
    try:
        encoding = tokenize.detect_encoding(lambda: next(lines, b""))[0]
    except SyntaxError as error:
        if b"\0" in content[:100]:
            raise Wrong(
                f"{name} is no UTF-8: save it as UTF-8 (its bytes look like UTF-16)"
            ) from None
        encoding = "utf-8"
        if "unknown encoding" in str(error):
            raise Wrong(f"{name} names an encoding that Python does not know: {error}") from None
    try:
        content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise Wrong(
            f"{name} cannot be read as {encoding}: the byte 0x{content[error.start]:02x} in line "
            f"{line} is none of its; save the file as UTF-8, or name its encoding in the first "
            "line: # -*- coding: latin-1 -*-"
        ) from None
