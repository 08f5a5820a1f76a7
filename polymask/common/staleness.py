"""In a checkout, refuse to import an extension module that is missing or made from other sources.

After a compile error, or an edit without a build, an old module would still import, and tests
would pass on stale code. The build records what each module is made from; this reads it. Contents
are compared, not times: what was touched, copied, moved or restored is judged by what it says.
"""

import hashlib
import json
import sys
from importlib.machinery import PathFinder
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# What is in place is made for one Python; it is never in a wheel.
FORMAT = 1  # of the record; another commit may write another
RECORD = ROOT / "build" / f"record-{sys.implementation.cache_tag}.json"


def digest(path):
    """Return what stands for the content of a file; None if there is no file."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except FileNotFoundError:
        return None


def read(record):
    """Return what a record says; None if there is none, or none that can be read."""
    try:
        found = json.loads(Path(record).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    return found if isinstance(found, dict) and found.get("format") == FORMAT else None


class StaleModule(ImportError):
    """An extension module was made from other sources than those that are there."""


class Guard:
    """A finder that answers first, and only to refuse.

    `inputs` has for each module the files that it was made from, and their digests then.
    """

    def __init__(self, inputs):
        self.inputs = inputs

    def find_spec(self, name, path=None, target=None):
        """Raise `StaleModule` for a stale module; leave finding all others to the rest."""
        if name not in self.inputs:
            return None
        spec = PathFinder.find_spec(name, path)
        if spec is None or spec.origin is None:
            return None
        for source, was in self.inputs[name].items():
            if digest(ROOT / source) != was:
                raise StaleModule(f"{name} is older than {source}: run `make build`", name=name)
        return None


class NotBuilt(ImportError):
    """An extension module's source is here, the module is not."""


class LastFinder:
    """A finder that is asked last, and only says why a module is not there.

    Sources of extension modules lie beside the package in a checkout alone. Python looks first into
    the folder that it is started in: after `pip install .` it finds the checkout there.
    """

    def find_spec(self, name, path=None, target=None):
        """Raise `NotBuilt` where there is a source to build the module from."""
        if not name.startswith("polymask."):
            return None
        if not (ROOT / f"{name.replace('.', '/')}.pyx").exists():
            return None
        elsewhere = [entry for entry in sys.path if Path(entry or ".").resolve() != ROOT]
        installed = PathFinder.find_spec("polymask", elsewhere)
        if installed is None or installed.origin is None:
            raise NotBuilt(f"{name} is not built in {ROOT}: run `make build` there", name=name)
        raise NotBuilt(
            f"Python found the sources in {ROOT}, which are not built, before the polymask that is "
            f"installed in {Path(installed.origin).parent}: start it in another folder, or run "
            f"`make build` here",
            name=name,
        )


def guard():
    """Put the guard before all other finders, where there is a build to hold modules against."""
    if not any(isinstance(finder, LastFinder) for finder in sys.meta_path):
        sys.meta_path.append(LastFinder())
    record = read(RECORD)
    if record and not any(isinstance(finder, Guard) for finder in sys.meta_path):
        made = record["made"].items()
        sys.meta_path.insert(0, Guard({name: entry["inputs"] for name, entry in made}))
