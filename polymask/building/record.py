"""What was built, from what and with what: the one place that decides what is fresh.

setuptools and Cython have rules of their own, by the times of files. Where such rules disagree,
half of a build is skipped; so neither is asked. They get what is stale, and build all of it.
"""

import json
import os
from pathlib import Path

from polymask.common.staleness import FORMAT, digest, read


class Record:
    """The record of the builds in one place: a JSON file.

    `made` has for each module or library the digests of the file that was made and of its
    `inputs`, its `recipe` (flags and the like), and whether it was `checked`. `tools` are what all
    is built with: with another compiler, Cython or Python nothing is fresh.
    """

    def __init__(self, path, tools):
        self.path, self.made = Path(path), {}
        self.openmp = None  # the flags for it, once they were found
        was = read(path)
        known = was["tools"] if was else {}
        # one that cannot be asked, None, is taken to be what it was
        self.tools = {tool: known.get(tool) if now is None else now for tool, now in tools.items()}
        if was and known == self.tools:
            self.made, self.openmp = was["made"], was["openmp"]

    def is_fresh(self, name, file, inputs, recipe):
        """Return whether the file is what this recipe makes of these inputs, as they are now."""
        entry = self.made.get(name)
        return (
            entry is not None
            and entry["recipe"] == recipe
            and entry["inputs"] == inputs
            and entry["digest"] == digest(file)
        )

    def forget(self, names):
        """Strike out what is to be made anew."""
        for name in names:
            self.made.pop(name, None)
        self.write()

    def add(self, name, file, inputs, recipe):
        """Enter what was made; `inputs` are the digests from before it was made."""
        made = {"digest": digest(file), "inputs": inputs, "recipe": recipe, "checked": False}
        self.made[name] = made
        self.write()

    def write(self):
        """Replace the file in one step: whoever reads it finds the old one or the new one."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        new = self.path.with_suffix(".new")
        told = {"format": FORMAT, "tools": self.tools, "openmp": self.openmp, "made": self.made}
        new.write_text(json.dumps(told, indent=1), encoding="utf-8")
        os.replace(new, self.path)
