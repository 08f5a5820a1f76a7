"""Refusal of extension modules in a checkout that are missing or built from other sources.

After a compile error, or an edit without a build, an old module would still import, and tests would
pass on stale code. The build records the sources of each module, and they are compared here: by
their contents, not their times, so that files may be touched, copied, moved or restored.
"""

import hashlib
import json
import sys
from importlib.machinery import PathFinder
from pathlib import Path

from ladder.common import preflight
from polymask.common.errors import NotBuilt, StaleModule

ROOT = Path(__file__).resolve().parents[2]
# Modules that are built in place are for one version of Python, and never in a wheel.
FORMAT = 1  # of the record; other commits may have other formats
RECORD = ROOT / "build" / f"record-{sys.implementation.cache_tag}.json"


def digest(path):
    """Return a hash of the content of a file, or None if the file does not exist."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except FileNotFoundError:
        return None


def read(record):
    """Return the content of a record, or None if it does not exist or cannot be read."""
    try:
        content = json.loads(Path(record).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    return content if isinstance(content, dict) and content.get("format") == FORMAT else None


class Guard:
    """A module finder that runs first, and only refuses stale modules, or all commands.

    `inputs` has the sources of each module, and their digests at the time of the build. `other` is
    a message if the commands of the course would run the code of another clone.
    """

    def __init__(self, inputs, other=""):
        self.inputs, self.other = inputs, other

    def find_spec(self, name, path=None, target=None):
        """Raise `StaleModule` for a stale module; leave all others to later finders."""
        if self.other and name.startswith("ladder.cli.") and name != "ladder.cli.edits":
            raise NotBuilt(self.other, name=name)
        if name not in self.inputs:
            return None
        spec = PathFinder.find_spec(name, path)
        if spec is None or spec.origin is None:
            return None
        for source, recorded in self.inputs[name].items():
            if digest(ROOT / source) != recorded:
                raise StaleModule(f"{name} is older than {source}: run `make build`", name=name)
        return None


class LastFinder:
    """A module finder that runs last, and only explains why a module is missing."""

    def find_spec(self, name, path=None, target=None):
        """Raise `NotBuilt` if a source of the module exists."""
        source = ROOT / f"{name.replace('.', '/')}.pyx"
        if name.startswith(("polymask.", "ladder.")) and source.exists():
            why = f"{name} is not built in {ROOT}: run `make build` there"
            raise NotBuilt(preflight.lacking() or why, name=name)


def other_clone():
    """Return a message if the current folder, or the environment, is that of another clone."""
    try:
        here = Path.cwd()
    except FileNotFoundError:
        return ""
    clones = (f for f in (here, *here.parents) if (f / "ladder/common/staleness.py").is_file())
    if (clone := next(clones, ROOT)) != ROOT:
        return f"polymask runs the code of another clone, {ROOT}: run `make build` in {clone}"
    note = ROOT / ".venv/here"  # of the Makefile, with the folder of the environment
    is_ours = Path(sys.prefix) == note.parent and note.is_file()
    if is_ours and not note.read_text(encoding="utf-8").startswith(f"{ROOT} ("):
        return f"this clone was moved or copied: run `make build` in {ROOT}"
    return ""


def guard():
    """Put the guard before all other finders if a build has left a record."""
    if not any(isinstance(finder, LastFinder) for finder in sys.meta_path):
        sys.meta_path.append(LastFinder())
    record = read(RECORD)
    if record and not any(isinstance(finder, Guard) for finder in sys.meta_path):
        modules = record["made"].items()
        inputs = {name: entry["inputs"] for name, entry in modules}
        sys.meta_path.insert(0, Guard(inputs, other_clone()))
