"""Notes about the processes in which an answer makes masks, and their numbers of threads.

The answer may start a child in any way: each Python process that it starts imports sitecustomize.py
from the folder `started`, which notes masks as this process does.
"""

import importlib
import json
import os
from pathlib import Path

from ladder.workshop.sandbox.environments import Environment
from ladder.workshop.sandbox.environments.started import sitecustomize

LOG = "family.jsonl"


def install(module):
    """Note each mask that a rung's module makes; `module` is its name."""
    return Family(Path.cwd() / LOG, module)


class Family(Environment):
    """Notes about each mask: the process, the requested threads, and the available ones."""

    def __init__(self, log, module):
        self.log = log
        os.environ |= {sitecustomize.LOG: str(log), sitecustomize.MODULE: module}
        folders = [str(Path(sitecustomize.__file__).parent), os.environ.get("PYTHONPATH", "")]
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, folders))
        sitecustomize.watch(importlib.import_module(module))

    def before(self, arguments):
        """Delete earlier notes."""
        self.log.unlink(missing_ok=True)

    def after(self):
        """Return the notes, and the ID of this process."""
        lines = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        return {"this": os.getpid(), "made": [json.loads(line) for line in lines]}
