"""Trees to measure: this checkout, and other commits of it, each built once and kept.

All are built as `make build` does it, by ``setup.py build_ext --inplace``, with the same tools; it
is what every commit of this project understands. A commit's tree lies in build/revisions, under its
hash and that of the tools. It gets that name when it is whole.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from polymask.common import staleness
from polymask.common.checkout import git
from polymask.contract import Unavailable

LAST_LINES = 8  # of what a build said before it failed
# Asked of setup.py, for which package each folder is. Its own prints come before.
PACKAGES = """
import json, setuptools
from distutils.core import run_setup
print(json.dumps(run_setup("setup.py", ["-q"], stop_after="init").package_dir or {}))
"""


@dataclass(frozen=True)
class Tree:
    """Sources and the extension modules built in their places."""

    root: Path
    commit: str | None  # None of the checkout itself, which may have changes
    packages: dict[str, str]  # name to folder, where the names differ


def here(root=staleness.ROOT):
    """Bring the build of a checkout up to date, and return its tree."""
    if not (root / ".git").exists():
        raise Unavailable(
            f"commits can be built in a git checkout, and {root} is none",
            "git clone the project, and `make build` in it",
        )
    build(root)
    return Tree(root, None, packages(root))


def there(commit, root=staleness.ROOT, tell=lambda text: None):
    """Return the tree of a commit, built with the tools that `here` was built with.

    The commit is a whole hash; `tell` is handed a text before something that takes long. What
    cannot be built is `Unavailable`.
    """
    from polymask.building.alone import alone  # no wheel has it, and a wheel got no further

    place = root / "build" / "revisions" / f"{commit}-{tools(root)}"
    with alone(place.with_name("lock")):
        if not place.exists():
            tell(f"building {commit[:12]}: once, it is kept")
            with tempfile.TemporaryDirectory(
                prefix="unfinished-", dir=place.parent, ignore_cleanup_errors=True
            ) as folder:
                unfinished = Path(folder, "tree")
                export(commit, root, unfinished)
                build(unfinished, commit)
                unfinished.rename(place)
    return Tree(place, commit, packages(place))


def tools(root):
    """Return what stands for Python, Cython, compilers and their flags, from the build's record."""
    record = staleness.read(root / "build" / staleness.RECORD.name)
    known = json.dumps([record["tools"], record["openmp"]], sort_keys=True)
    return hashlib.sha256(known.encode()).hexdigest()[:12]


def export(commit, root, folder):
    """Write the files of a commit into a folder; the checkout and its index stay as they are."""
    with tempfile.TemporaryDirectory() as own:
        index = {"GIT_INDEX_FILE": str(Path(own, "index"))}
        for command in (["read-tree", commit], ["checkout-index", "--all", f"--prefix={folder}/"]):
            done = git(root, *command, **index)
            if done.returncode:
                raise Unavailable(
                    f"git {command[0]} of {commit[:12]} failed: {done.stderr.strip()}"
                )
    if not (folder / "setup.py").exists():
        raise Unavailable(f"commit {commit[:12]} has no setup.py, so it cannot be built")


def build(root, commit=None):
    """Build a tree in place."""
    done = _setup(root, ["setup.py", "-q", "build_ext", "--inplace"])
    if done.returncode:
        lines = done.stdout.strip().splitlines()[-LAST_LINES:] or ["it said nothing"]
        name = f"commit {commit[:12]}" if commit else "this checkout"
        raise Unavailable("\n  ".join([f"the build of {name} failed; it ends:", *lines]))


def packages(root):
    """Return name to folder of the packages whose folders have other names."""
    done = _setup(root, ["-c", PACKAGES])
    if done.returncode:
        last = done.stdout.strip().splitlines()[-1:]
        raise Unavailable(f"setup.py of {root} does not say what its packages are: {last}")
    folders = json.loads(done.stdout.splitlines()[-1])
    return {name: str(root / folder) for name, folder in folders.items() if name}


def _setup(root, arguments):
    """Run Python on setup.py, with all that it says in one place."""
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
