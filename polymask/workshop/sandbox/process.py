"""Runs a piece of ours, with the student's code in it, as a process that cannot hurt the check.

It has a time-out, a limit of memory, and a process group of its own, which is ended as a whole:
after the time-out, and when the student presses Ctrl-C. Time without a core, which others hold,
does not count: on a busy machine a right answer takes longer.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from polymask.workshop.sandbox import system
from polymask.workshop.sandbox.system import resource

GIB = 2**30
MOST_OUTPUT = 100_000  # bytes of what the student's code prints


@dataclass(frozen=True)
class Ended:
    """How a process ended: its code (negative: the signal), what it said and whether in time."""

    code: int
    output: str
    timed_out: bool


def run(module, job, folder, seconds, memory_gib, environment=None):
    """Run a module's `main` with a job.

    Parameters
    ----------
    module : str
        Its `main` reads the path of the job from ``sys.argv[1]``.
    job : dict
        Plain values, written to job.json in `folder`.
    folder : Path
        The working directory.
    seconds, memory_gib : float
        Time-out, and limit of memory.
    environment : dict, optional
        Variables besides our own.

    Returns
    -------
    Ended
    """
    system.require()
    job_file, output = folder / "job.json", folder / "output.txt"
    job_file.write_text(json.dumps(job), encoding="utf-8")

    # Memory that can be written to, where the kernel counts that: drivers of devices reserve
    # addresses by the terabyte, which cost nothing.
    memory = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS

    def limit():
        most = int(memory_gib * GIB)
        for what, bound in (
            (memory, most),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_FSIZE, GIB),
        ):
            with contextlib.suppress(ValueError, OSError):  # a tighter limit holds, or none can be
                resource.setrlimit(what, (bound, bound))

    environment = os.environ | {"MALLOC_ARENA_MAX": "2", **(environment or {})}
    environment |= {"PYTHONDONTWRITEBYTECODE": "1", "LC_MESSAGES": "C"}
    with open(output, "w") as out:
        child = subprocess.Popen(
            [sys.executable, "-c", f"from {module} import main; main()", str(job_file)],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=limit,  # noqa: PLW1509, there are no threads here
        )
        try:
            timed_out = not ends_within(child, seconds)
        finally:
            end(child)
    with open(output, "rb") as said:
        text = said.read(MOST_OUTPUT).decode(errors="replace")
    return Ended(child.returncode, text, timed_out)


def ends_within(child, seconds):
    """Wait for the process; say whether it ended in so many seconds, starved ones aside."""
    begun = time.monotonic()
    while (left := begun + seconds + starved(child.pid) - time.monotonic()) > 0:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(left)
            return True
    return False


def starved(pid):
    """Return for how many seconds a process was ready to run and had no core; 0 if unknown."""
    try:
        return 1e-9 * int(Path(f"/proc/{pid}/schedstat").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0


def end(child):
    """End the process and all that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
