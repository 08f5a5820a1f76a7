"""Edits to the files of lessons: an error after such an edit is not a defect of polymask."""

from ladder.common import checkout
from ladder.common.staleness import ROOT
from polymask.contract import Unavailable

MOST_NAMED = 3


def edited_files():
    """Return the files of rungs and csrc that differ from the last commit, if git can list them."""
    try:
        diff = checkout.git(ROOT, "diff", "--name-only", "HEAD", "--", "[0-9]_*", "csrc", ":!*.md")
    except Unavailable:
        return []
    return [] if diff.returncode else diff.stdout.split()


def explained():
    """Return a line with the edited files and the command that shows the edits, or ""."""
    if not (files := edited_files()):
        return ""
    names = " ".join(files[:MOST_NAMED])
    listed = names.replace(" ", ", ") + (" and others" if len(files) > MOST_NAMED else "")
    have = "has" if len(files) == 1 else "have"
    return f"{listed} {have} changed since the last commit (`git diff {names}` shows how)"
