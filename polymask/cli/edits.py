"""Files of the lessons that were edited: an error after such an edit is no defect of polymask."""

from polymask.common import checkout
from polymask.common.staleness import ROOT
from polymask.contract import Unavailable

MOST_NAMED = 3


def edited_files():
    """Return the paths of the rungs and of csrc that differ from the last commit, if git knows."""
    try:
        done = checkout.git(ROOT, "diff", "--name-only", "HEAD", "--", "[0-9]_*", "csrc")
    except Unavailable:
        return []
    return [] if done.returncode else done.stdout.split()


def explain(files):
    """Say in a line which files were edited."""
    names = " ".join(files[:MOST_NAMED])
    listed = names.replace(" ", ", ") + (" and others" if len(files) > MOST_NAMED else "")
    have = "has" if len(files) == 1 else "have"
    return f"{listed} {have} changed since the last commit (`git diff {names}` shows how)"
