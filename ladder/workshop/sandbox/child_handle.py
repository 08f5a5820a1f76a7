"""The parent's handle to the process that runs the student's code.

The process has a time-out, a memory limit, and a process group of its own. The whole group ends
after the time-out, and when the student presses Ctrl-C. Time spent waiting for a core does not
count, and a slow machine extends the time-out: a right answer takes longer there.
"""

import contextlib
import ctypes
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

from ladder.workshop.sandbox import process_stats
from ladder.workshop.sandbox.check_failed import CheckFailed
from polymask.contract import Unavailable

try:
    import resource
except ImportError:  # Windows
    resource = None

GIB = 2**30
SET_DEATH_SIGNAL = 1  # an option of prctl
OUTPUT = "output.txt"
MOST_FILE = 2 * GIB  # bytes
MOST_OUTPUT = 100_000  # bytes that the student's code prints
CHILD = "ladder.workshop.sandbox.child_main"
PREPARING_S = 60.0  # time-out of our own part; a device's first start may take long
PREPARATIONS = 5.0  # the shortest time-out of a step, as a multiple of the time of our own part
INTERVAL_S = 0.1  # between two checks whether the child is alive
STACK, STACK_S = "stack.txt", 1.0  # a child writes its stack within that time after SIGURG


def require():
    """Raise `Unavailable` on a system that is not POSIX."""
    if resource is None:
        raise Unavailable(
            "the workshop's checks need limits for processes, which Windows does not have",
            "use Linux, macOS or WSL",
        )


@dataclass(frozen=True)
class Ended:
    """The end of a process: its exit code (negative: a signal), its output, and any time-out."""

    code: int
    output: str
    timed_out: bool


def run(module, job, folder, seconds, memory_gib, variables=None):
    """Run a module's `main` with a job for at most `seconds`; return its `Ended`."""
    process = start(module, job, folder, memory_gib, variables)
    try:
        timed_out = not ends_within(process, seconds)
    finally:
        end(process)
    return Ended(process.returncode, read_output(folder), timed_out)


def start(module, job, folder, memory_gib, variables=None, pass_fds=()):
    """Start a module's `main` in a folder; the caller must pass the returned `Popen` to `end`.

    `main` reads the path of the job, a dict of plain values, from ``sys.argv[1]``. `variables` are
    added to the environment, and the files `pass_fds` stay open.
    """
    require()
    job_file = folder / "job.json"
    job_file.write_text(json.dumps(job), encoding="utf-8")
    # Limit writable memory where the kernel counts it: device drivers reserve terabytes of address
    # space, at no cost.
    memory = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    limits = {
        memory: int(memory_gib * GIB),
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: MOST_FILE,
    }
    parent, prctl = os.getpid(), getattr(ctypes.CDLL(None), "prctl", None)  # Linux's

    def limit():
        if prctl:
            prctl(SET_DEATH_SIGNAL, signal.SIGKILL)  # when the parent is killed, too
            if os.getppid() != parent:
                os._exit(1)  # the parent has ended meanwhile
        for number, bound in limits.items():
            with contextlib.suppress(ValueError, OSError):  # a tighter limit exists, or none can
                resource.setrlimit(number, (bound, bound))

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


def read_output(folder):
    """Return the output of the process that ran in a folder."""
    with open(folder / OUTPUT, "rb") as output:
        return output.read(MOST_OUTPUT).decode(errors="replace")


def ends_within(process, seconds):
    """Wait for the process; return whether it ended within `seconds`, besides starved ones."""
    begun = time.monotonic()
    while (left := begun + seconds + starved(process.pid) - time.monotonic()) > 0:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(left)
            return True
    return False


def starved(pid, before=None):
    """Return the longest time, in seconds, that a thread was ready to run but had no core.

    `before` has earlier times of threads, which are subtracted. The time is 0 if it is unknown.
    """
    before, now = before or {}, process_stats.seconds_by_thread(pid, waiting=True).items()
    return max((seconds - before.get(thread, 0.0) for thread, seconds in now), default=0.0)


