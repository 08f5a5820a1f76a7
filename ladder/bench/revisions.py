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
    commit: str | None  # None for the checkout itself, which may have changes
    packages: dict[str, str]  # name to folder, if the names differ


def build_checkout(root=staleness.ROOT):
    """Update the build of a checkout, and return its tree."""
    if not (root / ".git").exists():
        raise Unavailable(
            f"commits can only be built in a git checkout, and {root} is not one",
            "git clone the project, and run `make build` in it",
        )
    build(root)
    return Tree(root, None, packages(root))


def build_commit(commit, root=staleness.ROOT, tell=lambda text: None):
    """Return the tree of a commit, built with the same tools as the checkout.

    The commit is a full hash; `tell` is called with a message before a long step. A failed build
    raises `Unavailable`.
    """
    from building.alone import alone  # not in wheels, which have no checkout

    place = root / "build" / "revisions" / f"{commit}-{tools(root)}"
    with alone(place.with_name("lock")):
        if not place.exists():
            tell(f"building {commit[:12]}, once")
            with tempfile.TemporaryDirectory(
                prefix="unfinished-", dir=place.parent, ignore_cleanup_errors=True
            ) as folder:
                unfinished = Path(folder, "tree")
                export(commit, root, unfinished)
                build(unfinished, commit)
                unfinished.rename(place)
    return Tree(place, commit, packages(place))


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


def build(root, commit=None):
    """Build a tree in place."""
    process = _setup(root, ["setup.py", "-q", "build_ext", "--inplace"])
    if process.returncode:
        lines = process.stdout.strip().splitlines()[-LAST_LINES:] or ["it printed nothing"]
        name = f"commit {commit[:12]}" if commit else "this checkout"
        raise Unavailable("\n  ".join([f"the build of {name} failed with:", *lines]))


def packages(root):
    """Map each package whose folder has another name to this folder."""
    process = _setup(root, ["-c", PACKAGES])
    if process.returncode:
        lines = process.stdout.strip().splitlines()[-1:]
        raise Unavailable(f"setup.py of {root} does not list its packages: {lines}")
    folders = json.loads(process.stdout.splitlines()[-1])
    return {name: str(root / folder) for name, folder in folders.items() if name}


def _setup(root, arguments):
    """Run Python on setup.py, with stdout and stderr in one stream."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=root,
        env={name: value for name, value in os.environ.items() if name != "POLYMASK_BUILD"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
