"""A student's answer as the judge sees it: it runs in a child, which is asked over a pipe.

`Answer` looks like the student's module: ``answer.make_mask(vertices, shape)``. What it returns has
come as plain values; an object of the student's class stays in the child, and `Thing` stands for
it. An exception of the student's code is raised here as `Failed`, and as the builtin exception that
it is; the end of the child as `Stopped`.
"""

import builtins
import itertools
import mmap
import os
import time
from pathlib import Path

from polymask.contract import Unavailable
from polymask.workshop.sandbox import build, process, taken, translated, wire
from polymask.workshop.sandbox.wrong import Wrong

CHILD = "polymask.workshop.sandbox.answering"
PREPARING_S = 60.0  # of patience for what is ours; a device's first start may take long


class Failed(Exception):
    """The student's code raised an exception.

    Attributes
    ----------
    said : dict
        type, bases, message, lines, and for an error of syntax where it is.
    """

    def __init__(self, said):
        super().__init__(said["message"])
        self.said = said


class Stopped(Exception):
    """The child ended, or was ended after its time.

    Attributes
    ----------
    ended : polymask.workshop.sandbox.process.Ended
    doing : str
        What was going on, in words.
    seconds : float
        How long it was allowed to take.
    """

    def __init__(self, ended, doing, seconds):
        super().__init__(doing)
        self.ended, self.doing, self.seconds = ended, doing, seconds


def failed(said):
    """Make a `Failed` that is also the builtin exception which the student's code raised."""
    if said["type"] == Wrong.__name__:  # by what is ours, such as the build of a kernel
        return Wrong(said["message"])
    for name in said.get("bases", ()):
        kind = getattr(builtins, name, None)
        if isinstance(kind, type) and issubclass(kind, Exception) and kind is not Exception:
            try:
                return type("Failed", (Failed, kind), {})(said)
            except TypeError:  # such as UnicodeDecodeError, which wants to know more
                continue
    return Failed(said)


class Child:
    """The process in which an answer, or what is trusted, runs.

    Parameters
    ----------
    exercise : Exercise
    place : Path
        The child's working directory, for it alone.
    source : Path
        The folder of the student's files, as they were copied.
    file : str or Path or None
        What is imported there.
    seconds : float
        For how long the judge waits for it, all in all; time without a core does not count.
    environments : dict
        Name of an environment to its settings.
    variables : dict
        Of the process's environment, besides our own.
    rungs : dict, optional
        Lane to a rung's key: the child is trusted, and has these, too.
    memory : int
        Bytes that are shared with it.
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
        self.source = Path(source)
        self.place.mkdir(parents=True, exist_ok=True)
        self.doing, self.waited, self.dropped = "starting", 0.0, []
        self.callbacks, self.raised = {}, None
        self.process = self.channel = None
        to_child, from_child = os.pipe(), os.pipe()
        self.shared = shared(memory)
        given = [to_child[0], from_child[1], *([self.shared[0]] if memory else [])]
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
        }
        codec = wire.Codec(self.hold, self.stands_for)
        self.channel = wire.Channel(from_child[0], to_child[1], codec)
        try:
            self.process = process.start(
                CHILD, job, self.place, exercise.memory_gib, variables, pass_fds=given
            )
            self.tell("prepare")
        except BaseException:
            self.close()
            raise
        finally:
            for end in (to_child[0], from_child[1]):
                os.close(end)

    def imported(self):
        """Return the child once it has imported the answer; several may be on their way at once."""
        own, self.seconds = self.seconds, self.seconds + PREPARING_S
        try:
            self.answered()
        finally:  # what was prepared is ours, and its time not the answer's
            self.seconds, self.waited = own, 0.0
        self.doing = "importing it"
        self.ask("import")
        return self

    # What passes the pipe

    def hold(self, value):
        """Return what tells the child of an object: one of its own, or a function of the judge."""
        if isinstance(value, Thing):
            return {"number": value._number}
        if not callable(value):
            raise TypeError(f"{type(value).__name__} does not pass to an answer")
        self.callbacks[id(value)] = value
        return {"callback": id(value)}

    def stands_for(self, said):
        """Return what stands for an object of the child's."""
        return Thing(self, int(said["number"]), str(said["type"]), bool(said["callable"]))

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
            raise failed(said["error"])
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
        begun, starved = time.monotonic(), process.starved(self.process.pid)

        def until():
            more = process.starved(self.process.pid) - starved
            return begun + self.seconds - self.waited + max(more, 0.0)

        def wait(fd):
            wire.ready(fd, until, lambda: self.process.poll() is None)

        try:
            return do(*arguments, wait)
        except wire.Late:
            raise self.stopped(timed_out=True) from None
        except (wire.Gone, wire.Garbled):
            raise self.stopped() from None
        finally:
            self.waited += time.monotonic() - begun

    def stopped(self, timed_out=False):
        """End the child; return the `Stopped` that says how."""
        if not timed_out:
            process.ends_within(self.process, 1.0)  # it has closed its end, and is ending
        process.end(self.process)
        ended = process.Ended(self.process.returncode, process.said(self.place), timed_out)
        return Stopped(ended, self.doing, self.seconds)

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
        fd, memory = self.shared
        if memory is not None:
            memory.close()
            os.close(fd)
            self.shared = None, None

    @property
    def memory(self):
        """The bytes that are shared with the child."""
        return self.shared[1]


