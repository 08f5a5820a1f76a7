"""The exercises, found beside their lessons: ``N_name/exercises/<exercise>/``.

An exercise is a folder with task.md, hints.md, answers.md, exercise.toml, and check.py if it needs
more than the checks of masks. `Definition` describes exercise.toml; lesson.toml beside the folders
has keys that are the same in most exercises of a lesson. docs/authoring.md tells how to write
an exercise. A starter is its solution with regions cut out, so the two cannot drift apart.
"""

import importlib.util
import re
import sys
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Literal

from ladder import registry
from ladder.common import preflight, records
from ladder.common.staleness import ROOT
from ladder.registry import workload
from polymask.common.error_text import nearest
from polymask.contract import Unavailable

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

MARK = "\n---\n"  # between two hints in hints.md, and two answers in answers.md
NUMBERS = re.compile(r"^\d+_\d+_")  # lesson and exercise, at the start of a folder's name


@dataclass(frozen=True)
class Speed:
    """The required speed of an answer, as ratios within one run."""

    before: str | None = None  # key of the rung that the student starts from
    solution: str | None = None  # key of its rung; None if the exercise has its own
    size: int = 256  # rows and columns of the timed image
    of_solution: float = 0.0  # the minimum fraction of the solution's speed
    times_before: float = 0.0  # the minimum speed-up over `before`
    cores: int = 1  # needed for the comparison, which is skipped with fewer
    # Whether the solution must be faster than `before` in the same run: otherwise an answer's speed
    # is not judged. False if the solution gains little, or if that is the lesson.
    gains: bool = True
    # The timed functions of the answer's module, if not masks: "yours", and "before" if one exists.
    # `timed` in check.py draws their arguments.
    functions: dict[str, str] = field(default_factory=dict)
    measured: str = ""  # their work, in words

    @property
    def baseline(self):
        """The name of the rung or function that the student starts from."""
        return self.before or self.functions.get("before", "the earlier version")

    @property
    def what(self):
        """The timed work, in words."""
        size = f"{self.size} x {self.size}"
        masks = f"masks of about {size} pixels, polygons of {workload.VERTICES} vertices"
        return self.measured or masks


@dataclass(frozen=True)
class Region:
    """Lines of a solution that a starter lacks: the first, the last, and their replacement.

    `last` is None for a single line.
    """

    first: str
    last: str | None = None
    put: str = ""  # the replacement
    why: str = ""  # what the solution's lines do, for a student who compares an answer with it


@dataclass(frozen=True)
class Variation:
    """An answer other than the solution that must fail, or that must pass."""

    name: str = ""  # its key in exercise.toml
    file: str = ""  # the solution's file in which a text is replaced; by default the main one
    old: str = ""  # empty if nothing is replaced
    new: str = ""
    files: dict[str, str] = field(default_factory=dict)  # name to whole text, of further files, too
    says: str = ""  # in the check's message, if it fails or passes for the right reason


@dataclass(frozen=True, eq=False, kw_only=True)
class Definition:
    """The contents of an exercise.toml."""

    number: int  # of the exercise in its lesson
    minutes: int  # a student's time, for the timetable
    main: str  # the file that is imported; its stem is the module
    given: tuple[str, ...] = ()  # files that the student must not change
    # name in the student's folder to its solution's path, from the checkout's root; by default
    # `main` and `given`, whose solutions lie in the exercise's folder
    files: dict[str, str] = field(default_factory=dict)
    sources: tuple[str, ...] = ()  # files that Cython and the compiler join into one module
    language: Literal["c++"] | None = None  # of Cython's code; None for C
    csrc: bool = True  # whether Cython finds the headers and declarations of csrc
    # One of `given` to the path, from the checkout's root, of a file that is built in its place. It
    # includes the original, and reports to a check.
    watched: dict[str, str] = field(default_factory=dict)
    kind: Literal["write", "find the bug", "predict", "measure"] = "write"  # of the task
    # which checks run: those of masks, those in check.py, or both
    checks: Literal["mask", "own", "both"] = "own"
    needs: str | None = None  # key of a rung with the same device or library, which must run here
    on_device: bool = True  # False if that rung's packages are enough, without its device
    seconds: float = 3.0  # time-out of each step of the answers; timing has its own
    memory_gib: float = 4.0  # limit for the student's process
    # environment variables of the answer's processes
    variables: dict[str, str] = field(default_factory=dict)
    yellow: tuple[str, ...] = ()  # functions whose loops must not call Python
    starter_says: str = "not written yet"  # in the message about the unchanged starter
    allows: tuple[str, ...] = ()  # modules of the project that it may import, besides the contract
    speed: Speed | None = None
    # file to its regions, in the order of the text
    regions: dict[str, tuple[Region, ...]] = field(default_factory=dict)
    wrong: dict[str, Variation] = field(default_factory=dict)  # mistakes and shortcuts: they fail
    honest: dict[str, Variation] = field(default_factory=dict)  # other solutions: they pass


