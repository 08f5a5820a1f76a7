"""Builds a student's files: starts the build, keeps what was built, and finds what went wrong."""

import hashlib
import json
import keyword
import re
import shutil
import sys
import tempfile
from pathlib import Path

from polymask.common import saving
from polymask.contract import Unavailable
from polymask.report import figures
from polymask.workshop.exercises import ROOT
from polymask.workshop.sandbox import causes, process, taken
from polymask.workshop.sandbox.wrong import Wrong

PROCESS = "polymask.workshop.sandbox.build_process"
SECONDS = 90.0  # a build that takes longer hangs, on a busy machine too
MEMORY_GIB = 8.0
MADE = ("lib", "tmp", "cython")  # folders that a build makes
MOST_LINES = 30
CYTHON_ERROR = "Error compiling Cython file:\n"
ERROR = re.compile(r"^[^\s:]+:(\d+):(\d+): (?!warning)(.*)$", re.M)  # as Cython says it


class BuildFailed(Exception):
    """The student's files do not build; the message is the compiler's."""


def build(exercise, folder, place):
    """Copy an exercise's files from `folder`, and build them; nothing is written but to `place`.

    Returns what is imported: the extension module, or the copy where nothing needs to be built.
    Raises `BuildFailed`, or `Wrong` if the files cannot be read.
    """
    content = taken.take(exercise, folder, place)
    source = place / taken.FOLDER
    for old in source.glob(f"{exercise.module}.*.so"):
        old.unlink()  # the student's own build, of an earlier text perhaps
    if exercise.build not in ("cython", "setup"):
        return source / exercise.main
    key = digest(content)
    stamp = place / "built"
    if stamp.exists() and stamp.read_text() == key and (module := find(exercise, place)):
        return module
    for name in MADE:
        shutil.rmtree(place / name, ignore_errors=True)
    stamp.unlink(missing_ok=True)
    job = {
        "build": exercise.build,
        "source": str(source),
        "csrc": str(ROOT / "csrc"),
        "headers": exercise.csrc,
        "module": exercise.module,
        "sources": list(exercise.sources or (exercise.main,)),
        "language": exercise.language,
    }
    ended = process.run(PROCESS, job, place, SECONDS, MEMORY_GIB)
    if ended.timed_out:
        raise BuildFailed(f"the build did not end within {SECONDS:.0f} s")
    module = find(exercise, place)
    if ended.code or module is None:
        said = about_the_student(ended.output, source)
        saving.check_build(said, place)
        said = first_error(said)
        said = "\n\n".join(filter(None, (shortened(said), causes.of(said))))
        if not ended.code:
            said = f"setup.py built no module called {exercise.module!r}"
        raise BuildFailed(said or f"the build ended with {ended.code}")
    stamp.write_text(key)  # last: an interrupted build is built again
    return module


def annotate(file):
    """Return Cython's annotated page of a file, bytes.

    `ValueError` if its source is none, in a line; `Unavailable` if there can be no page here.
    """
    if not file.stem.isidentifier() or keyword.iskeyword(file.stem):
        raise ValueError(f"{file} has no name of a module: call it by letters, digits and _")
    try:
        taken.readable(file.name, file.read_bytes())
    except Wrong as wrong:
        raise ValueError(f"{file}: {wrong}") from None
    with tempfile.TemporaryDirectory() as name:
        source = Path(name) / "source"
        source.mkdir()
        for beside in [file, *file.parent.glob("*.pxd")]:
            shutil.copyfile(beside, source / beside.name)
        job = {
            "build": "annotate",
            "source": str(source),
            "csrc": str(ROOT / "csrc"),
            "headers": True,
            "module": file.stem,
            "sources": [file.name],
            "language": None,
        }
        ended = process.run(PROCESS, job, Path(name), SECONDS, MEMORY_GIB)
        pages = list(Path(name).rglob(f"{file.stem}.html"))
        if ended.code or not pages:
            said = about_the_student(ended.output, source)
            saving.check_build(said, name)
            if errors := ERROR.findall(said):
                line, column, what = errors[0]
                more = f", and {len(errors) - 1} more" if errors[1:] else ""
                place = f"line {line}, column {column}"
                raise ValueError(f"{file} does not translate: {place}: {what}{more}")
            raise Unavailable(f"{file} does not translate", shortened(said))
        return pages[0].read_bytes()


def find(exercise, place):
    """Return the module that was built, or None."""
    folders = place / "lib", place / taken.FOLDER  # the latter by a setup.py that says --inplace
    found = [file for one in folders for file in sorted(one.rglob(f"{exercise.module}.*.so"))]
    return found[0] if found else None


def page(exercise, place):
    """Return Cython's annotated page, or None where there is none."""
    found = sorted(place.rglob(f"{exercise.module}.html"))
    return found[0] if found else None


def translation(exercise, place):
    """Return the file of C, or C++, that Cython wrote."""
    kind = "cpp" if exercise.language == "c++" else "c"
    return next((place / "cython").rglob(f"{exercise.module}.{kind}"))


def commands(place):
    """Return the commands that setup.py ran, lists of words."""
    return json.loads((place / "commands.json").read_text(encoding="utf-8"))


def digest(content):
    """Hash of what is built: the student's files, Python, the headers they include, the flags."""
    made = hashlib.sha256(f"{content}{sys.version}".encode())
    headers = sorted(p for p in (ROOT / "csrc").glob("*.*") if p.suffix in (".h", ".hpp", ".pxd"))
    for file in [*headers, ROOT / "csrc/engine/exact_flags.txt"]:
        made.update(file.name.encode() + b"\0" + file.read_bytes())
    return made.hexdigest()


def about_the_student(output, source):
    """Return what the compiler said of the student's files, without paths and our own calls."""
    output = output.replace(f"{source}/", "").replace(str(Path(source).parent), "")
    output = re.sub(
        r"^(Compiling|\[\d+/\d+\] Cythonizing|Traceback|  File).*\n?", "", output, flags=re.M
    )
    lines = [line.rstrip() for line in output.splitlines()]
    lines = [line for line in lines if not re.match(r"(error: )?[Cc]ommand '.*failed", line)]
    while lines and not lines[0]:
        lines.pop(0)
    return "\n".join(lines)


def first_error(said):
    """Return what Cython said up to its second error, and how many more there are.

    Most of the others follow from the first.
    """
    before, *errors = said.split(CYTHON_ERROR)
    if len(errors) < 2:
        return said
    more = figures.count(len(errors) - 1, "more error")
    return f"{before}{CYTHON_ERROR}{errors[0].rstrip()}\n... and {more}, which may follow from it"


def shortened(said):
    """Return the first lines of a long text, and how many more there are."""
    lines = said.splitlines()
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], f"... and {len(lines) - MOST_LINES} lines more"]
    return "\n".join(lines)
