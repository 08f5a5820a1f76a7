"""Hides the project's finished parts from a student's answer, which is to be the student's own."""

import builtins
import contextlib
import sys
from pathlib import Path

from polymask.ladder import registry

PACKAGE = "polymask"
ALWAYS = "polymask.contract", "polymask.csrc", "polymask.common"  # what rungs import
QUIET = ("polymask._cyutility",)  # what Cython imports itself
SANDBOX = __name__.rpartition(".")[0]  # its functions call those of the answer

# Packages that compile an answer's loops in another way than a lesson teaches, unless what the
# exercise needs has imported them.
COMPILERS = ("cffi", "cupy", "jax", "numba", "numexpr", "pyopencl", "pythran", "pyximport", "torch")


class Refused(ImportError):
    """The answer has asked for a module that it may not have."""


class Guard:
    """Lets the student's files import of the project what an exercise names, and no more.

    `allows` are modules, or packages with all that is in them, besides `ALWAYS`; `source` is the
    folder of the student's files.
    """

    def __init__(self, allows, source):
        self.allowed, self.source = (*ALWAYS, *allows), Path(source)
        self.known = (*self.allowed, *QUIET)
        self.others = [name for name in COMPILERS if name not in sys.modules]
        self.own_import = builtins.__import__

    @contextlib.contextmanager
    def importing(self):
        """Import the answer meanwhile: what it may not have is hidden. Its functions are heard on.

        The modules that are hidden come back afterwards, as the check goes on with them, but for
        the rungs, which are found by their importer.
        """
        hidden = {
            name: sys.modules.pop(name)
            for name in list(sys.modules)
            if name.startswith(f"{PACKAGE}.") and not self.may(name)
        }
        holders = {}
        for name, module in hidden.items():
            parent, _, last = name.rpartition(".")
            holder = hidden.get(parent) or sys.modules.get(parent)
            if holder is not None and vars(holder).get(last) is module:
                holders[name] = holder
                delattr(holder, last)
        sys.meta_path.insert(0, self)
        builtins.__import__ = self.hear
        try:
            yield
        finally:
            for name in hidden.keys() - {rung.module_name for rung in registry.RUNGS}:
                sys.modules[name] = hidden[name]
                if name in holders:
                    setattr(holders[name], name.rpartition(".")[2], hidden[name])

    def hear(self, name, names=None, locals_=None, fromlist=(), level=0):
        """Import a module as Python does, unless one of the student's files asks for too much."""
        file = (names or {}).get("__file__")
        if not level and isinstance(file, str) and self.source in Path(file).parents:
            for asked in (name, *(f"{name}.{part}" for part in fromlist or ())):
                self.look(asked)
        return self.own_import(name, names, locals_, fromlist, level)

    def may(self, name):
        """Whether the answer may import a module: it is allowed, or in or above what is."""
        return name == PACKAGE or any(
            name == known or name.startswith(f"{known}.") or known.startswith(f"{name}.")
            for known in self.known
        )

    def find_spec(self, name, path=None, target=None):
        """Refuse a module that an answer may not have; let the importers find others."""
        frame = sys._getframe(1)
        while frame and frame.f_globals.get("__name__", "").startswith(("importlib", __name__)):
            frame = frame.f_back
        importer = frame.f_globals.get("__name__", "")  # of compiled code: its caller
        if not importer.startswith(f"{PACKAGE}.") or importer.startswith(SANDBOX):
            self.look(name)

    def look(self, name):
        """Refuse a module that an answer may not have."""
        if name.startswith(f"{PACKAGE}.") and not self.may(name):
            raise Refused(
                f"this exercise is your own work: of {PACKAGE} an answer may import "
                f"{', '.join(self.allowed)}, not {name}",
                name=name,
            )
        top = name.partition(".")[0]
        if top in self.others:
            raise Refused(f"this exercise is to be done without {top}", name=name)
