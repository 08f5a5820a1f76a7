"""Hides the project's finished parts from a student's answer, which is to be the student's own."""

import contextlib
import os
import sys
from pathlib import Path

from polymask.common.staleness import ROOT

PACKAGE = "polymask"
ALWAYS = "polymask.contract", "polymask.csrc", "polymask.common"  # what rungs import
QUIET = ("polymask._cyutility",)  # what Cython imports itself
# Audit events of Python: another process is started.
STARTS = ("os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "subprocess.Popen")

# Packages that compile an answer's loops in another way than a lesson teaches, unless what the
# exercise needs has imported them.
COMPILERS = ("cffi", "cupy", "jax", "numba", "numexpr", "pyopencl", "pythran", "pyximport", "torch")


class Refused(ImportError):
    """The answer has asked for a module, or a process, that it may not have."""


class Guard:
    """Stands before all importers: of the project it lets through what an exercise names.

    `allows` are modules, or packages with all that is in them, besides `ALWAYS`;
    `starts` says whether the answer may start processes, in which nobody stands guard; its own
    extension modules are in `place`, where it was built.
    """

    def __init__(self, allows=(), starts=True, place=os.devnull):
        self.allowed = (*ALWAYS, *allows)
        self.known = (*self.allowed, *QUIET)
        self.starts = starts
        # where extension modules may lie, even if that is in the project's own folder
        self.others = tuple(f"{os.path.realpath(one)}{os.sep}" for one in (place, sys.prefix))

    def hear(self, event, arguments):
        """Refuse a module that the answer may not have, and a process."""
        if event == "import":
            name, file = arguments[:2]
            self.find_spec(name)
            if not name.startswith(f"{PACKAGE}.") and isinstance(file, str):
                self.look_at_file(file)
        elif event == "ctypes.dlopen" and isinstance(arguments[0], str):
            self.look_at_file(arguments[0])
        elif event in STARTS and not self.starts:
            raise Refused("an answer makes its masks itself: it may not start another process")

    def look_at_file(self, file):
        """Refuse a library of the project's, or a module, that is loaded by its path."""
        path = os.path.realpath(file)
        if path.startswith(f"{ROOT}{os.sep}") and not path.startswith(self.others):
            self.refuse(Path(path).name)

    def may(self, name):
        """Whether the answer may import a module: it is allowed, or in or above what is."""
        return name == PACKAGE or any(
            name == known or name.startswith(f"{known}.") or known.startswith(f"{name}.")
            for known in self.known
        )

    def find_spec(self, name, path=None, target=None):
        """Refuse a module that an answer may not have; let the importers find others."""
        if name.startswith(f"{PACKAGE}.") and not self.may(name):
            self.refuse(name)
        top = name.partition(".")[0]
        if top in COMPILERS and top not in sys.modules:
            raise Refused(f"this exercise is to be done without {top}", name=name)

    def refuse(self, name):
        """Say what an answer may import."""
        raise Refused(
            f"this exercise is your own work: of {PACKAGE} an answer may import "
            f"{', '.join(self.allowed)}, not {name}",
            name=name,
        )

    def close(self):
        """From now on hide what is not allowed, though it was imported before."""
        self.hidden = {
            name: sys.modules.pop(name)
            for name in list(sys.modules)
            if name.startswith(f"{PACKAGE}.") and not self.may(name)
        }
        for name, module in self.hidden.items():
            parent, _, last = name.rpartition(".")
            holder = sys.modules.get(parent)
            if holder is not None and vars(holder).get(last) is module:
                delattr(holder, last)
        sys.meta_path.insert(0, self)  # it sees what importlib is asked for, too,
        sys.addaudithook(self.hear)  # which cannot be taken out of a list of importers

    @contextlib.contextmanager
    def starting(self):
        """Let processes be started for a moment, by code of ours."""
        starts, self.starts = self.starts, True
        try:
            yield
        finally:
            self.starts = starts
