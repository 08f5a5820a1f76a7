"""A program that tests, in a new process, whether newly built modules can be imported.

It reads JSON from standard input: `packages`, their names and folders, and `modules`, their names
and files. It prints a line with the reason for each module that cannot be imported.

Packages of other projects may be missing during a build (NumPy is, in pip's build environments).
Linking is tested all the same: the loader resolves all symbols before a module imports them.
"""

import importlib
import json
import os
import sys
from importlib.util import spec_from_file_location


class BuiltFinder:
    """A finder of packages by their folders and modules by their files, before all others."""

    def __init__(self, packages, modules):
        self.packages, self.modules = packages, modules

    def find_spec(self, name, path=None, target=None):
        """Return the spec of a package or module if it is listed."""
        if folder := self.packages.get(name):
            file = os.path.join(folder, "__init__.py")
            return spec_from_file_location(name, file, submodule_search_locations=[folder])
        return spec_from_file_location(name, self.modules[name]) if name in self.modules else None


def find_problem(name):
    """Return the reason why a module cannot be imported, or an empty string."""
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "polymask").partition(".")[0] in ("polymask", "ladder"):
            return str(error)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def main():
    """Import all modules; exit with 1 if an import fails."""
    finder = BuiltFinder(**json.load(sys.stdin))
    sys.meta_path.insert(0, finder)
    problems = {name: find_problem(name) for name in finder.packages}
    sys.meta_path.insert(0, finder)  # again, before the guard that ladder inserts
    problems |= {name: find_problem(name) for name in finder.modules}
    for name, reason in problems.items():
        if reason:
            print(f"{name} was built, but cannot be imported: {reason}")
    sys.exit(any(problems.values()))


if __name__ == "__main__":
    main()