@dataclass(frozen=True, eq=False, kw_only=True)
class Exercise(Definition):
    """One exercise: the contents of its exercise.toml, and its place in the checkout."""

    name: str  # of the folder, unique in the workshop
    folder: Path
    rung: int  # the lesson's number

    @property
    def directory(self):
        """The name of the student's folder: lesson, number and name."""
        return f"{self.rung}_{self.number}_{self.name}"

    @property
    def module(self):
        """The name of the imported module."""
        return Path(self.main).stem

    @property
    def stars(self):
        """One star up to 10 minutes, two up to 20, else three."""
        return "*" * (1 + (self.minutes > 10) + (self.minutes > 20))

    @property
    def size(self):
        """Its kind, stars and minutes, in words."""
        return f"{self.kind}, {self.stars}, {self.minutes} minutes"

    @property
    def title(self):
        """A few words for lists: the first line of the task."""
        return (self.folder / "task.md").read_text(encoding="utf-8").partition("\n")[0][2:]

    @property
    def build(self):
        """How it is built: by "setup" (its setup.py), "cython", as a "kernel", or "none"."""
        kinds = {".pyx": "cython", ".cl": "kernel"}
        return "setup" if "setup.py" in self.files else kinds.get(Path(self.main).suffix, "none")

    @property
    def uses_opencl(self):
        """Whether it needs an OpenCL device."""
        return bool(self.needs) and registry.get(self.needs).device == "opencl"

    @property
    def compiles(self):
        """Whether its check runs a C compiler: on its own code, or on a kernel for the host."""
        return self.build in ("cython", "setup") or "ladder.offload" in self.allows

    def require(self, load=registry.Rung.load):
        """Import the packages that the exercise needs; raise `Unavailable` if one is missing."""
        if self.compiles and (lacking := preflight.lacking()):
            raise Unavailable(lacking)
        if self.needs:
            rung = registry.get(self.needs)
            if self.on_device:
                load(rung)
            else:
                rung.load_packages()

    def closed(self):
        """Return why it cannot run on this machine without a C compiler; "" if it can."""
        try:
            if preflight.lacking():
                self.require(registry.Rung.look)
        except Unavailable as unavailable:
            return str(unavailable)
        return ""

    def task(self):
        """Return the text of the task, with its kind, size and lesson below the title."""
        title, _, text = (self.folder / "task.md").read_text(encoding="utf-8").partition("\n")
        lesson = self.folder.parents[1] / "README.md"
        head = f"{title}\n\nTask: {self.size}\n"
        return f"{head}Lesson: {lesson} (all paths here begin in {ROOT})\n{text}"

    def hints(self):
        """Return the hints, in order of detail."""
        return self._parts("hints.md")

    def questions(self):
        """Return what to think about afterwards: the last list of the task."""
        _, _, text = self.task().partition("\n## What to think about afterwards\n")
        return [" ".join(item.split()) for item in re.split(r"^- ", text, flags=re.M)[1:]]

    def answers(self):
        """Return the answers to `questions`."""
        return self._parts("answers.md")

    def _parts(self, file):
        text = (self.folder / file).read_text(encoding="utf-8")
        return [part.strip("\n") for part in text.split(MARK)]  # code is indented

    def solution(self, file):
        """Return the text of a file's solution."""
        return (ROOT / self.files[file]).read_text(encoding="utf-8")

    def starter(self, file):
        """Return the text of a file's starter."""
        return cut(self.solution(file), self.regions.get(file, ()))

    def own_check(self):
        """Import and return check.py, if it exists; it may use files beside it, ``from .lines``."""
        file, name = self.folder / "check.py", f"polymask_check_{self.name}"
        if not file.exists():
            return None
        for old in [module for module in sys.modules if module.partition(".")[0] == name]:
            del sys.modules[old]  # perhaps from another copy of the exercise
        spec = importlib.util.spec_from_file_location(
            name, file, submodule_search_locations=[str(self.folder)]
        )
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module


