"""Trees to measure: this checkout, and another commit of it, both built with the same tools.

``setup.py build_ext --inplace`` works in every commit of this project, and builds what changed.
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from ladder.common.checkout import ROOT, git
from polymask.contract import Unavailable

LAST_LINES = 8  # of the output of a failed build
# Prints the folder of each package, after the output of setup.py.
PACKAGES = """
import json, setuptools
from distutils.core import run_setup
print(json.dumps(run_setup("setup.py", ["-q"], stop_after="init").package_dir or {}))
"""


@dataclass(frozen=True)
class Tree:
    """Sources with the extension modules built in place."""

    root: Path
    packages: dict[str, str]  # name to folder, if the names differ


def exported(commit, root=ROOT):
    """Return the folder of a commit's files, which is made once, as a worktree of git."""
    folder = root / "build" / "revisions" / commit
    if not folder.exists():  # forced, as `make clean` may have removed it
        process = git(root, "worktree", "add", "--force", "--detach", str(folder), commit)
        if process.returncode:
            raise Unavailable(f"git worktree of {commit[:12]} failed: {process.stderr.strip()}")
    return folder


def build(root):
    """Build a tree in place, and return it."""
    run_python(root, "setup.py", "-q", "build_ext", "--inplace")
    folders = json.loads(run_python(root, "-c", PACKAGES)[-1])
    return Tree(root, {name: str(root / folder) for name, folder in folders.items() if name})


def run_python(root, *arguments):
    """Run Python in a tree, and return the lines of its output; raise `Unavailable` if it fails."""
    process = subprocess.run(
        [sys.executable, *arguments],
        cwd=root,
        env={name: value for name, value in os.environ.items() if name != "POLYMASK_BUILD"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    lines = process.stdout.strip().splitlines()
    if process.returncode:
        raise Unavailable("\n  ".join([f"the build of {root} failed with:", *lines[-LAST_LINES:]]))
    return lines
