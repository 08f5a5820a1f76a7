"""The exercises, found beside their lessons: ``N_name/exercises/<exercise>/``.

An exercise is a folder: task.md, hints.md, exercise.toml, and where it needs more than the mask's
own checks, check.py. `Written` says what is in exercise.toml, and WORKSHOP.md how one is written.
A starter is its solution without some regions: it is made, and so cannot drift from it.
"""

import importlib.util
import re
import sys
from dataclasses import dataclass, field, fields, replace
from math import inf
from pathlib import Path
from typing import Literal

from polymask.common import records
from polymask.common.staleness import ROOT
from polymask.contract import Unavailable
from polymask.ladder import registry, workload

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HINT_MARK = "\n---\n"  # stands between two hints of hints.md
NUMBERS = re.compile(r"^\d+_\d+_")  # of lesson and exercise: how a student's folder begins


@dataclass(frozen=True)
class Speed:
    """How fast an answer has to be, as ratios within one run."""

    before: str | None = None  # key of the rung that the student departs from
    solution: str | None = None  # key of its rung; None where the exercise keeps its own
    size: int = 256  # rows and columns of the image it is measured on
    of_solution: float = 0.0  # the least share of the solution's speed
    times_before: float = 0.0  # the least speed-up against `before`
    cores: int = 1  # that the comparison needs; with fewer it is skipped
    # Whether the solution is faster than `before`: where it is not, here and now, an answer's speed
    # cannot be judged. False where it gains little, or where that is the lesson.
    gains: bool = True
    # Where functions of the answer's module are measured, and no mask: "yours", and "before" where
    # the solution has that, too. check.py has `timed`, which draws their arguments.
    functions: dict[str, str] = field(default_factory=dict)
    measured: str = ""  # what they do, in words
    slower: str = ""  # why a right answer may be slow, for one that passes far from the solution

    @property
    def what(self):
        """What is measured, in words, of which the ratios are true."""
        size = f"{self.size} x {self.size}"
        masks = f"masks of some {size} pixels, polygons of {workload.VERTICES} vertices"
        return self.measured or masks


@dataclass(frozen=True)
class Region:
    """Lines of a solution that a starter lacks: the first, the last, and what stands instead.

    `last` is None where it is one line.
    """

    first: str
    last: str | None = None
    put: str = ""  # lines


@dataclass(frozen=True)
class Variation:
    """Another answer than the solution, which has to fail, or to pass as the solution does."""

    name: str  # unique within the exercise
    file: str = ""  # of the solution, in which a piece of text is exchanged; else the main one
    old: str = ""  # empty where nothing is exchanged
    new: str = ""
    files: dict[str, str] = field(default_factory=dict)  # name to whole text, of other files, too
    says: str = ""  # a part of what a check says of it: it fails, or passes, for the right reason


@dataclass(frozen=True, eq=False, kw_only=True)
class Written:
    """What an exercise.toml says."""

    number: int  # which of the lesson's exercises it is
    title: str  # a few words for lists
    minutes: int  # a student takes so long, for the timetable
    files: dict[
        str, str
    ]  # name in the student's folder to its solution's path, from the checkout's root
    main: str  # the file that is imported; its stem is the module
    # Python; "cython", "setup" (the student's setup.py), or "kernel" (OpenCL)
    build: Literal["none", "cython", "setup", "kernel"] = "none"
    sources: tuple[str, ...] = ()  # for "cython": files that are compiled into the module
    language: Literal["c++"] | None = None  # None for C
    csrc: bool = True  # for "cython": whether the headers and declarations of csrc are there
    given: tuple[str, ...] = ()  # files that the student has to leave as they are
    # One of `given` to the path, from the checkout's root, of a file that is built in its place: it
    # includes it, and tells a check what is going on.
    watched: dict[str, str] = field(default_factory=dict)
    # the mask's own checks; those of check.py only; or both
    kind: Literal["mask", "own", "both"] = "mask"
    needs: str | None = None  # key of a rung with the same device, or library: it must run here
    on_device: bool = True  # False if that rung's packages will do: what is made for it is not run
    seconds: float = 15.0  # time-out of the answers; measuring has its own
    each: float = inf  # time-out of one call, if that is less: a loop that never ends is told soon
    memory_gib: float = 4.0  # that the student's process may ask for
    # of the environment, for the answer's processes
    variables: dict[str, str] = field(default_factory=dict)
    yellow: tuple[str, ...] = ()  # functions whose loops must not call Python
    starter_says: str = "not written yet"  # a part of what a check says of the untouched starter
    allows: tuple[str, ...] = ()  # modules or packages of ours to be imported, besides the contract
    speed: Speed | None = None
    # file to its regions, in the order of the text
    regions: dict[str, tuple[Region, ...]] = field(default_factory=dict)
    wrong: tuple[Variation, ...] = ()  # each a mistake or a shortcut: they fail
    honest: tuple[Variation, ...] = ()  # each another way to do what the task asks for: they pass


