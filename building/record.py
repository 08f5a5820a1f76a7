"""The record of builds, with their inputs and tools, which alone decides which files are fresh.

setuptools and Cython have their own rules, based on file times. If these rules disagree, part of a
build is skipped. So neither is used: both get only the stale modules, and build all of them.
"""

import json
import os
from pathlib import Path

from ladder.common.staleness import FORMAT, digest, read


class Record:
    """The record of the builds in one place: a JSON file.

    For each module or library, `entries` has the digests of its file and of its `inputs`, its
    `recipe` (such as flags), and whether it was `checked`. `tools` apply to all entries: with
    another compiler, Cython or Python, nothing is fresh.
    """

    def __init__(self, path, tools):
        self.path, self.entries = Path(path), {}
        self.openmp = None  # its flags, once known
        previous = read(path)
        known = previous["tools"] if previous else {}
        # None, a tool without a known version, counts as unchanged
        self.tools = {tool: known.get(tool) if now is None else now for tool, now in tools.items()}
        if previous and known == self.tools:
            self.entries, self.openmp = previous["made"], previous["openmp"]

    def is_fresh(self, name, file, inputs, recipe):
        """Return whether the file was built with this recipe from these inputs."""
        entry = self.entries.get(name)
        return (
            entry is not None
            and entry["recipe"] == recipe
            and entry["inputs"] == inputs
            and entry["digest"] == digest(file)
        )

    def forget(self, names):
        """Remove entries that will be rebuilt."""
        for name in names:
            self.entries.pop(name, None)
        self.write()

    def add(self, name, file, inputs, recipe):
        """Add an entry; `inputs` are the digests from before the build."""
        entry = {"digest": digest(file), "inputs": inputs, "recipe": recipe, "checked": False}
        self.entries[name] = entry
        self.write()

    def write(self):
        """Replace the file in one step, so that readers see the old one or the new one."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        new = self.path.with_suffix(".new")
        contents = {"format": FORMAT, "tools": self.tools, "openmp": self.openmp}
        contents["made"] = self.entries
        new.write_text(json.dumps(contents, indent=1), encoding="utf-8")
        os.replace(new, self.path)
