"""The checkout of the project: its git repository, its commit, and its benchmarks."""

import importlib
import importlib.util
import re
import subprocess
import sys

from ladder.common.staleness import ROOT
from polymask.common.errors import Unavailable


def load(name):
    """Import a module of the checkout, such as "benchmarks.peers".

    Its folder is given explicitly, so that no other package of the same name is imported.
    """
    folder = name.partition(".")[0]
    if folder not in sys.modules:
        init = ROOT / folder / "__init__.py"
        spec = importlib.util.spec_from_file_location(
            folder, init, submodule_search_locations=[str(init.parent)]
        )
        sys.modules[folder] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[folder])
    return importlib.import_module(name)


def git(root, *arguments):
    """Run git in the checkout; raise `Unavailable` if it does not run, or refuses the folder."""
    try:
        process = subprocess.run(
            ["git", *arguments],
            cwd=root,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except OSError as error:
        raise Unavailable(f"git cannot be run ({error.strerror})", "install it") from None
    if "dubious ownership" in process.stderr:
        remedy = re.search(r"git config --global --add safe\.directory .*", process.stderr)
        trust = remedy[0] if remedy else f"git config --global --add safe.directory {root}"
        raise Unavailable(f"git does not trust {root}, which another user owns", f"run `{trust}`")
    return process


def find(revision, root=ROOT):
    """Return the hash of a revision's commit; raise a ValueError if the commit does not exist."""
    quiet = ("--verify", "--quiet", "--end-of-options")
    process = git(root, "rev-parse", *quiet, f"{revision}^{{commit}}")
    if process.returncode:
        unknown = ["no commit of that name exists (a shallow clone has few)"]
        raise ValueError(f"{revision}: {(process.stderr.splitlines() or unknown)[0]}")
    return process.stdout.strip()


def commit():
    """Return the commit of the checkout, and whether its files have changes, if git knows them.

    If git fails in a checkout, "commit_unknown" gives the reason.
    """
    unknown = {"commit": None, "dirty": None}
    try:
        head = find("HEAD", ROOT)
        tracked = git(ROOT, "ls-files", "--error-unmatch", "ladder/registry/__init__.py")
        changed = git(ROOT, "status", "--porcelain", "--untracked-files=no")
    except (ValueError, Unavailable) as error:  # no commit, or no git
        return unknown | ({"commit_unknown": str(error)} if (ROOT / ".git").exists() else {})
    if tracked.returncode:
        return unknown
    return {"commit": head, "dirty": bool(changed.stdout.strip())}
