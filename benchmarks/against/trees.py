"""Trees to measure: this checkout, and its other commits, each built once and kept.

All trees are built as by `make build`, with the same tools: ``setup.py build_ext --inplace`` works
in every commit of this project. A commit's tree is in build/revisions; its name is the hash of the
commit with that of the tools. The tree gets this name when it is complete.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from building.alone import alone
from ladder.common import staleness
from ladder.common.checkout import git
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


def build_checkout(root=staleness.ROOT):
    """Update the build of a checkout, and return its tree."""
    return build(root, "this checkout")


def build_commit(commit, root=staleness.ROOT):
    """Return the tree of a commit, a full hash; build it with the checkout's tools, once."""
    place = root / "build" / "revisions" / f"{commit}-{tools(root)}"
    with alone(place.with_name("lock")):
        if not place.exists():
            with tempfile.TemporaryDirectory(
                prefix="unfinished-", dir=place.parent, ignore_cleanup_errors=True
            ) as folder:
                unfinished = Path(folder, "tree")
                export(commit, root, unfinished)
                build(unfinished, f"commit {commit[:12]}")
                unfinished.rename(place)
    return Tree(place, packages(place))


def tools(root):
    """Return a digest of Python, Cython, compilers and their flags, from the build's record."""
    record = staleness.read(root / "build" / staleness.RECORD.name)
    text = json.dumps([record["tools"], record["openmp"]], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def export(commit, root, folder):
    """Write the files of a commit into a folder, without changing the checkout or its index."""
    with tempfile.TemporaryDirectory() as temporary:
        index = {"GIT_INDEX_FILE": str(Path(temporary, "index"))}
        for command in (["read-tree", commit], ["checkout-index", "--all", f"--prefix={folder}/"]):
            process = git(root, *command, **index)
            if process.returncode:
                raise Unavailable(
                    f"git {command[0]} of {commit[:12]} failed: {process.stderr.strip()}"
                )
    if not (folder / "setup.py").exists():
        raise Unavailable(f"commit {commit[:12]} has no setup.py, so it cannot be built")


def build(root, name):
    """Build a tree in place, and return it; `name` is for the error message."""
    code, lines = _setup(root, "setup.py", "-q", "build_ext", "--inplace")
    if code:
        raise Unavailable("\n  ".join([f"the build of {name} failed with:", *lines[-LAST_LINES:]]))
    return Tree(root, packages(root))


def packages(root):
    """Map each package whose folder has another name to this folder."""
    code, lines = _setup(root, "-c", PACKAGES)
    if code:
        raise Unavailable(f"setup.py of {root} does not list its packages: {lines[-1:]}")
    return {name: str(root / folder) for name, folder in json.loads(lines[-1]).items() if name}


def _setup(root, *arguments):
    """Run Python in a tree; return the exit code, and the lines of stdout and stderr."""
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
    return process.returncode, process.stdout.strip().splitlines()
