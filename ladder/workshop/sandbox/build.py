"""The copy of a student's files, made once at the start of a check, and its build."""

import hashlib
import io
import re
import shutil
import sys
import tokenize
from itertools import zip_longest
from pathlib import Path

from ladder.workshop.exercises import ROOT
from ladder.workshop.sandbox import child_handle, compiler_hints
from ladder.workshop.sandbox.check_failed import CheckFailed
from polymask.common import figures, saving

FOLDER = "source"  # for the copy
MOST_BYTES = 2**20
PYTHON = (".py", ".pyx", ".pxd", ".pxi")
TEXT = (*PYTHON, ".c", ".h", ".cpp", ".hpp", ".cl")

SECONDS = 90.0  # time-out of a build, long enough for a busy machine
MEMORY_GIB = 8.0
BUILD_FOLDERS = ("lib", "tmp", "cython")  # which a build writes
MOST_LINES = 30
CYTHON_ERROR = "Error compiling Cython file:\n"


class BuildFailed(Exception):
    """A failed build of the student's files; the message comes from the compiler."""


def build(exercise, folder, scratch):
    """Copy an exercise's files from `folder`, and build them; only `scratch` is written to.

    Returns the file to import: the extension module, or the copy where nothing needs to be built.
    Raises `BuildFailed`, or `CheckFailed` if the files cannot be read.
    """
    content, source = snapshot(exercise, folder, scratch), scratch / FOLDER
    for pattern in (f"{exercise.module}.*.so", f"{exercise.module}.html"):
        for old in source.glob(pattern):
            old.unlink()  # the student's own build or annotated page, perhaps of an earlier version
    if exercise.build not in ("cython", "setup"):
        return source / exercise.main
    key, stamp = digest(content), scratch / "built"
    if stamp.exists() and stamp.read_text() == key and (module := find(exercise, scratch)):
        return module
    for name in BUILD_FOLDERS:
        shutil.rmtree(scratch / name, ignore_errors=True)
    stamp.unlink(missing_ok=True)
    sources, how = exercise.sources or (exercise.main,), (exercise.csrc, exercise.language)
    ended = run_build(exercise.build, scratch, exercise.module, sources, *how)
    if ended.timed_out:
        raise BuildFailed(f"the build did not end within {SECONDS:.0f} s")
    module = find(exercise, scratch)
    if ended.code or module is None:
        output = about_the_student(ended.output, source)
        saving.check_build(output, scratch)
        output = shorten(first_error(output))
        if not ended.code:
            advice = "pass the result of cythonize to `setup` as `ext_modules`"
            if not re.search(r"(?m)^[^#\n]*\bsetup\(", (source / "setup.py").read_text("utf-8")):
                advice = "`setup(...)` is never called"
            if others := {file.name.partition(".")[0] for file in scratch.rglob("*.so")}:
                advice = f"but {min(others)!r}: correct the first argument of Extension"
            output = f"setup.py built no module called {exercise.module!r}: {advice}"
        commands = scratch / "commands.json"
        ran = commands.read_text(encoding="utf-8") if commands.exists() else ""
        output = "\n\n".join(filter(None, (output, compiler_hints.of(f"{output}\n{ran}"))))
        raise BuildFailed(output or f"the build ended with exit code {ended.code}")
    stamp.write_text(key)  # last, so that an interrupted build is repeated
    return module


def run_build(build, scratch, module, sources, headers=True, language=None):
    """Build the copy in `scratch`, or annotate it, in another process; return its `Ended`."""
    job = {"build": build, "source": str(scratch / FOLDER), "headers": headers}
    job |= {"module": module, "sources": list(sources), "language": language}
    return child_handle.run(f"{__name__}_process", job, scratch, SECONDS, MEMORY_GIB)


def find(exercise, scratch):
    """Return the built module, or None."""
    folders = scratch / "lib", scratch / FOLDER  # the latter if setup.py sets --inplace
    modules = [
        file for folder in folders for file in sorted(folder.rglob(f"{exercise.module}.*.so"))
    ]
    return modules[0] if modules else None


