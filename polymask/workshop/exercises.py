"""The exercises, found beside their lessons: ``N_name/exercises/<exercise>/``.

An exercise is a folder: task.md, hints.md, exercise.toml, and where it needs more than the mask's
own checks, check.py. `Exercise` says what is in exercise.toml, and WORKSHOP.md how one is written.
"""

import sys
from dataclasses import dataclass, field
from pathlib import Path

from polymask._fresh import ROOT
from polymask.contract import Unavailable
from polymask.ladder import registry

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HINT_MARK = "\n---\n"  # stands between two hints of hints.md


@dataclass(frozen=True)
class Speed:
    """How fast an answer has to be, as ratios within one run.

    Attributes
    ----------
    before : str or None
        Key of the rung that the student departs from.
    solution : str or None
        Key of the rung that is the solution; None where the exercise keeps its own.
    size : int
        Rows and columns of the image it is measured on.
    of_solution : float
        The least share of the solution's speed.
    times_before : float
        The least speed-up against `before`.
    cores : int
        Cores that the comparison needs; with fewer it is skipped.
    gains : bool
        Whether the solution is faster than `before`: where it is not, here and now, an answer's
        speed cannot be judged. False where it gains little, or where that is the lesson.
    """

    before: str | None = None
    solution: str | None = None
    size: int = 256
    of_solution: float = 0.0
    times_before: float = 0.0
    cores: int = 1
    gains: bool = True


@dataclass(frozen=True)
class Region:
    """Lines of a solution that a starter lacks: the first, the last, and what stands instead.

    `last` is None where it is one line.
    """

    first: str
    last: str | None
    put: tuple[str, ...] = ()


@dataclass(frozen=True)
class Variation:
    """Another answer than the solution, which has to fail, or to pass as the solution does.

    Attributes
    ----------
    name : str
        Unique within the exercise.
    file, old, new : str
        One piece of text that is exchanged in a file of the solution, the main one where
        exercise.toml names none. `old` is empty where nothing is exchanged.
    files : dict
        Name to whole text: of files of the solution, and of files that it does not have.
    says : str
        A part of what a check says of it: it fails, or passes, for the right reason.
    """

    name: str
    file: str
    old: str = ""
    new: str = ""
    files: dict = field(default_factory=dict)
    says: str = ""


@dataclass(frozen=True, eq=False)
class Exercise:
    """One exercise, as its exercise.toml says.

    Attributes
    ----------
    name : str
        The folder's name, unique in the workshop.
    folder : Path
        Where it lives.
    rung, number : int
        The lesson's number, and which of the lesson's exercises it is.
    title : str
        A few words for lists.
    minutes : int
        How long a student takes, for the timetable.
    files : dict
        Name in the student's folder to the path of its solution from the root of the checkout.
    main : str
        The file that is imported; its stem is the module.
    build : str
        "none" (Python), "cython", "setup" (by the student's setup.py), or "kernel" (OpenCL).
    sources : tuple of str
        Files that are compiled into the module, for "cython".
    language : str or None
        "c++", or None for C.
    csrc : bool
        Whether the headers and declarations of csrc are there, for "cython".
    given : tuple of str
        Files that the student has to leave as they are.
    watched : dict
        File to the path, from the root of the checkout, of one that is built in its place: it tells
        a check what is going on, and includes the file, which is one of `given`.
    kind : str
        "mask": the mask's own checks; "own": those of check.py only; "both".
    needs : str or None
        Key of a rung that must run here, as it needs the same device or library.
    seconds : float
        Time-out of the answers; measuring has its own.
    memory_gib : float
        How much memory the student's process may ask for.
    yellow : tuple of str
        Functions whose loops must not call Python.
    starter_says : str
        A part of what a check says of the untouched starter: it fails for the right reason.
    allows : tuple of str
        Modules of the project, or packages, that an answer may import besides the contract.
    speed : Speed or None
    regions : dict
        File to its `Region`s, in the order of the text.
    wrong, honest : tuple of Variation
        Answers that fail, each a mistake or a shortcut; and answers that pass, each another way to
        do what the task asks for.
    """

    name: str
    folder: Path
    rung: int
    number: int
    title: str
    minutes: int
    files: dict
    main: str
    build: str = "none"
    sources: tuple[str, ...] = ()
    language: str | None = None
    csrc: bool = True
    given: tuple[str, ...] = ()
    watched: dict = field(default_factory=dict)
    kind: str = "mask"
    needs: str | None = None
    seconds: float = 15.0
    memory_gib: float = 4.0
    yellow: tuple[str, ...] = ()
    starter_says: str = "not written yet"
    allows: tuple[str, ...] = ()
    speed: Speed | None = None
    regions: dict = field(default_factory=dict)
    wrong: tuple[Variation, ...] = ()
    honest: tuple[Variation, ...] = ()

    @property
    def directory(self):
        """Name of the student's folder: lesson, number and name, so that it never changes."""
        return f"{self.rung}_{self.number}_{self.name}"

    @property
    def module(self):
        """Name of the module that is imported."""
        return Path(self.main).stem

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


def need_checkout():
    """Raise `Unavailable` where there are no lessons: in a bare wheel."""
    if not (ROOT / "0_python" / "exercises").is_dir() or not (ROOT / "setup.py").exists():
        raise Unavailable(
            "the workshop needs a checkout: lessons, exercises and csrc are not in a wheel",
            "git clone the project, and `make build` in it",
        )


def read(folder):
    """Read the exercise of a folder; `ValueError` names the file of one that is badly written."""
    file = folder / "exercise.toml"
    try:
        return made(tomllib.loads(file.read_text(encoding="utf-8")), folder)
    except KeyError as error:
        raise ValueError(f"{file}: {error} is missing") from error
    except (TypeError, ValueError) as error:
        raise ValueError(f"{file}: {error}") from error


def made(said, folder):
    """Make the exercise of a folder from what its exercise.toml says."""
    said["regions"] = {
        name: tuple(
            Region(r["first"], r.get("last"), tuple(r.get("put", "").splitlines())) for r in some
        )
        for name, some in said.get("regions", {}).items()
    }
    for name in ("wrong", "honest"):
        said[name] = tuple(Variation(**{"file": said["main"]} | one) for one in said.get(name, ()))
    said["speed"] = Speed(**said["speed"]) if "speed" in said else None
    for name in ("sources", "given", "yellow", "allows"):
        said[name] = tuple(said.get(name, ()))
    rung = int(folder.parent.parent.name.partition("_")[0])
    return Exercise(name=folder.name, folder=folder, rung=rung, **said)


def every(only=None):
    """Return the exercises in their order; `only` those of so many lessons, by number."""
    need_checkout()
    found = [read(file.parent) for file in ROOT.glob("[0-9]_*/exercises/*/exercise.toml")]
    found.sort(key=lambda exercise: (exercise.rung, exercise.number))
    return [exercise for exercise in found if only is None or exercise.rung in only]


def get(name):
    """Return the exercise of that name, or of that student's folder; name the nearest if none."""
    known = {exercise.name: exercise for exercise in every()}
    by_folder = {exercise.directory: exercise for exercise in known.values()}
    wanted = Path(name).name if name else name
    if wanted in by_folder:
        return by_folder[wanted]
    if wanted not in known:
        raise KeyError(f"no exercise is called {name!r}{registry.nearest(wanted, known)}")
    return known[wanted]
