"""The process in which an answer runs: it is asked over a pipe, and knows nothing of a verdict.

It has no seed, no right answers, no clock that counts. `polymask.workshop.sandbox.asking` is the
other side. All that it needs is imported before the answer, which could exchange what it finds.
"""

import contextlib
import functools
import importlib
import importlib.util
import json
import mmap
import sys
import traceback
from pathlib import Path

from polymask.contract import Unavailable
from polymask.workshop import exercises
from polymask.workshop.sandbox import compile_clock, imports, questions, rounds, wire

MOST_TEXT = 4000  # characters of an exception's message
ENVIRONMENTS = "polymask.workshop.sandbox.environments"


def main():
    """Answer what is asked, as the job in sys.argv[1] says."""
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    if sys.path and not sys.path[0]:
        del sys.path[0]  # the working directory is not the student's
    Child(job).serve()


class Child:
    """What is asked over the pipe, and done here."""

    def __init__(self, job):
        self.job = job  # as `polymask.workshop.sandbox.asking.Child` says it
        self.exercise = exercises.read(Path(job["exercise"]))
        self.held, self.numbers = {}, 0
        self.kept, self.kept_number = {}, 0
        self.channel = wire.Channel(
            job["reads"], job["writes"], wire.Codec(self.hold, self.stands_for)
        )
        own, place = self.exercise.kind == "own", Path(job["source"]).parent
        self.guard = imports.Guard(() if job["trusted"] else self.exercise.allows, own, place)
        self.environments, self.lanes, self.way = {}, {}, None
        self.inside, self.kernel, self.shared = None, None, None
        if job["memory"] is not None:
            self.shared = mmap.mmap(job["memory"], 0)  # all of it
        self.clock = compile_clock.Clock(job["clock"])

    # What passes the pipe, and what stays

    def hold(self, value):
        """Keep an object; return what tells the judge of it."""
        self.numbers += 1
        self.held[self.numbers] = value
        kind = type(value)
        return {"number": self.numbers, "type": kind.__name__, "callable": callable(value)}

    def stands_for(self, said):
        """Return the object of a number, or a function that asks the judge."""
        if "callback" in said:
            return lambda *arguments: self.call_back(said["callback"], arguments)
        return self.held[said["number"]]

    def call_back(self, number, arguments):
        """Let the judge do a call of its own, in the midst of an answer."""
        self.channel.send({"callback": number, "arguments": arguments})
        said = self.channel.receive()
        if "error" in said:
            raise RuntimeError(said["error"])
        return said["value"]

    def serve(self):
        """Do what is asked, until the judge closes the pipe."""
        with contextlib.suppress(wire.Gone):
            while True:
                terms = self.channel.receive()
                for number in terms.pop("drop", ()):
                    self.held.pop(number, None)
                try:
                    said = {"value": REQUESTS[f"do_{terms.pop('do')}"](self, **terms)}
                except Unavailable as unavailable:
                    said = self.lacks(unavailable)
                except BaseException as error:
                    said = {"error": self.tell(error)}
                self.flush()
                self.reply(said)

    def lacks(self, unavailable):
        """Say what is not there: the machine's fault, or the answer's if it may not have it."""
        if isinstance(unavailable.__cause__, imports.Refused):
            lines = self.tell(unavailable)["lines"]
            return {"error": self.tell(unavailable.__cause__) | {"lines": lines}}
        return {"unavailable": str(unavailable)}

    def reply(self, said):
        """Send an answer, or why it cannot be sent."""
        try:
            self.channel.send(said)
        except (ValueError, TypeError, RecursionError, MemoryError) as error:
            self.channel.send({"error": self.tell(error)})

    @staticmethod
    def flush():
        """Let what was printed be seen, though the process may be ended later."""
        with contextlib.suppress(OSError, ValueError, AttributeError):
            sys.stdout.flush()

    # Before the answer, and the answer

    def prepare(self):
        """Import what is ours: a rung's needs, environments, the exercise's own functions."""
        self.exercise.require()
        if self.exercise.build == "kernel":
            from polymask.workshop.sandbox import kernel

            host = self.registry().get(self.exercise.needs).module()
            self.kernel = functools.partial(kernel.module, host=host)
        file = self.exercise.folder / "inside.py"
        if file.exists():
            self.inside = from_file("polymask_inside", file)
        compile_clock.watch(self.clock)  # before environments, which see who launches
        for name, settings in self.job["environments"].items():
            module = importlib.import_module(f"{ENVIRONMENTS}.{name}")
            self.environments[name] = module.install(**settings)
        if self.job["trusted"]:
            for lane, rung in self.job["rungs"].items():
                self.registry().get(rung).load()
                self.lanes[lane] = self.registry().get(rung).module()
        compile_clock.watch(self.clock)

    @staticmethod
    def registry():
        """Import the registry, which most answers never need."""
        from polymask.ladder import registry

        return registry

    def import_answer(self):
        """Import the answer; from here on it may have exchanged whatever Python can reach."""
        if not self.job["trusted"]:
            for name in self.exercise.allows:
                importlib.import_module(name)
            self.guard.close()
            sys.path.insert(0, self.job["source"])  # for modules of the student's own, beside it
        if self.job["file"]:
            self.lanes["yours"] = self.load(Path(self.job["file"]))

    def load(self, file):
        """Import a module, or put a kernel behind one."""
        if self.kernel:
            return self.kernel(file)
        name = self.exercise.module
        if file.suffix == ".so" and self.exercise.build == "cython":
            name = f"workshop.{name}"
        return from_file(name, file)

    # What went wrong

    def tell(self, error):
        """Say of an exception what the judge has to know: plain values."""
        source = Path(self.job["source"])
        try:
            text = str(error)
        except BaseException:  # the student's class, the student's text
            text = ""
        frames = traceback.extract_tb(error.__traceback__)
        lines = [(Path(frame.filename), frame.lineno) for frame in frames]
        known = {"type": type(error).__name__, "message": text[:MOST_TEXT]}
        known["bases"] = [base.__name__ for base in type(error).__mro__ if wire.is_builtin(base)]
        known["lines"] = [
            [str(file.relative_to(source)) if file.is_absolute() else file.name, line]
            for file, line in lines
            if source in file.parents
            or (not file.is_absolute() and file.name in self.exercise.files)
        ]
        if isinstance(error, SyntaxError):
            known["syntax"] = {
                "file": Path(str(error.filename or self.exercise.main)).name,
                "line": error.lineno,
                "message": str(error.msg),
                "text": str(error.text or ""),
            }
        return known


REQUESTS = {"do_prepare": Child.prepare, "do_import": Child.import_answer}
REQUESTS |= vars(questions) | vars(rounds)


def from_file(name, file):
    """Import a module from a file."""
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # some code asks for its own module
    spec.loader.exec_module(module)
    return module
