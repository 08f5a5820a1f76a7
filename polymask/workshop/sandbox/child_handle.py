"""The process in which an answer and its check run, held from outside: started, read, ended."""

import contextlib
import json
import math
import os
import select
import time

from polymask.contract import Unavailable
from polymask.workshop.sandbox import process
from polymask.workshop.sandbox.wrong import Wrong

MODULE = "polymask.workshop.sandbox.child_main"
STARVED = 2.0  # so many times what a step may take is waited for a core that others have, no longer
PREPARING_S = 60.0  # of patience for what is ours; a device's first start may take long
COMPILING_S = 90.0  # that a process may compile, all in all
INTERVAL_S = 0.1  # between two looks whether the child still is there


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
        variables = variables | exercise.variables
        try:
            self.process = process.start(
                MODULE, job, place, exercise.memory_gib, variables, pass_fds=(reads, writes)
            )
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
                raise Wrong.of(**said["wrong"])
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
            before, since = process.starving(self.process.pid), time.monotonic()
            alive = self.process.poll() is None
            if poll.poll(1e3 * INTERVAL_S if alive else 0):
                part = os.read(self.from_child, 2**20)
                if not part:
                    raise self.stopped()
                self.received += part
            elif not alive:
                raise self.stopped()
            self.count(time.monotonic() - since, process.starved(self.process.pid, before))
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
            process.ends_within(self.process, 1.0)  # it has closed its end, and is ending
        process.end(self.process)
        ended = process.Ended(self.process.returncode, process.said(self.place), timed_out)
        return Stopped(ended, self.doing, min(self.seconds, self.each))

    def printed(self):
        """Return what the answer has printed."""
        return process.said(self.place).strip()

    def close(self):
        """End the child and all that it started."""
        process.end(self.process)
        os.close(self.from_child)
        with contextlib.suppress(BrokenPipeError):  # by a question that was never read
            self.to_child.close()