def end(process):
    """End the process and all its descendants in the same process group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


class Failed(Exception):
    """An exception in the student's code; `report` is the child's description of it."""

    def __init__(self, report):
        super().__init__(report["message"])
        self.report = report  # type, bases, message, lines; for a syntax error, its line


class Stopped(Exception):
    """The child ended, or timed out after `seconds`, during a step described by `doing`.

    `line` is the student's line that was running then, such as "rows.py, line 7", if it is known.
    """

    def __init__(self, ended, doing, seconds, line=""):
        super().__init__(doing)
        self.ended, self.doing, self.seconds, self.line = ended, doing, seconds, line


class Child:
    """A process that runs a part of a check: "answers" or "speed".

    `scratch` is a folder for this process alone, `source` the copy of the student's files, `file`
    the built module to import, and `variables` are added to the environment. Each step may take
    `seconds`, without the time for which no core was free. `job` has other plain values.
    """

    def __init__(self, exercise, part, scratch, source, file, variables, seconds, **job):
        self.seconds, self.scratch, self.file = seconds, scratch, file
        self.doing = "starting"
        self.begun, self.waited, self.received = False, 0.0, b""
        scratch.mkdir(parents=True, exist_ok=True)
        self.from_child, writes = os.pipe()
        job |= {"exercise": str(exercise.folder), "part": part, "source": str(source)}
        job |= {"file": str(file), "writes": writes}
        try:
            self.process = start(
                CHILD, job, scratch, exercise.memory_gib, variables | exercise.variables,
                pass_fds=(writes,),
            )  # fmt: skip
        except BaseException:
            os.close(self.from_child)
            raise
        finally:
            os.close(writes)

    def receive(self):
        """Return the part's result; raise if the student's code or the child fails."""
        while True:
            message = json.loads(self.line())
            if "step" in message:
                self.doing, self.waited = message["step"], 0.0
            elif "begun" in message:  # the time until now was for our own code
                self.seconds = max(self.seconds, PREPARATIONS * self.waited)
                self.begun, self.waited = True, 0.0
            elif "wrong" in message:
                raise CheckFailed.of(**message["wrong"])
            elif "error" in message:
                raise Failed(message["error"])
            elif "unavailable" in message:
                raise Unavailable(message["unavailable"])
            else:
                return message["value"]

    def line(self):
        """Return the child's next line; raise `Stopped` if the child ends or takes too long."""
        poll = select.poll()
        poll.register(self.from_child, select.POLLIN | select.POLLHUP)
        while b"\n" not in self.received:
            before = process_stats.seconds_by_thread(self.process.pid, waiting=True)
            since = time.monotonic()
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
        """Count seconds of waiting; end the child when its time is over."""
        self.waited += max(seconds - starved, 0.0)
        if self.waited > (self.seconds if self.begun else PREPARING_S):
            raise self.stopped(timed_out=True)

    def stopped(self, timed_out=False):
        """End the child; return a `Stopped` that describes the end."""
        line = ""
        if timed_out:
            line = self.running_line()
        else:
            ends_within(self.process, 1.0)  # it has closed its end of the pipe
        end(self.process)
        ended = Ended(self.process.returncode, read_output(self.scratch), timed_out)
        return Stopped(ended, self.doing, self.seconds, line)

    def running_line(self):
        """Return the innermost line of the student's Python files that is running, if any."""
        self.process.send_signal(signal.SIGURG)
        stack, until = self.scratch / STACK, time.monotonic() + STACK_S
        end = re.escape("/".join(self.file.parts[-3:-1]))  # of a path that may be escaped there
        pattern = rf'File "[^"]*/{end}/([^"]+)", line (\d+)'
        while self.begun and self.file.suffix == ".py" and time.monotonic() < until:
            if match := re.search(pattern, stack.read_text(errors="replace")):
                return f"{match[1]}, line {match[2]}"
            time.sleep(INTERVAL_S)
        return ""

    def close(self):
        """End the child and all processes that it started."""
        end(self.process)
        os.close(self.from_child)