def starting(exercise, file, place, variables=None):
    """Return what starts processes for an answer, each in a folder of its own.

    Parameters
    ----------
    exercise : Exercise
    file : Path
        What is imported, as it was copied and built.
    place : Path
        Where it was.
    variables : dict, optional
        Of the processes' environment.

    Returns
    -------
    callable
        Given environments, and what else `Child` wants to know, returns a `Child`, which has to be
        `imported` before it is asked.
    """
    numbers = itertools.count()

    def start(environments, seconds=exercise.seconds, what=file, **more):
        there = place / f"process{next(numbers)}"
        source = place / taken.FOLDER
        return Child(exercise, there, source, what, seconds, environments, variables, **more)

    return start


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


class Thing(wire.Held):
    """An object that stayed in the child: an instance of a student's class, or a function."""

    __slots__ = ("_child", "_number")

    def __init__(self, child, number, type_name, callable_):
        for name, value in (("_child", child), ("_number", number), ("_type_name", type_name)):
            object.__setattr__(self, name, value)

    def __getattr__(self, name):
        return attribute(self._child, name, self)

    def __setattr__(self, name, value):
        self._child.ask("set", name=name, value=value, of=self._number)

    def __call__(self, *arguments, **keywords):
        """Call it in the child."""
        return self._child.ask(
            "call", name="", of=self._number, arguments=list(arguments), keywords=keywords
        )

    def __del__(self):
        self._child.dropped.append(self._number)

    def __repr__(self):
        return f"<{self._type_name}>"


def attribute(child, name, of=None):
    """Return an attribute of an object in the child, or of the answer's module."""
    found = child.ask("get", name=name, of=None if of is None else of._number)
    if "missing" in found:
        owner = child.exercise.main if of is None else of._type_name
        raise AttributeError(f"{owner} has no {name}")
    return found["value"]


