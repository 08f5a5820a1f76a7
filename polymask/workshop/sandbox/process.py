"""Runs a piece of ours, with the student's code in it, as a process that cannot hurt the check.

It has a time-out, a limit of memory, and a process group of its own, which is ended as a whole:
after the time-out, and when the student presses Ctrl-C. Time without a
core, which others hold, does not count: on a busy machine a right answer takes longer.
"""

import contextlib
import ctypes
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
SET_DEATH_SIGNAL = 1  # of prctl
OUTPUT = "output.txt"
MOST_FILE = 2 * GIB  # bytes
MOST_OUTPUT = 100_000  # bytes of what the student's code prints


@dataclass(frozen=True)
class Ended:
    """How a process ended: its code (negative: the signal), what it said and whether in time."""

    code: int
    output: str
    timed_out: bool


def run(module, job, folder, seconds, memory_gib, environment=None):
    """Run a module's `main` with a job, for so many seconds at most; return how it `Ended`."""
    child = start(module, job, folder, memory_gib, environment)
    try:
        timed_out = not ends_within(child, seconds)
    finally:
        end(child)
    return Ended(child.returncode, said(folder), timed_out)


def start(module, job, folder, memory_gib, environment=None, pass_fds=()):
    """Start a module's `main` in a folder; `end` has to be called with what is returned.

    `main` reads the path of the job, a dict of plain values, from ``sys.argv[1]``. `environment`
    has variables besides our own, and `pass_fds` files that stay open. Returned is a Popen.
    """
    system.require()
    job_file = folder / "job.json"
    job_file.write_text(json.dumps(job), encoding="utf-8")

    # Memory that can be written to, where the kernel counts that: drivers of devices reserve
    # addresses by the terabyte, which cost nothing.
    memory = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    limits = {
        memory: int(memory_gib * GIB),
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: MOST_FILE,
    }

    judge, prctl = os.getpid(), getattr(ctypes.CDLL(None), "prctl", None)  # Linux's

    def limit():
        if prctl:
            prctl(SET_DEATH_SIGNAL, signal.SIGKILL)  # the judge may be ended, too
            if os.getppid() != judge:
                os._exit(1)  # it was, meanwhile
        for what, bound in limits.items():
            with contextlib.suppress(ValueError, OSError):  # a tighter limit holds, or none can be
                resource.setrlimit(what, (bound, bound))

    environment = os.environ | {"MALLOC_ARENA_MAX": "2", **(environment or {})}
    environment |= {"PYTHONDONTWRITEBYTECODE": "1", "LC_MESSAGES": "C"}
    with open(folder / OUTPUT, "w") as out:
        return subprocess.Popen(
            [sys.executable, "-c", f"from {module} import main; main()", str(job_file)],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=limit,  # noqa: PLW1509, there are no threads here
            pass_fds=pass_fds,
        )


def said(folder):
    """Return what the process that ran in a folder has printed."""
    with open(folder / OUTPUT, "rb") as output:
        return output.read(MOST_OUTPUT).decode(errors="replace")


def ends_within(child, seconds):
    """Wait for the process; say whether it ended in so many seconds, starved ones aside."""
    begun = time.monotonic()
    while (left := begun + seconds + starved(child.pid) - time.monotonic()) > 0:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(left)
            return True
    return False


def starved(pid, before=None):
    """Return for how many seconds a thread was ready to run and had no core: the one that most.

    Parameters
    ----------
    pid : int
        Of the process; 0 is returned where nothing is known of it.
    before : dict, optional
        What `starving` said at the time from which on it counts.
    """
    before = before or {}
    now = starving(pid).items()
    return max((seconds - before.get(thread, 0.0) for thread, seconds in now), default=0.0)


def starving(pid):
    """Return each thread of a process with the seconds for which it was ready and had no core."""
    found = {}
    for file in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            found[file.parent.name] = 1e-9 * int(file.read_text().split()[1])
    return found


def end(child):
    """End the process and all that it started, unless that has left its group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