class Drifted(ValueError):
    """A region whose lines are no longer in the solution."""


def cut(text, regions):
    """Return a solution's text with each region's lines replaced by the region's `put`.

    A region starts at the first line after the previous region that begins with `first`, apart from
    leading blanks. It ends with the next line that begins with `last`, or is a single line if
    `last` is None. Raises `Drifted` if a line is missing.
    """
    lines, kept, position = text.splitlines(), [], 0
    for region, (first, last) in zip(regions, spans(text, regions), strict=True):
        kept += [*lines[position:first], *region.put.splitlines()]
        position = last + 1
    return "\n".join([*kept, *lines[position:]]) + "\n"


def spans(text, regions):
    """Return the indices (first, last) of each region's lines in a solution's text."""
    lines, indices, position = text.splitlines(), [], 0
    for region in regions:
        first = _find(lines, region.first, position)
        last = first if region.last is None else _find(lines, region.last, first + 1)
        indices.append((first, last))
        position = last + 1
    return indices


def _find(lines, prefix, start):
    for number in range(start, len(lines)):
        if lines[number].strip().startswith(prefix):
            return number
    raise Drifted(f"no line from {start + 1} on begins with {prefix!r}")


def folders():
    """Return the names of all exercises, each with its folder in the checkout."""
    files = ROOT.glob("[0-9]_*/exercises/*/exercise.toml")
    return {file.parent.name: file.parent for file in sorted(files)}


def read(folder):
    """Read the exercise in a folder; raise `ValueError` if its file is invalid."""
    table = {}
    for file in (folder.parent / "lesson.toml", folder / "exercise.toml"):
        try:
            if file.exists() or file.parent == folder:
                table |= tomllib.loads(file.read_text(encoding="utf-8"))
        except RecursionError:
            raise ValueError(f"{file}: it is nested too deeply") from None
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from error
    try:
        toml = records.read(Definition, table, "")
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error
    values = {item.name: getattr(toml, item.name) for item in fields(toml)}
    beside = "/".join(folder.parts[-3:])
    own = {name: f"{beside}/{name}" for name in (toml.main, *toml.given)}
    values["files"] = toml.files or own
    for kind in ("wrong", "honest"):
        values[kind] = {
            name: replace(item, name=name, file=item.file or toml.main)
            for name, item in values[kind].items()
        }
    rung = int(folder.parent.parent.name.partition("_")[0])
    return Exercise(name=folder.name, folder=folder, rung=rung, **values)


def every():
    """Return the exercises in order."""
    return sorted(map(read, folders().values()), key=lambda e: (e.rung, e.number))


def get(name):
    """Return the exercise of that name, or of a student's folder; an error suggests the nearest."""
    known, folder_name = folders(), Path(name).name
    if folder := known.get(NUMBERS.sub("", folder_name)):
        exercise = read(folder)
        if folder_name in (exercise.name, exercise.directory):
            return exercise
    raise KeyError(f"no exercise is called {name!r}{nearest(folder_name, known)}")


def listed(text):
    """Return the exercises of names, with commas or spaces between them, without repetitions."""
    by_name = {exercise.name: exercise for exercise in map(get, re.split("[ ,]+", text))}
    return list(by_name.values())
