"""A hook that makes openmp.prange note its masks; Python imports this file whenever it starts.

The check has this folder on the path of all processes that an answer starts. Nothing is imported
from the project.
"""

import functools
import importlib.abc
import importlib.util
import json
import os
import sys

MODULE, LOG = "ladder.openmp.prange", "POLYMASK_WORKSHOP_LOG"  # a variable: the file of the notes


def watch(module):
    """Make the module note each of its masks: the process, and its numbers of threads."""
    original = module.make_mask

    @functools.wraps(original)
    def make_mask(vertices, shape, border_value=True, **options):
        mask = original(vertices, shape, border_value, **options)
        asked = options.get("threads")
        note = {"process": os.getpid(), "asked": asked, "used": module.threads_used(asked)}
        with open(os.environ.get(LOG, os.devnull), "a", encoding="utf-8") as file:
            file.write(json.dumps(note) + "\n")
        return mask

    module.make_mask = make_mask


class Finder(importlib.abc.MetaPathFinder):
    """A finder of the module, which is watched once it is loaded."""

    def find_spec(self, name, path=None, target=None):
        """Return the module's spec, or None for all others."""
        if name != MODULE:
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


if __name__ == "sitecustomize":
    sys.meta_path.insert(0, Finder())
