"""An entry of the registry: a rung, the location of its code, and its description."""

import functools
import importlib.util
import inspect
import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ladder import devices
from ladder.common import preflight
from ladder.common.staleness import ROOT
from ladder.registry.work import Work
from polymask import contract
from polymask.common.error_text import broken_package, named
from polymask.contract import BadSetting, Unavailable, check_openmp_setting, check_threads_setting

NO_JIT = "NUMBA_DISABLE_JIT"  # times would be those of the interpreter


@dataclass(frozen=True, eq=False)
class Rung:
    """One way to compute the mask.

    Tables, pages and texts omit whatever the entry leaves out.
    """

    key: str  # the module is ``ladder.<key>``, unless `named` gives another
    file: str  # the source that a student reads, from the root of a checkout
    title: str  # a few words for tables
    idea: str = ""  # the subject of its lesson, in a line
    lesson: str | None = None  # the folder of its lesson, if its file is in another one
    named: str | None = None  # its module, if it does not follow from the key
    before: str | None = None  # key of the rung that its lesson departs from
    changes: str | None = None  # from that rung, in the word of its lesson: language, threads, ...
    compiled: str | None = None  # "Cython", if that compiles the file to an extension module
    jit: str | None = None  # "numba", the package that compiles it on the first call
    openmp: bool = False  # whether it is linked with OpenMP, which reads the environment itself
    device: str | None = None  # the kind that it computes on, a name in `ladder.devices.KINDS`
    extra: str | None = None  # the extra of the package that installs its requirements
    packages: tuple[str, ...] = ()  # heavy packages that it imports; `look` does not
    options: dict[str, Callable] = field(default_factory=dict)  # of `make_mask`: name to reader
    first_call: str = ""  # the work that only its first call does, for readers
    batch: bool = False  # whether masks of several polygons, computed together, are timed, too
    leaves: bool = False  # whether its `leave_mask` leaves the mask on the device, as CuPy's array
    work: Work | None = None  # its work for a mask, from which its limits are computed
    without: str | None = None  # key of a rung that does the same without one thing
    price: str = ""  # that thing, for readers: the difference of the times is its price
    course_seconds: float | None = None  # the course's time, on the course's machine

    @property
    def folder(self):
        """The folder of its lesson in a checkout: a number, and the first part of the key."""
        return self.lesson or self.file.partition("/")[0]

    @property
    def page(self):
        """Its page in the folder of its lesson: the last part of the key."""
        return f"{self.folder}/{self.key.rpartition('.')[2]}.md"

    @property
    def interpreted(self):
        """Whether it uses only Python and NumPy: neither compiled code nor a device."""
        return not (self.compiled or self.jit or self.device)

    @property
    def language(self):
        """The language of its source, in the names of highlighters."""
        return "python" if self.file.endswith(".py") else "cython"

    def load(self):
        """Import the rung and return its `make_mask`; raise `Unavailable` if it cannot run here.

        Heavy modules, and those built only with a device's package, need a device that works.
        """
        if self.device and (self.packages or self.compiled):
            devices.kind(self.device).check()
        self._look_for_packages()
        module = self.module()
        if self.device:
            devices.kind(self.device).check()
        elif hasattr(module, "check"):
            module.check()
        return module.make_mask if self.device else self._allow_empty_masks(module.make_mask)

    def _allow_empty_masks(self, make_mask):
        """Wrap `make_mask` so that masks without pixels are made here.

        Rungs then need not handle 10**15 rows without a pixel, or an empty array. Rungs for a
        device must, because it has no memory of zero bytes.
        """

        @functools.wraps(make_mask)
        def of_any_shape(vertices, shape, *border_value, **options):
            shape = contract.check_shape(shape, vertices)
            if all(shape):
                return make_mask(vertices, shape, *border_value, **options)
            # Reject bad arguments without a call to the rung, whose first call will be timed.
            bound = inspect.signature(make_mask).bind(vertices, shape, *border_value, **options)
            arguments = bound.arguments
            vertices, shape = arguments.pop("vertices"), arguments.pop("shape")
            contract.check(vertices, shape, arguments.pop("border_value", True))
            self.threads(**arguments)
            return np.empty(shape, np.uint8)

        return of_any_shape

    def load_packages(self):
        """Import the rung, even without its device; raise `Unavailable` without its packages."""
        self._look_for_packages()
        self.module()

    def look(self):
        """Raise `Unavailable` as `load` does, but without importing heavy packages."""
        if self.packages:
            self._look_in_a_process()
        elif not self.jit:
            self.load()
        elif importlib.util.find_spec(self.jit) is None:
            raise self._missing(self.jit)
        self._check_setting()

    def _check_setting(self):
        """Reject bad environment variables of libraries that read them when loaded."""
        if self.openmp:
            check_openmp_setting()
        variable = f"{self.jit.upper()}_NUM_THREADS" if self.jit else ""
        if variable in os.environ:
            check_threads_setting(variable, os.environ[variable])
        if self.jit and (value := os.environ.get(NO_JIT) or "0") != "0":
            reason = f"{NO_JIT}={named(value)}: Numba compiles nothing then"
            raise BadSetting(reason, f"unset {NO_JIT}")

    def _look_for_packages(self):
        """Raise `Unavailable` if a package is not installed, without importing any."""
        for package in self.packages:
            if importlib.util.find_spec(package) is None:
                raise self._missing(package)

    def _look_in_a_process(self):
        """Check for a device in another process, then for packages."""
        devices.kind(self.device).check_apart()
        self._look_for_packages()
        try:
            spec = importlib.util.find_spec(self.module_name)
        except ImportError as error:  # a stale module
            raise Unavailable(str(error)) from error
        if spec is None:
            raise self._not_built()

    def load_batch(self):
        """Return the rung's `make_masks` for several polygons, or a loop over `make_mask`."""
        make_mask = self.load()

        def one_by_one(polygons, shape, **options):
            return [make_mask(vertices, shape, **options) for vertices in polygons]

        return getattr(self.module(), "make_masks", one_by_one)

    @property
    def module_name(self):
        """The full name of its module."""
        return self.named or f"ladder.{self.key}"

    def module(self):
        """Import the rung's module; raise `Unavailable` if that fails."""
        self._check_setting()
        try:
            with warnings.catch_warnings():
                if self.jit:  # Numba only warns about a variable that it cannot read
                    pattern = f"Environment variable '{self.jit.upper()}_"
                    warnings.filterwarnings("error", pattern, RuntimeWarning)
                return importlib.import_module(self.module_name)
        except ModuleNotFoundError as error:
            if error.name.startswith("ladder."):
                raise self._not_built() from None
            raise self._missing(error.name) from None
        except Exception as error:
            cause = " ".join(str(error).split()).rstrip(".")
            if self.jit and isinstance(error, (ValueError, RuntimeWarning)):  # from a bad setting
                advice = f"fix or unset the environment variables {self.jit.upper()}_..."
                raise BadSetting(f"{self.jit} cannot be imported: {cause}", advice) from None
            if package := broken_package(error):  # such as one built for another NumPy
                reason = f"the package {package} is installed, but cannot be imported ({cause})"
                raise Unavailable(reason, self._install(package)) from error
            if isinstance(error, ImportError):  # a stale module, or a missing shared library
                raise Unavailable(str(error)) from error
            raise

    def _not_built(self):
        """Return the error about a rung that is not built, with advice."""
        advice = "not built: run `make build`, and read its output"
        return Unavailable(preflight.lacking() or advice)

    def _missing(self, package):
        """Return the error about a missing package, with the command that installs it."""
        return Unavailable(f"the package {package} is not installed", self._install(package))

    def _install(self, package):
        return f"pip install 'polymask[{self.extra}]'" if self.extra else f"install {package}"

    def threads(self, **options):
        """Return the number of threads or cores that a call with these options uses."""
        if self.device:
            return devices.kind(self.device).cores()
        module = self.module()
        used = getattr(module, "threads_used", None)
        return used(**(module.make_mask.__kwdefaults__ or {}) | options) if used else 1

    def source(self):
        """Return the text of the file that a student reads."""
        return (ROOT / self.file).read_text(encoding="utf-8")
