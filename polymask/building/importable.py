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
from importlib.util import module_from_spec, spec_from_file_location


class Built:
    """Finds modules by their files, whatever other finders would say: they import each other."""

    def __init__(self, files):
        self.files = files

    def find_spec(self, name, path=None, target=None):
        """Return where the module of that name is, if it is one of these."""
        return spec_from_file_location(name, self.files[name]) if name in self.files else None


def load_package(name, folder):
    """Import a package from its folder."""
    spec = spec_from_file_location(
        name, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    sys.modules[name] = package = module_from_spec(spec)
    spec.loader.exec_module(package)


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
    job = json.load(sys.stdin)
    for name, folder in job["packages"].items():
        load_package(name, folder)
    sys.meta_path.insert(0, Built(job["modules"]))  # before the guard, which polymask puts in
    problems = {name: problem(name) for name in job["modules"]}
    for name, why in problems.items():
        if why:
            print(f"{name} was built and cannot be imported: {why}")
    sys.exit(any(problems.values()))


if __name__ == "__main__":
    main()
