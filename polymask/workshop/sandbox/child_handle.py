"""A process with the student's code in it, held from outside: started, read, limited and ended.

It has a time-out, a limit of memory, and a process group of its own, which is ended as a whole:
after the time-out, and when the student presses Ctrl-C. Time without a core, which others hold,
does not count: on a busy machine a right answer takes longer.
"""

import contextlib
import ctypes
import json
import math
import os
import select
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from polymask.contract import Unavailable
from polymask.workshop.sandbox.check_failed import CheckFailed

try:
    import resource
except ImportError:  # Windows
    resource = None

GIB = 2**30
SET_DEATH_SIGNAL = 1  # of prctl
OUTPUT = "output.txt"
MOST_FILE = 2 * GIB  # bytes
MOST_OUTPUT = 100_000  # bytes of what the student's code prints
CHILD = "polymask.workshop.sandbox.child_main"
STARVED = 2.0  # so many times what a step may take is waited for a core that others have, no longer
PREPARING_S = 60.0  # of patience for what is ours; a device's first start may take long
COMPILING_S = 90.0  # that a process may compile, all in all
INTERVAL_S = 0.1  # between two looks whether the child still is there


def require():
    """Raise `Unavailable` on a system that is not POSIX."""
    if resource is None:
        raise Unavailable(
            "the workshop's checks limit what a student's process may take, as Windows cannot",
            "needs Linux, macOS or WSL",
        )


@dataclass(frozen=True)
class Ended:
    """How a process ended: its code (negative: the signal), what it printed, whether in time."""

    code: int
    output: str
    timed_out: bool


def run(module, job, folder, seconds, memory_gib, variables=None):
    """Run a module's `main` with a job, for so many seconds at most; return how it `Ended`."""
    process = start(module, job, folder, memory_gib, variables)
    try:
        timed_out = not ends_within(process, seconds)
    finally:
        end(process)
    return Ended(process.returncode, printed(folder), timed_out)


def start(module, job, folder, memory_gib, variables=None, pass_fds=()):
    """Start a module's `main` in a folder; `end` has to be called with the Popen that is returned.

    `main` reads the path of the job, a dict of plain values, from ``sys.argv[1]``. `variables` are
    those of its environment besides our own, and `pass_fds` files that stay open.
    """
    require()
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
    parent, prctl = os.getpid(), getattr(ctypes.CDLL(None), "prctl", None)  # Linux's

    def limit():
        if prctl:
            prctl(SET_DEATH_SIGNAL, signal.SIGKILL)  # the parent may be ended, too
            if os.getppid() != parent:
                os._exit(1)  # it was, meanwhile
        for what, bound in limits.items():
            with contextlib.suppress(ValueError, OSError):  # a tighter limit holds, or none can be
                resource.setrlimit(what, (bound, bound))

    environment = os.environ | {"MALLOC_ARENA_MAX": "2"} | (variables or {})
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


def printed(folder):
    """Return what the process that ran in a folder has printed."""
    with open(folder / OUTPUT, "rb") as output:
        return output.read(MOST_OUTPUT).decode(errors="replace")


def ends_within(process, seconds):
    """Wait for the process; say whether it ended in so many seconds, starved ones aside."""
    begun = time.monotonic()
    while (left := begun + seconds + starved(process.pid) - time.monotonic()) > 0:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(left)
            return True
    return False


def starved(pid, before=None):
    """Return for how many seconds a thread was ready to run and had no core: the one that most.

    `before` is what `starving` returned at the time from which on it counts. It is 0 where nothing
    is known of the process.
    """
    before, now = before or {}, starving(pid).items()
    return max((seconds - before.get(thread, 0.0) for thread, seconds in now), default=0.0)


def starving(pid):
    """Return each thread of a process with the seconds for which it was ready and had no core."""
    found = {}
    for file in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            found[file.parent.name] = 1e-9 * int(file.read_text().split()[1])
    return found


def end(process):
    """End the process and all that it started, unless that has left its group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


class Failed(Exception):
    """The student's code raised an exception; `said` is what the child says of it."""

    def __init__(self, said):
        super().__init__(said["message"])
        self.said = said  # type, bases, message, lines; for an error of syntax where it is


class Stopped(Exception):
    """The child ended, or was ended after so many seconds, while doing something, in words."""

    def __init__(self, ended, doing, seconds):
        super().__init__(doing)
        self.ended, self.doing, self.seconds = ended, doing, seconds


