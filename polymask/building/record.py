"""The record of builds, with their inputs and tools: it alone decides which files are fresh.

setuptools and Cython have their own rules, based on the times of files. If such rules disagree, a
part of a build is skipped. So neither is used: both are given the stale modules, and build all.
"""

import json
import os
from pathlib import Path

from polymask.common.staleness import FORMAT, digest, read


class Record:
    """The record of the builds in one place: a JSON file.

    For each module or library, `made` has the digests of its file and of its `inputs`, its `recipe`
    (such as flags), and whether it was `checked`. `tools` are common to all: with another compiler,
    Cython or Python nothing is fresh.
    """

    def __init__(self, path, tools):
        self.path, self.made = Path(path), {}
        self.openmp = None  # its flags, once known
        was = read(path)
        known = was["tools"] if was else {}
        # None, a tool without a known version, counts as unchanged
        self.tools = {tool: known.get(tool) if now is None else now for tool, now in tools.items()}
        if was and known == self.tools:
            self.made, self.openmp = was["made"], was["openmp"]

    def is_fresh(self, name, file, inputs, recipe):
        """Return whether the file was made by this recipe from the present inputs."""
        entry = self.made.get(name)
        return (
            entry is not None
            and entry["recipe"] == recipe
            and entry["inputs"] == inputs
            and entry["digest"] == digest(file)
        )

    def forget(self, names):
        """Remove entries that will be rebuilt."""
        for name in names:
            self.made.pop(name, None)
        self.write()

    def add(self, name, file, inputs, recipe):
        """Add an entry; `inputs` are the digests from before the build."""
        made = {"digest": digest(file), "inputs": inputs, "recipe": recipe, "checked": False}
        self.made[name] = made
        self.write()

    def write(self):
        """Replace the file in one step, so that readers see the old one or the new one."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        new = self.path.with_suffix(".new")
        told = {"format": FORMAT, "tools": self.tools, "openmp": self.openmp, "made": self.made}
        new.write_text(json.dumps(told, indent=1), encoding="utf-8")
        os.replace(new, self.path)
