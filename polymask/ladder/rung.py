"""What an entry of the registry is: a rung, where its code is, and what is told of it."""

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import resources

from polymask import devices
from polymask.contract import Unavailable
from polymask.ladder.work import Work

LANGUAGES = {".py": "python", ".pyx": "cython"}  # of a source, as highlighters call them


@dataclass(frozen=True)
class Without:
    """Another rung that does the same without something: what is between them is its price."""

    key: str
    price: str  # of what, for readers


@dataclass(frozen=True, eq=False)
class Rung:
    """One way to compute the mask.

    What an entry does not say is left out of tables, pages and words.
    """

    key: str  # the module is ``polymask.<key>``, if no other is named
    file: str  # the source that a student reads, from the root of a checkout
    title: str  # a few words for tables
    idea: str = ""  # what it teaches, in a line
    lesson: str | None = None  # the folder of its lesson, where its file lies in another one's
    named: str | None = None  # its module, where that is another
    before: str | None = None  # key of the rung that its lesson departs from
    changes: str | None = None  # of that one: language, library, threads, device or algorithm
    compiled: str | None = None  # "Cython", if that makes an extension module of the file
    device: str | None = None  # the kind that it computes on, a name of `polymask.devices.KINDS`
    extra: str | None = None  # of the package, that brings what it needs
    options: dict[str, Callable] = field(default_factory=dict)  # of `make_mask`: name to reader
    first_call: str = ""  # what its first call does that later ones find done, for readers
    work: Work | None = None  # what it does for a mask, of which its limits are made
    without: Without | None = None  # what it is compared with
    course_seconds: float | None = None  # the course's time, on the course's machine

    @property
    def folder(self):
        """The folder of its lesson in a checkout: a number, and the first part of the key."""
        return self.lesson or self.file.partition("/")[0]

    @property
    def interpreted(self):
        """Whether it is Python and NumPy alone: neither compiled nor on a device."""
        return not (self.compiled or self.device)

    @property
    def language(self):
        """What its source is written in, as highlighters call it."""
        return LANGUAGES.get("." + self.file.rpartition(".")[2], "text")

    def load(self):
        """Import the rung and return its `make_mask`; raise `Unavailable` if it cannot run here."""
        module = self.module()
        if self.device:
            devices.kind(self.device).check()
        elif hasattr(module, "check"):
            module.check()
        return module.make_mask

    @property
    def module_name(self):
        """The full name of its module."""
        return self.named or f"polymask.{self.key}"

    def module(self):
        """Import the rung's module; raise `Unavailable` if that fails."""
        try:
            return importlib.import_module(self.module_name)
        except ModuleNotFoundError as error:
            if error.name.startswith("polymask."):
                mend = "run `make build`, and read what it prints"
                if sys.platform == "win32":  # setup.py builds no rungs there
                    mend = "use the ladder in WSL, or on Linux or macOS"
                raise Unavailable("not built", mend) from None
            mend = (
                f"pip install 'polymask[{self.extra}]'" if self.extra else f"install {error.name}"
            )
            raise Unavailable(f"the package {error.name} is not installed", mend) from None
        except ImportError as error:  # a stale module, or a shared library that is not there
            raise Unavailable(str(error)) from error

    def threads(self, **options):
        """Return how many threads or cores a call with these options uses."""
        if self.device:
            return devices.kind(self.device).cores()
        used = getattr(self.module(), "threads_used", None)
        return used(**options) if used else 1

    @property
    def source_package(self):
        """The package that its file lies in; its module may be another's."""
        if self.named:
            return self.named.rpartition(".")[0]
        return f"polymask.{self.file.partition('/')[0].partition('_')[2]}"

    def source(self):
        """Return the text of the file that a student reads."""
        name = self.file.partition("/")[2]
        return (resources.files(self.source_package) / name).read_text(encoding="utf-8")
