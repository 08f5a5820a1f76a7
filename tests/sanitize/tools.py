"""Shared by all parts of `make sanitize`: running tools, reporting findings and missing tools."""

import os
import shutil
import subprocess
from pathlib import Path

from checkouts import ROOT

FOLDER = ROOT / "build/sanitize"
LONGEST = 3600  # seconds for a command


class Unavailable(Exception):
    """A requirement of a part is missing."""


class Finding(Exception):
    """A tool reported a finding, or the program under it failed."""


def need(package, *programs):
    """Raise `Unavailable` if a program is missing; the package is Debian's."""
    for program in programs:
        if not shutil.which(program):
            raise Unavailable(f"needs {program}: on Debian apt install {package}")


def run(command, folder=ROOT, environment=None, silent=False):
    """Run a command in a folder; return its output.

    If it fails, `Finding` contains its output. If it is to be `silent`, any stderr is a failure.
    """
    done = subprocess.run(
        [*map(str, command)],
        cwd=folder,
        env=os.environ | (environment or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if silent else subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        timeout=LONGEST,
    )
    if done.returncode != 0 or done.stderr:
        status = f"{Path(command[0]).name} exited with {done.returncode}"
        raise Finding("\n".join(filter(None, [done.stdout, done.stderr, status])))
    return done.stdout
