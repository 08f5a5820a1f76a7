"""Which process of an answer's makes the masks, and with how many threads.

The answer may start its child as it likes: each Python process that it starts begins with
sitecustomize.py of the folder `started`, which lets it note what it does, as this one does.
"""

import importlib
import json
import os
from pathlib import Path

from polymask.workshop.sandbox.environments import Environment
from polymask.workshop.sandbox.environments.started import sitecustomize

LOG = "family.jsonl"


def install(module):
    """Note each mask of a rung's module, given by its name, from now on."""
    return Family(Path.cwd() / LOG, module)


class Family(Environment):
    """Notes of each mask: the process, its parent, the threads asked for, and those it can have."""

    def __init__(self, log, module):
        self.log = log
        os.environ |= {sitecustomize.LOG: str(log), sitecustomize.MODULE: module}
        folders = [str(Path(sitecustomize.__file__).parent), os.environ.get("PYTHONPATH", "")]
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, folders))
        sitecustomize.watch(importlib.import_module(module))

    def before(self, arguments):
        """Forget what was noted."""
        self.log.unlink(missing_ok=True)

    def after(self):
        """Return what was noted, and which process this is."""
        lines = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        return {"this": os.getpid(), "made": [json.loads(line) for line in lines]}
