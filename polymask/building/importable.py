"""Whether modules that were just built can be imported: a program of its own, in a fresh process.

It reads JSON from standard input: `packages`, a list of names and folders, and `modules`, a list
of names and files. It prints a line for each module that cannot be imported, and why.

What a module needs from other projects may be missing where it is built (NumPy is, in the
environments that pip builds in). Linking was tried by then: the loader has resolved all symbols.
"""

import importlib.util
import json
import os
import sys


def load(name, file, **options):
    """Import a file under a name, whatever finders would say."""
    spec = importlib.util.spec_from_file_location(name, file, **options)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def problem(name, file):
    """Return why a module cannot be imported, or an empty string."""
    try:
        load(name, file)
    except ModuleNotFoundError as error:
        if (error.name or "polymask").partition(".")[0] == "polymask":
            return str(error)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def main():
    """Import all; exit 1 if that fails for one."""
    job = json.load(sys.stdin)
    for name, folder in job["packages"]:
        load(name, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder])
    problems = {name: problem(name, file) for name, file in job["modules"]}
    for name, why in problems.items():
        if why:
            print(f"{name} was built and cannot be imported: {why}")
    sys.exit(any(problems.values()))


if __name__ == "__main__":
    main()
