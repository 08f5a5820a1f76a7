"""The process in which an answer runs, as the judge holds it: started, asked over a pipe, ended."""

import itertools
import math
import mmap
import os
import time
from pathlib import Path

from polymask.contract import Unavailable
from polymask.workshop.sandbox import compile_clock, failures, process, taken, things, wire

MODULE = "polymask.workshop.sandbox.answering"
STARVED = 2.0  # so many times what a call may take is waited for a core that others have, no longer
PREPARING_S = 60.0  # of patience for what is ours; a device's first start may take long


def starting(exercise, file, place, variables=None):
    """Return what starts processes for an answer, each in a folder of its own below `place`.

    `file` is what they import, as it was copied and built there; `variables` are of their
    processes, besides the exercise's. Given environments, and what else `Child` wants to know, it
    returns a `Child`, which has to be `imported` before it is asked.
    """
    numbers = itertools.count()
    variables = (variables or {}) | exercise.variables

    def start(environments, seconds=exercise.seconds, what=file, **more):
        there = place / f"process{next(numbers)}"
        source = place / taken.FOLDER
        return Child(exercise, there, source, what, seconds, environments, variables, **more)

    return start


class Child:
    """The process in which an answer, or what is trusted, runs.

    It works in the folder `place`, for it alone, and imports `file` (or nothing) of `source`, the
    copy of the student's files. The judge waits for it so many `seconds`, all in all; time without
    a core does not count, nor does time in which it compiles. `environments` are names with their
    settings, `variables` are its process's besides our own, and `memory` bytes are shared with it.
    With `rungs`, lanes with rungs' keys, it is trusted, and has these, too.
    """

    def __init__(
        self,
        exercise,
        place,
        source,
        file,
        seconds,
        environments=None,
        variables=None,
        rungs=None,
        memory=0,
    ):
        self.exercise, self.place, self.seconds = exercise, Path(place), seconds
        self.each = math.inf  # seconds, of one question
        self.source = Path(source)
        self.place.mkdir(parents=True, exist_ok=True)
        self.doing, self.waited, self.dropped = "starting", 0.0, []
        self.callbacks, self.raised = {}, None
        self.process = self.channel = None
        to_child, from_child = os.pipe(), os.pipe()
        self.shared, clock = shared(memory), shared(compile_clock.SIZE)
        clock[1].close()
        self.clock = compile_clock.Clock(clock[0])
        given = [to_child[0], from_child[1], clock[0], *([self.shared[0]] if memory else [])]
        job = {
            "exercise": str(exercise.folder),
            "file": str(file or ""),
            "source": str(source),
            "environments": environments or {},
            "trusted": rungs is not None,
            "rungs": rungs or {},
            "reads": to_child[0],
            "writes": from_child[1],
            "memory": self.shared[0],
            "clock": clock[0],
        }
        codec = wire.Codec(self.hold, self.stands_for)
        self.channel = wire.Channel(from_child[0], to_child[1], codec)
        try:
            self.process = process.start(
                MODULE, job, self.place, exercise.memory_gib, variables, pass_fds=given
            )
            self.tell("prepare")
        except BaseException:
            self.close()
            raise
        finally:
            for end in (to_child[0], from_child[1], clock[0]):
                os.close(end)

    def imported(self):
        """Return the child once it has imported the answer; several may be on their way at once."""
        own, self.seconds = self.seconds, self.seconds + PREPARING_S
        try:
            self.answered()
        finally:  # what was prepared is ours, and its time not the answer's
            self.seconds, self.waited, self.each = own, 0.0, self.exercise.each
        self.doing = "importing it"
        self.ask("import")
        return self

    # What passes the pipe

    def hold(self, value):
        """Return what tells the child of an object: one of its own, or a function of the judge."""
        if isinstance(value, things.Thing):
            return {"number": value._number}
        if not callable(value):
            raise TypeError(f"{type(value).__name__} does not pass to an answer")
        self.callbacks[id(value)] = value
        return {"callback": id(value)}

    def stands_for(self, said):
        """Return what stands for an object of the child's."""
        return things.Thing(self, int(said["number"]), str(said["type"]), bool(said["callable"]))

    def ask(self, do, **what):
        """Let the child do something; return what it says."""
        self.tell(do, **what)
        return self.answered()

    def tell(self, do, **what):
        """Say what is to be done."""
        drop, self.dropped = self.dropped, []
        self.send({"do": do, "drop": drop, **what})

    def answered(self):
        """Return what the child says, after the calls of its own that it may ask for."""
        while True:
            said = self.receive()
            if not isinstance(said, dict):
                raise self.stopped()
            if "callback" not in said:
                break
            self.send(self.call_back(said))
        self.callbacks.clear()
        if self.raised is not None:  # by the judge's own function, which the answer called
            raised, self.raised = self.raised, None
            raise raised
        if "error" in said:
            raise failures.failed(said["error"])
        if "unavailable" in said:
            raise Unavailable(said["unavailable"])
        return said.get("value")

    def call_back(self, said):
        """Do a call of a function of the judge's."""
        try:
            return {"value": self.callbacks[said["callback"]](*said["arguments"])}
        except Exception as error:
            self.raised = error
            return {"error": "the check ends here"}

    def receive(self):
        """Wait for a message; raise `Stopped` if none comes."""
        return self.patiently(self.channel.receive)

    def send(self, message):
        """Send a message; raise `Stopped` if nobody is there."""
        self.patiently(self.channel.send, message)

    def patiently(self, do, *arguments):
        """Send or receive, as long as the child is there and has time left."""
        begun, before = time.monotonic(), process.starving(self.process.pid)
        compiled = self.clock.seconds()

        def until():
            starved = process.starved(self.process.pid, before)
            of_all = self.seconds - self.waited + starved
            of_one = self.each + min(starved, STARVED * self.each)
            return begun + min(of_all, of_one) + self.clock.seconds() - compiled

        def wait(fd):
            wire.ready(fd, until, lambda: self.process.poll() is None)

        try:
            return do(*arguments, wait)
        except wire.Late:
            raise self.stopped(timed_out=True) from None
        except (wire.Gone, wire.Garbled):
            raise self.stopped() from None
        finally:
            passed_over = self.clock.seconds() - compiled
            passed_over += process.starved(self.process.pid, before)
            self.waited += max(time.monotonic() - begun - passed_over, 0.0)

    def stopped(self, timed_out=False):
        """End the child; return the `Stopped` that says how."""
        if not timed_out:
            process.ends_within(self.process, 1.0)  # it has closed its end, and is ending
        process.end(self.process)
        ended = process.Ended(self.process.returncode, process.said(self.place), timed_out)
        return failures.Stopped(ended, self.doing, min(self.seconds, self.each))

    def printed(self):
        """Return what the answer has printed."""
        return process.said(self.place).strip()

    def close(self):
        """End the child and all that it started."""
        if self.process is not None:
            process.end(self.process)
            self.process.stdin = None
        if self.channel is not None:
            self.channel.close()
            self.channel = None
        self.clock.close()
        fd, memory = self.shared
        if memory is not None:
            memory.close()
            os.close(fd)
            self.shared = None, None

    @property
    def memory(self):
        """The bytes that are shared with the child."""
        return self.shared[1]


def shared(n):
    """Return a file without a name and its memory, of so many bytes; two None if it is 0."""
    if not n:
        return None, None
    if hasattr(os, "memfd_create"):
        fd = os.memfd_create("polymask")
    else:
        import tempfile

        with tempfile.TemporaryFile() as file:
            fd = os.dup(file.fileno())
    os.ftruncate(fd, n)
    return fd, mmap.mmap(fd, n)
