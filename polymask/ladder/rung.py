"""What an entry of the registry is: a rung, where its code is, and what is told of it."""

import functools
import importlib.util
import inspect
import os
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import resources

import numpy as np

from polymask import contract, devices
from polymask.common.error_text import broken_package
from polymask.contract import (
    BadSetting,
    Unavailable,
    check_openmp_setting,
    check_threads_setting,
)
from polymask.devices import numba_target
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
    # How its source speaks of the pixels: "array", whole arrays in an expression; "loop", one pixel
    # after the other; "kernel", a function of one pixel or row that others call for all.
    style: str | None = None
    before: str | None = None  # key of the rung that its lesson departs from
    changes: str | None = None  # of that one: language, library, threads, device or algorithm
    compiled: str | None = None  # "Cython", if that makes an extension module of the file
    jit: str | None = None  # "numba", the package that compiles it as it is first called
    openmp: bool = False  # whether it is linked with OpenMP, which reads the environment itself
    device: str | None = None  # the kind that it computes on, a name of `polymask.devices.KINDS`
    kernel: str | None = None  # the file of csrc that the device compiles: others may have the same
    extra: str | None = None  # of the package, that brings what it needs
    packages: tuple[str, ...] = ()  # that it imports and are heavy: `look` does not
    options: dict[str, Callable] = field(default_factory=dict)  # of `make_mask`: name to reader
    first_call: str = ""  # what its first call does that later ones find done, for readers
    batch: bool = False  # whether the masks of several polygons, made together, are timed, too
    work: Work | None = None  # what it does for a mask, of which its limits are made
    without: Without | None = None  # what it is compared with
    course_seconds: float | None = None  # the course's time, on the course's machine

    @property
    def folder(self):
        """The folder of its lesson in a checkout: a number, and the first part of the key."""
        return self.lesson or self.file.partition("/")[0]

    @property
    def interpreted(self):
        """Whether it is Python and NumPy alone: neither compiled, ever, nor on a device."""
        return not (self.compiled or self.jit or self.device)

    @property
    def language(self):
        """What its source is written in, as highlighters call it."""
        return LANGUAGES.get("." + self.file.rpartition(".")[2], "text")

    def load(self):
        """Import the rung and return its `make_mask`; raise `Unavailable` if it cannot run here.

        What is heavy, or built only beside a device's package, is imported where a device works.
        """
        if self.device and (self.packages or self.compiled):
            devices.kind(self.device).check()
        self._look_for_packages()
        module = self.module()
        if self.device:
            devices.kind(self.device).check()
        elif hasattr(module, "check"):
            module.check()
        return module.make_mask if self.device else self._of_any_shape(module.make_mask)

    def _of_any_shape(self, make_mask):
        """Return `make_mask`, but for a mask without pixels, which is made here.

        So no rung has to think of 10**15 rows without a pixel, nor of an array that has no first
        one. Those of a device do: it has no memory of zero bytes.
        """

        @functools.wraps(make_mask)
        def of_any_shape(vertices, shape, *border_value, **options):
            shape = contract.check_shape(shape, vertices)
            if all(shape):
                return make_mask(vertices, shape, *border_value, **options)
            # Bad arguments are refused, and nothing is run: the first call is still to be timed.
            bound = inspect.signature(make_mask).bind(vertices, shape, *border_value, **options)
            given = bound.arguments
            vertices, shape = given.pop("vertices"), given.pop("shape")
            contract.check(vertices, shape, given.pop("border_value", True))
            self.threads(**given)
            return np.empty(shape, np.uint8)

        return of_any_shape

    def load_packages(self):
        """Import the rung, be its device here or not; raise `Unavailable` without its packages."""
        self._look_for_packages()
        self.module()

    def look(self):
        """Raise `Unavailable` as `load` does, and import nothing heavy: it is there, or not."""
        if self.packages:
            self._look_apart()
        elif not self.jit:
            self.load()
        elif importlib.util.find_spec(self.jit) is None:
            raise self._without(self.jit)
        self._check_setting()

    def _check_setting(self):
        """Refuse what the environment asks of a library that reads it when it is loaded."""
        if self.openmp:
            check_openmp_setting()
        variable = f"{self.jit.upper()}_NUM_THREADS" if self.jit else ""
        if variable in os.environ:
            check_threads_setting(variable, os.environ[variable])
        if self.jit:
            numba_target.check()
        if self.device == "opencl":
            devices.kind(self.device).check_settings()

    def _look_for_packages(self):
        """Look for packages by their names, and import none of them."""
        for package in self.packages:
            if importlib.util.find_spec(package) is None:
                raise self._without(package)

    def _look_apart(self):
        """Look as `load` does: for a device, in a process of its own, then for packages."""
        devices.kind(self.device).check_apart()
        self._look_for_packages()
        try:
            found = importlib.util.find_spec(self.module_name)
        except ImportError as error:  # a stale module
            raise Unavailable(str(error)) from error
        if found is None:
            raise self._not_built()

    def load_batch(self):
        """Return `make_masks` of the rung, of several polygons; one by one where it has none."""
        make_mask = self.load()

        def one_by_one(polygons, shape, **options):
            return [make_mask(vertices, shape, **options) for vertices in polygons]

        return getattr(self.module(), "make_masks", one_by_one)

    @property
    def module_name(self):
        """The full name of its module."""
        return self.named or f"polymask.{self.key}"

    def module(self):
        """Import the rung's module; raise `Unavailable` if that fails."""
        self._check_setting()
        try:
            with warnings.catch_warnings():
                if self.jit:  # of a variable that Numba cannot read, and would go on without
                    unread = f"Environment variable '{self.jit.upper()}_"
                    warnings.filterwarnings("error", unread, RuntimeWarning)
                return importlib.import_module(self.module_name)
        except ModuleNotFoundError as error:
            if error.name.startswith("polymask."):
                raise self._not_built() from None
            raise self._without(error.name) from None
        except Exception as error:
            said = " ".join(str(error).split()).rstrip(".")
            if self.jit and isinstance(error, (ValueError, RuntimeWarning)):  # of what it is set to
                mend = f"mend or unset the environment's variables {self.jit.upper()}_..."
                raise BadSetting(f"{self.jit} cannot be imported: {said}", mend) from None
            if package := broken_package(error):  # by a NumPy, say, that it does not know
                reason = f"the package {package} is installed, but cannot be imported ({said})"
                raise Unavailable(reason, self._install(package)) from error
            if isinstance(error, ImportError):  # a stale module, or a missing shared library
                raise Unavailable(str(error)) from error
            raise

    def _not_built(self):
        """Return the error that says how to build it."""
        mend = "run `make build`, and read what it prints"
        if sys.platform == "win32":  # setup.py builds no rungs there
            mend = "use the ladder in WSL, or on Linux or macOS"
        return Unavailable("not built", mend)

    def _without(self, package):
        """Return the error that names a missing package, and how it is installed."""
        return Unavailable(f"the package {package} is not installed", self._install(package))

    def _install(self, package):
        return f"pip install 'polymask[{self.extra}]'" if self.extra else f"install {package}"

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