class Child:
    """A process that does a part of a check: "answers", "known wrong", or "speed".

    Parameters
    ----------
    exercise : polymask.workshop.exercises.Exercise
    part : str
    place : pathlib.Path
        A folder for it alone.
    source : pathlib.Path
        The copy of the student's files.
    file : pathlib.Path or None
        What is imported, as it was built; None where a rung is.
    variables : dict
        Of its environment, besides our own.
    seconds : float
        That it may take, all in all. Time without a core does not count, nor does time in which it
        compiles.
    **job
        What the child has to know besides, plain values.
    """

    def __init__(self, exercise, part, place, source, file, variables, seconds, **job):
        self.seconds, self.each = seconds, exercise.each
        self.place, self.doing = place, "starting"
        self.begun, self.waited, self.of_step = False, 0.0, 0.0
        self.compiling, self.compiled, self.received = False, 0.0, b""
        place.mkdir(parents=True, exist_ok=True)
        reads, to_child = os.pipe()
        self.from_child, writes = os.pipe()
        self.to_child = open(to_child, "w", encoding="utf-8")  # noqa: SIM115, close() closes it
        job |= {"exercise": str(exercise.folder), "part": part, "source": str(source)}
        job |= {"file": str(file or ""), "reads": reads, "writes": writes}
        try:
            self.process = start(
                CHILD, job, place, exercise.memory_gib, variables | exercise.variables,
                pass_fds=(reads, writes),
            )  # fmt: skip
        except BaseException:
            os.close(self.from_child)
            self.to_child.close()
            raise
        finally:
            os.close(reads)
            os.close(writes)

    def ask(self, **question):
        """Ask the child something; `answered` returns what it says."""
        with contextlib.suppress(BrokenPipeError):  # `answered` says why
            self.to_child.write(json.dumps(question) + "\n")
            self.to_child.flush()

    def answered(self):
        """Return the child's next answer; raise how the student's code, or the child, failed."""
        while True:
            said = json.loads(self.line())
            if "step" in said:
                self.doing, self.of_step = said["step"], 0.0
            elif "begun" in said:  # what was before is ours
                self.begun, self.waited, self.of_step = True, 0.0, 0.0
            elif "compiling" in said:
                self.compiling = said["compiling"]
            elif "wrong" in said:
                raise CheckFailed.of(**said["wrong"])
            elif "error" in said:
                raise Failed(said["error"])
            elif "unavailable" in said:
                raise Unavailable(said["unavailable"])
            else:
                return said["value"]

    def line(self):
        """Wait for a line; raise `Stopped` if none comes."""
        poll = select.poll()
        poll.register(self.from_child, select.POLLIN | select.POLLHUP)
        while b"\n" not in self.received:
            before, since = starving(self.process.pid), time.monotonic()
            alive = self.process.poll() is None
            if poll.poll(1e3 * INTERVAL_S if alive else 0):
                part = os.read(self.from_child, 2**20)
                if not part:
                    raise self.stopped()
                self.received += part
            elif not alive:
                raise self.stopped()
            self.count(time.monotonic() - since, starved(self.process.pid, before))
        line, _, self.received = self.received.partition(b"\n")
        return line

    def count(self, seconds, starved):
        """Count the seconds that were waited; end the child where its time is over."""
        if self.compiling:
            self.compiled += seconds
            if self.compiled < COMPILING_S:
                return
        self.waited += max(seconds - starved, 0.0)
        self.of_step += max(seconds - starved, seconds / (1 + STARVED), 0.0)
        of_all, of_one = (self.seconds, self.each) if self.begun else (PREPARING_S, math.inf)
        if self.waited > of_all or self.of_step > of_one:
            raise self.stopped(timed_out=True)

    def stopped(self, timed_out=False):
        """End the child; return the `Stopped` that says how."""
        if not timed_out:
            ends_within(self.process, 1.0)  # it has closed its end, and is ending
        end(self.process)
        ended = Ended(self.process.returncode, printed(self.place), timed_out)
        return Stopped(ended, self.doing, min(self.seconds, self.each))

    def close(self):
        """End the child and all that it started."""
        end(self.process)
        os.close(self.from_child)
        with contextlib.suppress(BrokenPipeError):  # by a question that was never read
            self.to_child.close()