class Answer:
    """Looks like the student's module; what has other names than these is the student's.

    Parameters
    ----------
    start : callable
        Given environments, a dict of names to settings, returns a `Child`.
    environments : dict, optional
    """

    def __init__(self, start, environments=None):
        vars(self).update(
            _start=start,
            _environments=environments or {},
            _others={},
            _started=None,
            _imported=False,
        )

    def begun(self):
        """Return the process, which is started when it is first asked for anything."""
        self.start()
        if not self._imported:
            vars(self)["_imported"] = True  # or it could not be
            self._started.imported()
        return self._started

    def start(self):
        """Start the process, and do not wait for it: there may be something to do meanwhile."""
        if self._started is None:
            vars(self)["_started"] = self._start(self._environments)

    def __getattr__(self, name):
        return attribute(self.begun(), name)

    def __setattr__(self, name, value):
        self.begun().ask("set", name=name, value=value)

    def source(self, name):
        """Return the text of a file of the student's, as it was copied."""
        return (self.begun().source / name).read_text(encoding="utf-8", errors="replace")

    def commands(self):
        """Return the commands that setup.py ran to build the answer, lists of words."""
        return build.commands(self.begun().source.parent)

    def translated(self):
        """Return what Cython made of the main file: a `translated.Translated`."""
        begun = self.begun()
        made = build.translation(begun.exercise, begun.source.parent)
        return translated.Translated(made.read_text(encoding="utf-8"))

    def doing(self, what):
        """Note what is going on, in words, for the case that the child ends."""
        self.begun().doing = what

    def under(self, *names, **settings):
        """Return the same answer in another environment, in a process of its own.

        Parameters
        ----------
        *names : str
            Modules of `polymask.workshop.sandbox.environments`.
        **settings
            Of the environment of that name: a dict.
        """
        wanted = {name: settings.get(name, {}) for name in names}
        key = repr(sorted(wanted.items()))
        if key not in self._others:
            self._others[key] = Answer(self._start, wanted)
        return self._others[key]

    def switch(self, name, **settings):
        """Change an environment which the answer is under."""
        self.begun().ask("switch", name=name, settings=settings)

    def found(self, name):
        """Return what an environment has seen since it was asked last."""
        return self.begun().ask("found", name=name)

    def inside(self, name, *arguments, **keywords):
        """Call a function of inside.py, which lies beside check.py, in the child.

        Its first argument is the student's module; it returns facts, plain values, and the judge
        says what they mean.
        """
        return self.observe_inside(name, *arguments, **keywords)[0]

    def observe_inside(self, name, *arguments, **keywords):
        """Call a function of inside.py; return what it gave, and facts as `observe` does."""
        said = self.begun().ask("inside", name=name, arguments=list(arguments), keywords=keywords)
        return said["value"], said["facts"]

    def ours(self, module, name, *arguments):
        """Call a function of a module of the sandbox in the child."""
        return self.begun().ask("ours", module=module, name=name, arguments=list(arguments))

    def observe(self, name, *arguments, keep=False, **keywords):
        """Call a function; return what it gave, and facts: what it did besides."""
        said = self.begun().ask(
            "observe", name=name, arguments=list(arguments), keywords=keywords, keep=keep
        )
        return said["value"], said["facts"]

    def bare(self, name, *arguments):
        """Make an object of a class without calling its __init__."""
        return self.begun().ask("bare", name=name, arguments=list(arguments))

    def at_once(self, name, calls):
        """Do several calls at once, a Python thread each; return what they gave."""
        return self.begun().ask("at_once", name=name, calls=[list(one) for one in calls])

    def busy(self, name, *arguments, **keywords):
        """Call a function; return what it gave, and the seconds that threads were busy."""
        said = self.begun().ask("busy", name=name, arguments=list(arguments), keywords=keywords)
        return said["value"], said["busy"]

    def kept_here(self, value):
        """Hand a value to the child, once: the answer gets the very same object each time."""
        said = self.begun().ask("hold", value=value)["held"]
        return self.begun().stands_for(said)

    def rewrite(self, held, value):
        """Write into an array that was handed over by `kept_here`."""
        self.begun().ask("rewrite", of=held._number, value=value)

    def printed(self):
        """Return what it printed."""
        return self._started.printed() if self._started else ""

    def close(self):
        """End all its processes."""
        for other in self._others.values():
            other.close()
        if self._started is not None:
            self._started.close()
