"""Copies a student's files, once at the start of a check, and builds the copy."""

import hashlib
import os
import re
import shutil
import sys
import tokenize
from itertools import zip_longest
from pathlib import Path

from polymask.common import saving
from polymask.report import figures
from polymask.workshop.exercises import ROOT
from polymask.workshop.sandbox import child_handle, compiler_hints
from polymask.workshop.sandbox.check_failed import CheckFailed

FOLDER = "source"  # of the copy
MOST_BYTES = 2**20
MOST_FILES, DEPTH = 200, 4  # in folders of the student's own, and how far down
MADE = re.compile(r"^(\.|build$|dist$|__pycache__$|venv$)|\.egg-info$")  # folders by tools
PYTHON = (".py", ".pyx", ".pxd", ".pxi")
TEXT = (*PYTHON, ".c", ".h", ".cpp", ".hpp", ".cl")

PROCESS = "polymask.workshop.sandbox.build_process"
SECONDS = 90.0  # a build that takes longer hangs, on a busy machine too
MEMORY_GIB = 8.0
BUILT = ("lib", "tmp", "cython")  # folders that a build makes
MOST_LINES = 30
CYTHON_ERROR = "Error compiling Cython file:\n"


class BuildFailed(Exception):
    """The student's files do not build; the message is the compiler's."""


def build(exercise, folder, place):
    """Copy an exercise's files from `folder`, and build them; nothing is written but to `place`.

    Returns what is imported: the extension module, or the copy where nothing needs to be built.
    Raises `BuildFailed`, or `CheckFailed` if the files cannot be read.
    """
    content, source = snapshot(exercise, folder, place), place / FOLDER
    for old in source.glob(f"{exercise.module}.*.so"):
        old.unlink()  # the student's own build, of an earlier text perhaps
    if exercise.build not in ("cython", "setup"):
        return source / exercise.main
    key, stamp = digest(content), place / "built"
    if stamp.exists() and stamp.read_text() == key and (module := find(exercise, place)):
        return module
    for name in BUILT:
        shutil.rmtree(place / name, ignore_errors=True)
    stamp.unlink(missing_ok=True)
    ended = compiled(
        exercise.build,
        place,
        exercise.module,
        exercise.sources or (exercise.main,),
        exercise.csrc,
        exercise.language,
    )
    if ended.timed_out:
        raise BuildFailed(f"the build did not end within {SECONDS:.0f} s")
    module = find(exercise, place)
    if ended.code or module is None:
        output = about_the_student(ended.output, source)
        saving.check_build(output, place)
        output = first_error(output)
        output = "\n\n".join(filter(None, (shortened(output), compiler_hints.of(output))))
        if not ended.code:
            output = f"setup.py built no module called {exercise.module!r}"
        raise BuildFailed(output or f"the build ended with {ended.code}")
    stamp.write_text(key)  # last: an interrupted build is built again
    return module


def compiled(build, place, module, sources, headers=True, language=None):
    """Let a process build the copy in `place`, or annotate it; return how it ended."""
    job = {
        "build": build,
        "source": str(place / FOLDER),
        "headers": headers,
        "module": module,
        "sources": list(sources),
        "language": language,
    }
    return child_handle.run(PROCESS, job, place, SECONDS, MEMORY_GIB)


def find(exercise, place):
    """Return the module that was built, or None."""
    folders = place / "lib", place / FOLDER  # the latter by a setup.py that says --inplace
    found = [file for one in folders for file in sorted(one.rglob(f"{exercise.module}.*.so"))]
    return found[0] if found else None


def digest(content):
    """Hash of what is built: the student's files, Python, the headers they include, the flags."""
    made = hashlib.sha256(f"{content}{sys.version}".encode())
    headers = sorted(p for p in (ROOT / "csrc").glob("*.*") if p.suffix in (".h", ".hpp", ".pxd"))
    for file in [*headers, ROOT / "csrc/engine/exact_flags.txt"]:
        made.update(file.name.encode() + b"\0" + file.read_bytes())
    return made.hexdigest()


# The copy: all that follows is of it


def snapshot(exercise, folder, place):
    """Copy the files of a student's folder into a new folder `FOLDER` of `place`.

    Returns a hash of all names and contents. Raises `CheckFailed` if a file of the exercise is too
    large, cannot be read as text, or must not be changed and was.
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
                raise CheckFailed(
                    f"{name} is larger than {MOST_BYTES // 2**20} MiB: is it the file?"
                )
            continue
        content = file.read_bytes()
        if asked:
            check_readable(name, content)
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes(content)
        if file.suffix in TEXT:
            made.update(name.encode(errors="surrogateescape") + b"\0" + content + b"\0")
    for name in exercise.given:
        check_given(exercise, name, (source / name).read_text(encoding="utf-8", errors="replace"))
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
            raise CheckFailed(
                f"more than {MOST_FILES} files of code lie in folders beside the answer: leave "
                "only those there that the answer needs"
            )
    return found


def check_given(exercise, name, text):
    """Raise `CheckFailed` if a file is not the one that was given to the student."""
    given = exercise.solution(name).splitlines()
    for number, (old, new) in enumerate(zip_longest(given, text.splitlines()), start=1):
        if old != new:
            own = [file for file in exercise.files if file not in exercise.given]
            yours = f"{', '.join(own)} {'is' if len(own) == 1 else 'are'} yours"
            raise CheckFailed(
                f"{name} is not the file that was given to you: line {number} differs. Only "
                f"{yours} here; copy {exercise.files[name]} into this folder again"
            )


def check_readable(name, content):
    """Raise `CheckFailed` unless Python would read a file of that content."""
    if not name.endswith(PYTHON):
        return  # comments of C in another encoding do no harm
    lines = iter(content.splitlines(keepends=True))
    try:
        encoding = tokenize.detect_encoding(lambda: next(lines, b""))[0]
    except SyntaxError as error:
        if b"\0" in content[:100]:
            raise CheckFailed(
                f"{name} is no UTF-8: save it as UTF-8 (its bytes look like UTF-16)"
            ) from None
        encoding = "utf-8"
        if "unknown encoding" in str(error):
            raise CheckFailed(
                f"{name} names an encoding that Python does not know: {error}"
            ) from None
    try:
        content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise CheckFailed(
            f"{name} cannot be read as {encoding}: the byte 0x{content[error.start]:02x} in line "
            f"{line} is none of its; save the file as UTF-8, or name its encoding in the first "
            "line: # -*- coding: latin-1 -*-"
        ) from None


# What the compiler says


def about_the_student(output, source):
    """Return what the compiler said of the student's files, without paths and our own calls."""
    output = output.replace(f"{source}/", "").replace(str(Path(source).parent), "")
    output = re.sub(
        r"^(Compiling|\[\d+/\d+\] Cythonizing|Traceback|  File).*\n?", "", output, flags=re.M
    )
    lines = [line.rstrip() for line in output.splitlines()]
    lines = [line for line in lines if not re.match(r"(error: )?[Cc]ommand '.*failed", line)]
    return "\n".join(lines).lstrip("\n")


def first_error(output):
    """Return what Cython said up to its second error, and how many more there are.

    Most of the others follow from the first.
    """
    before, *errors = output.split(CYTHON_ERROR)
    if len(errors) < 2:
        return output
    more = figures.count(len(errors) - 1, "more error")
    return f"{before}{CYTHON_ERROR}{errors[0].rstrip()}\n... and {more}, which may follow from it"


def shortened(output):
    """Return the first lines of a long text, and how many more there are."""
    lines = output.splitlines()
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], f"... and {len(lines) - MOST_LINES} lines more"]
    return "\n".join(lines)
