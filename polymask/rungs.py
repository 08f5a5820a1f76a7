"""The registry: every rung of the ladder, once. Driver, tests, README and command line read it.

A new rung is one file and one entry here; CONTRIBUTING.md says how.
"""

import difflib
import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import resources

from polymask.contract import Unavailable

__all__ = ["RUNGS", "Rung", "Unavailable", "get", "nearest"]

BASE = "python.tuples"  # the denominator of every speed-up


@dataclass(frozen=True, eq=False)
class Rung:
    """One way to compute the mask.

    Attributes
    ----------
    key : str
        The module is ``polymask.<key>``.
    folder : str
        The folder of its lesson in a checkout: a number, and the first part of the key.
    file : str
        The source that a student reads, from the root of a checkout.
    title : str
        A few words for tables.
    idea : str
        What it teaches, in a line.
    before : str or None
        Key of the rung that its lesson departs from.
    changes : str or None
        What it changes: language, library, threads, device or algorithm; None for the base.
    options : dict
        Keyword-only options of `make_mask`: name to the function that reads it from text.
    course_seconds : float or None
        The course's time, on the course's machine.
    extra : str or None
        The extra of the package that brings what it needs.
    """

    key: str
    folder: str
    file: str
    title: str
    idea: str
    before: str | None
    changes: str | None
    course_seconds: float | None = None
    options: dict[str, Callable] = field(default_factory=dict)
    extra: str | None = None

    @property
    def interpreted(self):
        """Whether it is Python and NumPy alone: neither compiled nor on a device."""
        return self.file.endswith(".py") and not self.extra

    @property
    def other_algorithm(self):
        """Whether it, or a rung that it builds on, changes the algorithm."""
        builds_on = self.before is not None and get(self.before).other_algorithm
        return self.changes == "algorithm" or builds_on

    def load(self):
        """Import the rung and return its `make_mask`; raise `Unavailable` if it cannot run here."""
        module = self.module()
        if hasattr(module, "check"):
            module.check()
        return module.make_mask

    def module(self):
        """Import the rung's module; raise `Unavailable` if that fails."""
        name = f"polymask.{self.key}"
        try:
            return importlib.import_module(name)
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
        used = getattr(self.module(), "threads_used", None)
        return used(**options) if used else 1

    def source(self):
        """Return the text of the file that a student reads."""
        folder, _, name = self.file.partition("/")
        package = folder.partition("_")[2]
        return (resources.files(f"polymask.{package}") / name).read_text(encoding="utf-8")


def rows_by_cols(text):
    """Read ``ROWSxCOLS``, say 8x16, as (8, 16)."""
    rows, x, cols = text.lower().partition("x")
    if not (x and rows.isdecimal() and cols.isdecimal()):
        raise ValueError(f"expected ROWSxCOLS, like 8x16, got {text!r}")
    return int(rows), int(cols)


RUNGS = (
    Rung(
        "python.tuples",
        "0_python",
        "0_python/tuples.py",
        "Python, list of tuples",
        "profile before anything else",
        before=None,
        changes=None,
        course_seconds=36,
    ),
    Rung(
        "python.scalars",
        "0_python",
        "0_python/scalars.py",
        "Python, NumPy array of vertices",
        "an array is not faster by itself",
        before="python.tuples",
        changes="library",
        course_seconds=450,
    ),
    Rung(
        "python.vectorized",
        "0_python",
        "0_python/vectorized.py",
        "NumPy, vectorized",
        "move the loop into C by arrays; memory traffic",
        before="python.tuples",
        changes="library",
        course_seconds=0.238,
    ),
    Rung(
        "cython.compiled",
        "1_cython",
        "0_python/tuples.py",
        "Cython, nothing but compiled",
        "what compiling alone gives",
        before="python.tuples",
        changes="language",
        course_seconds=9,
    ),
    Rung(
        "cython.typed",
        "1_cython",
        "1_cython/typed.pyx",
        "Cython, typed",
        "remove the yellow; then see the calls and buffers that are left",
        before="cython.compiled",
        changes="language",
        course_seconds=3.6,
    ),
    Rung(
        "clib.points",
        "2_clib",
        "2_clib/points.pyx",
        "Cython + C library",
        "wrap C; the cost of building the points",
        before="cython.typed",
        changes="library",
        course_seconds=0.270,
    ),
    Rung(
        "cclass.polygon",
        "3_cclass",
        "3_cclass/polygon.pyx",
        "Cython class",
        "keep state in C, cross the border once",
        before="clib.points",
        changes="language",
        course_seconds=0.118,
    ),
    Rung(
        "cclass.cpp",
        "3_cclass",
        "3_cclass/cpp.pyx",
        "C++ class, wrapped",
        "libcpp, except +, ownership",
        before="cclass.polygon",
        changes="language",
    ),
    Rung(
        "openmp.prange",
        "4_openmp",
        "4_openmp/prange.pyx",
        "OpenMP",
        "the GIL, nogil, schedules, when threads pay",
        before="cclass.polygon",
        changes="threads",
        course_seconds=0.020,
        options={"threads": int, "schedule": str},
    ),
    Rung(
        "openmp.simd",
        "4_openmp",
        "4_openmp/simd.pyx",
        "OpenMP, eight pixels at a time",
        "vector units; what the compiler needs to see",
        before="openmp.prange",
        changes="language",
        options={"threads": int},
    ),
    Rung(
        "opencl.pixels",
        "5_opencl",
        "5_opencl/pixels.py",
        "PyOpenCL, an item per pixel",
        "contexts, queues, buffers, work-groups, event times",
        before="openmp.prange",
        changes="device",
        course_seconds=0.003,
        options={"work_group": rows_by_cols},
        extra="opencl",
    ),
    Rung(
        "scanline.rows",
        "9_scanline",
        "9_scanline/rows.py",
        "scanline in NumPy",
        "crossings per row, then parity: the algorithm beats the machine",
        before="python.vectorized",
        changes="algorithm",
    ),
    Rung(
        "scanline.engine",
        "9_scanline",
        "9_scanline/engine.pyx",
        "scanline in C++, one thread",
        "crossings per row, bits, parity: one write per pixel",
        before="scanline.rows",
        changes="language",
    ),
    Rung(
        "scanline.threads",
        "9_scanline",
        "9_scanline/threads.pyx",
        "scanline in C++, threads",
        "bands: what fits the cache is the unit of work",
        before="scanline.engine",
        changes="threads",
        options={"threads": int},
    ),
    Rung(
        "scanline.opencl",
        "9_scanline",
        "9_scanline/opencl.py",
        "scanline in PyOpenCL, groups of rows",
        "local memory, atomics, barriers, wide stores",
        before="opencl.pixels",
        changes="algorithm",
        options={"work_group": rows_by_cols},
        extra="opencl",
    ),
)

_BY_KEY = {rung.key: rung for rung in RUNGS}


def get(key):
    """Return the rung of that key; a KeyError's text names the nearest keys."""
    if key not in _BY_KEY:
        raise KeyError(f"no rung is called {key!r}{nearest(key, _BY_KEY)}")
    return _BY_KEY[key]


def unavailable():
    """Try all rungs; return those that cannot run here: key to the `Unavailable` that says why."""
    found = {}
    for rung in RUNGS:
        try:
            rung.load()
        except Unavailable as missing:
            found[rung.key] = missing
    return found


def nearest(name, names):
    """Return words like "; did you mean 'a' or 'b'?", or where nothing is near, all names."""
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    if close:
        return f"; did you mean {' or '.join(map(repr, close))}?"
    return f"; there are {', '.join(names)}"
