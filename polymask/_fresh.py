"""In a checkout, refuse to import an extension module that is older than its sources.

After a compile error, or an edit without a build, an old module would still import, and tests
would pass on stale code. The build writes down what each module is made from; this reads it.
"""

import json
import sys
from importlib.machinery import PathFinder
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INPUTS = ROOT / "build" / "inputs.json"  # never in a wheel


class StaleModule(ImportError):
    """An extension module is older than a file that it is made from."""


class Guard:
    """A finder that answers first, and only to refuse."""

    def __init__(self, inputs):
        self.inputs = inputs

    def find_spec(self, name, path=None, target=None):
        """Raise `StaleModule` for a stale module; leave finding all others to the rest."""
        if name not in self.inputs:
            return None
        spec = PathFinder.find_spec(name, path)
        if spec is None or spec.origin is None:
            return None
        made = Path(spec.origin).stat().st_mtime
        for source in self.inputs[name]:
            file = ROOT / source
            if file.exists() and file.stat().st_mtime > made:
                raise StaleModule(f"{name} is older than {source}: run `make build`", name=name)
        return None


def guard():
    """Put the guard before all other finders, where there is a build to hold modules against."""
    if INPUTS.exists() and not any(isinstance(finder, Guard) for finder in sys.meta_path):
        sys.meta_path.insert(0, Guard(json.loads(INPUTS.read_text())))