def digest(content):
    """Return a hash of all inputs of a build: files, Python, headers and flags."""
    sha = hashlib.sha256(f"{content}{sys.version}".encode())
    inputs = "*.[hp]*", "engine/include/polymask/*.h", "engine/exact_flags.txt"
    for file in sorted(file for name in inputs for file in (ROOT / "csrc").glob(name)):
        sha.update(file.name.encode() + b"\0" + file.read_bytes())
    return sha.hexdigest()


# The copy


def snapshot(exercise, folder, scratch):
    """Copy the files of a student's folder into a new folder `FOLDER` in `scratch`.

    Returns a hash of all names and contents. Raises `CheckFailed` if a file of the exercise is too
    large, cannot be read as text, or differs although it must not be changed.
    """
    source = scratch / FOLDER
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    sha = hashlib.sha256()
    for file in sorted(folder.iterdir()):
        name, is_required = file.name, file.name in exercise.files
        if not file.is_file() or (file.is_symlink() and not is_required):
            continue
        if file.stat().st_size > MOST_BYTES:
            if is_required:
                fact = f"{name} is larger than {MOST_BYTES // 2**20} MiB"
                raise CheckFailed(fact, advice="is it the right file?")
            continue
        content = file.read_bytes()
        if is_required:
            check_readable(name, content)
        (source / name).write_bytes(content)
        if file.suffix in TEXT:
            sha.update(name.encode(errors="surrogateescape") + b"\0" + content + b"\0")
    for name in exercise.given:
        check_given(exercise, name, (source / name).read_text(encoding="utf-8", errors="replace"))
    for name, path in exercise.watched.items():
        text = (ROOT / path).read_text(encoding="utf-8")
        text = text.replace(f'#include "{name}"', exercise.solution(name))
        (source / name).write_text(text, encoding="utf-8")
        sha.update(text.encode())
    return sha.hexdigest()


def check_given(exercise, name, text):
    """Raise `CheckFailed` if the student changed a file that must not be changed."""
    expected = exercise.solution(name).splitlines()
    for number, (old, new) in enumerate(zip_longest(expected, text.splitlines()), start=1):
        if old != new:
            own = [file for file in exercise.files if file not in exercise.given]
            fact = f"{name} is not the file that you were given: line {number} differs"
            again = f"copy {exercise.files[name]} into this folder again"
            raise CheckFailed(f"{fact}. Change only {', '.join(own)}, and {again}")


def check_readable(name, content):
    """Raise `CheckFailed` unless Python can read a file with that content."""
    if not name.endswith(PYTHON):
        return  # C comments in another encoding do no harm
    try:
        content.decode(tokenize.detect_encoding(io.BytesIO(content).readline)[0])
    except (SyntaxError, UnicodeDecodeError) as error:
        raise CheckFailed(f"{name} cannot be read ({error}): save it as UTF-8") from None


# The compiler's output


def about_the_student(output, source):
    """Return the output about the student's files, without paths and our own calls."""
    output = output.replace(f"{source}/", "").replace(str(Path(source).parent), "")
    output = re.sub(
        r"^(Compiling|\[\d+/\d+\] Cythonizing|Traceback|  File).*\n?", "", output, flags=re.M
    )
    lines = [line.rstrip() for line in output.splitlines()]
    command = re.compile(r"(\w*[Ee]rror: )?[Cc]ommand '.*(failed|returned non-zero)")
    lines = [line for line in lines if not command.match(line)]
    return "\n".join(lines).lstrip("\n")


def first_error(output):
    """Return Cython's output up to its second error, and the number of further errors."""
    before, *errors = output.split(CYTHON_ERROR)
    if len(errors) < 2:
        return output
    more = figures.count(len(errors) - 1, "more error")
    return f"{before}{CYTHON_ERROR}{errors[0].rstrip()}\n... and {more}, which may follow from it"


def shorten(output):
    """Return the first lines of a long text, and the number of further lines."""
    lines = output.splitlines()
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], f"... and {len(lines) - MOST_LINES} more lines"]
    return "\n".join(lines)