@dataclass(frozen=True, eq=False, kw_only=True)
class Exercise(Written):
    """One exercise: what its exercise.toml says, and what its place does."""

    name: str  # the folder's, unique in the workshop
    folder: Path
    rung: int  # the lesson's number

    @property
    def directory(self):
        """Name of the student's folder: lesson, number and name, so that it never changes."""
        return f"{self.rung}_{self.number}_{self.name}"

    @property
    def module(self):
        """Name of the module that is imported."""
        return Path(self.main).stem

    @property
    def uses_opencl(self):
        """Whether it needs an OpenCL device."""
        return bool(self.needs) and registry.get(self.needs).device == "opencl"

    def require(self):
        """Raise `Unavailable` unless what the exercise needs is here, and import it."""
        if self.needs:
            rung = registry.get(self.needs)
            if self.on_device:
                rung.load()
            else:
                rung.load_packages()

    def task(self):
        """Return the text of the task."""
        return (self.folder / "task.md").read_text(encoding="utf-8")

    def hints(self):
        """Return the hints, each a little more than the one before."""
        text = (self.folder / "hints.md").read_text(encoding="utf-8")
        return [hint.strip() for hint in text.split(HINT_MARK)]

    def solution(self, file):
        """Return the text of a file's solution."""
        return (ROOT / self.files[file]).read_text(encoding="utf-8")

    def starter(self, file):
        """Return the text that a student begins with in a file."""
        return cut(self.solution(file), self.regions.get(file, ()))

    def own_check(self):
        """Import check.py, or return None; it may import what lies beside it, ``from .lines``."""
        file, name = self.folder / "check.py", f"polymask_check_{self.name}"
        if not file.exists():
            return None
        for old in [one for one in sys.modules if one.partition(".")[0] == name]:
            del sys.modules[old]  # of another copy of the exercise, perhaps
        spec = importlib.util.spec_from_file_location(
            name, file, submodule_search_locations=[str(self.folder)]
        )
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module


class Drifted(ValueError):
    """A region's lines are not in the solution any more."""


def cut(text, regions):
    """Return a solution's text with each region's lines replaced by what the region puts.

    A region begins at the first line, after the region before, that begins like its `first` (blanks
    in front aside), and ends with the first one after it that begins like its `last`; it is one
    line if there is no `last`. Raises `Drifted` if a line is not found.
    """
    lines, made, at = text.splitlines(), [], 0
    for region in regions:
        first = _find(lines, region.first, at)
        last = first if region.last is None else _find(lines, region.last, first + 1)
        made += [*lines[at:first], *region.put.splitlines()]
        at = last + 1
    return "\n".join([*made, *lines[at:]]) + "\n"


def _find(lines, begins, start):
    for number in range(start, len(lines)):
        if lines[number].strip().startswith(begins):
            return number
    raise Drifted(f"no line from {start + 1} on begins with {begins!r}")


def need_checkout():
    """Raise `Unavailable` where there are no lessons: in a bare wheel."""
    if not (ROOT / "0_python" / "exercises").is_dir() or not (ROOT / "setup.py").exists():
        raise Unavailable(
            "the workshop needs a checkout: lessons, exercises and csrc are not in a wheel",
            "git clone the project, and `make build` in it",
        )


def folders():
    """Return the names of all exercises, each with its folder in the checkout."""
    need_checkout()
    files = ROOT.glob("[0-9]_*/exercises/*/exercise.toml")
    return {file.parent.name: file.parent for file in sorted(files)}


def read(folder):
    """Read the exercise of a folder; `ValueError` names the file of one that is badly written."""
    file = folder / "exercise.toml"
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        written = records.read(Written, table, "")
    except RecursionError:
        raise ValueError(f"{file}: it is nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error
    values = {one.name: getattr(written, one.name) for one in fields(written)}
    for name in ("wrong", "honest"):
        values[name] = tuple(replace(one, file=one.file or written.main) for one in values[name])
    rung = int(folder.parent.parent.name.partition("_")[0])
    return Exercise(name=folder.name, folder=folder, rung=rung, **values)


def every(only=None):
    """Return the exercises in their order; `only` those of some lessons, by number."""
    found = sorted(map(read, folders().values()), key=lambda one: (one.rung, one.number))
    return [exercise for exercise in found if only is None or exercise.rung in only]


def get(name):
    """Return the exercise of that name, or of that student's folder; name the nearest if none."""
    known, wanted = folders(), Path(name).name
    if folder := known.get(NUMBERS.sub("", wanted)):
        exercise = read(folder)
        if wanted in (exercise.name, exercise.directory):
            return exercise
    raise KeyError(f"no exercise is called {name!r}{registry.nearest(wanted, known)}")
