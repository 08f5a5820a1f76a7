"""What all parts of `make sanitize` need: to run tools, and to say what they found or lack."""

import os
import shutil
import subprocess
from pathlib import Path

from checkouts import ROOT

FOLDER = ROOT / "build/sanitize"
LONGEST = 3600  # seconds for a command


class Unavailable(Exception):
    """What a part needs is not here."""


class Found(Exception):
    """A tool found something, or what it watches failed."""


def need(package, *programs):
    """Refuse if one of the programs is not here; the package is Debian's."""
    for program in programs:
        if not shutil.which(program):
            raise Unavailable(f"needs {program}: on Debian apt install {package}")


def run(command, folder=ROOT, environment=None, silent=False):
    """Run a command in a folder; return what it printed.

    Where it fails, `Found` has its words; if it should be `silent`, words alone are a failure.
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
        ended = f"{Path(command[0]).name} ended with {done.returncode}"
        raise Found("\n".join(filter(None, [done.stdout, done.stderr, ended])))
    return done.stdout
