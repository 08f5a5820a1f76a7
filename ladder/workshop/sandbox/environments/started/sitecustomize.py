"""A hook that makes a rung note its masks; Python imports this file whenever it starts.

It imports nothing from the project, and does nothing without a file for the notes.
"""

import functools
import importlib.abc
import importlib.util
import json
import os
import sys

LOG, MODULE = "POLYMASK_WORKSHOP_LOG", "POLYMASK_WORKSHOP_WATCHED"  # a file, a rung's module


def watch(module):
    """Make a module note each of its masks."""
    original, threads_used = module.make_mask, module.threads_used

    @functools.wraps(original)
    def make_mask(vertices, shape, border_value=True, **options):
        mask = original(vertices, shape, border_value, **options)
        threads = options.get("threads")
        note(asked=threads, used=threads_used(threads), shape=list(mask.shape))
        return mask

    module.make_mask = make_mask


def note(**entry):
    """Write an entry about this process; a short line is written in one step."""
    line = json.dumps({"process": os.getpid(), **entry}) + "\n"
    file = os.open(os.environ[LOG], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(file, line.encode())
    finally:
        os.close(file)


class Finder(importlib.abc.MetaPathFinder):
    """A finder of the module, which is watched once it is loaded."""

    def find_spec(self, name, path=None, target=None):
        """Return the module's spec, or None for all others."""
        if name != os.environ[MODULE]:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None:
            execute = spec.loader.exec_module

            def exec_module(module):
                execute(module)
                watch(module)

            spec.loader.exec_module = exec_module
        return spec


if LOG in os.environ and __name__ == "sitecustomize":
    sys.meta_path.insert(0, Finder())
