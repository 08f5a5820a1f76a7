"""Whether modules that were just built can be imported: a program of its own, in a fresh process.

It reads JSON from standard input: `packages`, their names and folders, and `modules`, their names
and files. It prints a line for each module that cannot be imported, and why.

What a module needs from other projects may be missing where it is built (NumPy is, in the
environments that pip builds in). Linking was tried by then: the loader has resolved all symbols.
"""

import importlib
import json
import os
import sys
from importlib.util import spec_from_file_location


class Built:
    """Finds packages by their folders and modules by their files, whatever others would say."""

    def __init__(self, packages, modules):
        self.packages, self.modules = packages, modules

    def find_spec(self, name, path=None, target=None):
        """Return where the package or the module of that name is, if it is one of these."""
        if folder := self.packages.get(name):
            file = os.path.join(folder, "__init__.py")
            return spec_from_file_location(name, file, submodule_search_locations=[folder])
        return spec_from_file_location(name, self.modules[name]) if name in self.modules else None


def problem(name):
    """Return why a module cannot be imported, or an empty string."""
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "polymask").partition(".")[0] == "polymask":
            return str(error)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def main():
    """Import all; exit 1 if that fails for one."""
    built = Built(**json.load(sys.stdin))
    sys.meta_path.insert(0, built)
    problems = {name: problem(name) for name in built.packages}
    sys.meta_path.insert(0, built)  # again: before the guard, which polymask puts in
    problems |= {name: problem(name) for name in built.modules}
    for name, why in problems.items():
        if why:
            print(f"{name} was built and cannot be imported: {why}")
    sys.exit(any(problems.values()))


if __name__ == "__main__":
    main()
