"""Hides the project's finished parts from a student's answer, which is to be the student's own."""

import contextlib
import importlib
import sys

PACKAGE = "polymask"
ALWAYS = ("polymask.contract", "polymask.csrc")
QUIET = ("polymask._fresh", "polymask._cyutility")  # what Python and Cython import themselves


class Refused(ImportError):
    """The answer has asked for a module that it may not have."""


class Guard:
    """Stands before all importers: of the project it lets through what an exercise names.

    Parameters
    ----------
    allows : sequence of str
        Modules, or packages with all that is in them, besides the contract and csrc.
    """

    def __init__(self, allows=()):
        self.allowed = (*ALWAYS, *allows)
        self.known = (*self.allowed, *QUIET)
        self.hidden = {}

    def may(self, name):
        """Whether the answer may import a module: it is allowed, or in or above what is."""
        return name == PACKAGE or any(
            name == known or name.startswith(f"{known}.") or known.startswith(f"{name}.")
            for known in self.known
        )

    def find_spec(self, name, path=None, target=None):
        """Refuse a module of the project that is not allowed; let the importers find others."""
        if name.startswith(f"{PACKAGE}.") and not self.may(name):
            raise Refused(
                f"this exercise is your own work: of {PACKAGE} an answer may import "
                f"{', '.join(self.allowed)}, not {name}",
                name=name,
            )

    def close(self):
        """From now on hide what is not allowed, though it was imported before."""
        for name in [name for name in sys.modules if name.startswith(f"{PACKAGE}.")]:
            if not self.may(name):
                self.hidden[name] = sys.modules.pop(name)
                parent, _, last = name.rpartition(".")
                holder = sys.modules.get(parent) or self.hidden.get(parent)
                if holder is not None and vars(holder).get(last) is self.hidden[name]:
                    delattr(holder, last)
        sys.meta_path.insert(0, self)

    def open(self):
        """Show all again."""
        sys.meta_path.remove(self)
        for name, module in self.hidden.items():
            sys.modules[name] = module
            parent, _, last = name.rpartition(".")
            setattr(sys.modules[parent], last, module)
        self.hidden.clear()

    @contextlib.contextmanager
    def lifted(self):
        """Show all for a moment, to code of ours."""
        self.open()
        try:
            yield
        finally:
            self.close()

    def module(self, name):
        """Import a module of ours, hidden or not."""
        with self.lifted():
            return importlib.import_module(name)
