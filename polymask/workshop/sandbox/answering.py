"""The process in which an answer runs: it is asked over a pipe, and knows nothing of a verdict.

It has no seed, no right answers, no clock that counts. `polymask.workshop.sandbox.answer` is the
other side. All that it needs is imported before the answer, which could exchange what it finds.
"""

import contextlib
import gc
import importlib
import importlib.util
import inspect
import json
import math
import mmap
import os
import sys
import threading
import traceback
from pathlib import Path
from time import process_time

import numpy as np

from polymask.contract import Unavailable
from polymask.workshop import exercises
from polymask.workshop.sandbox import imports, tamper, wire

MOST_TEXT = 4000  # characters of an exception's message
ENVIRONMENTS = "polymask.workshop.sandbox.environments"
MISSING = "there is no "
RESIDENT = 1  # column of /proc/self/statm


def main():
    """Answer what is asked, as the job in sys.argv[1] says."""
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    if sys.path and not sys.path[0]:
        del sys.path[0]  # the working directory is not the student's
    Child(job).serve()


class Child:
    """What is asked over the pipe, and done here.

    Parameters
    ----------
    job : dict
        exercise: its folder; file: what is imported; source: the folder of the student's copy;
        environments: name to settings; reads, writes, memory: numbers of open files; trusted:
        whether the file is ours, or a rung's key stands for it.
    """

    def __init__(self, job):
        self.job = job
        self.exercise = exercises.read(Path(job["exercise"]))
        self.held, self.numbers = {}, 0
        self.kept, self.kept_number = {}, 0
        self.channel = wire.Channel(
            job["reads"], job["writes"], wire.Codec(self.hold, self.stands_for)
        )
        own, place = self.exercise.kind == "own", Path(job["source"]).parent
        self.guard = imports.Guard(() if job["trusted"] else self.exercise.allows, own, place)
        self.environments, self.modules, self.lanes, self.way = {}, {}, {}, None
        self.inside, self.shared = None, None
        if job["memory"] is not None:
            self.shared = mmap.mmap(job["memory"], 0)  # all of it

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
                asked = self.channel.receive()
                for number in asked.pop("drop", ()):
                    self.held.pop(number, None)
                try:
                    said = {"value": getattr(self, f"do_{asked.pop('do')}")(**asked)}
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

    def do_prepare(self):
        """Import what is ours: a rung's needs, environments, the exercise's own functions."""
        if self.exercise.needs:
            self.registry().get(self.exercise.needs).load()
        file = self.exercise.folder / "inside.py"
        if file.exists():
            self.inside = from_file("polymask_inside", file)
        for name, settings in self.job["environments"].items():
            module = importlib.import_module(f"{ENVIRONMENTS}.{name}")
            self.environments[name] = module.install(**settings)
        if self.job["trusted"]:
            for lane, rung in self.job["rungs"].items():
                self.registry().get(rung).load()
                self.lanes[lane] = self.registry().get(rung).module()

    @staticmethod
    def registry():
        """Import the registry, which most answers never need."""
        from polymask.ladder import registry

        return registry

    def do_import(self):
        """Import the answer; from here on it may have exchanged whatever Python can reach."""
        if not self.job["trusted"]:
            for name in self.exercise.allows:
                importlib.import_module(name)
            self.guard.close()
            self.guard.listen()
            sys.path.insert(0, self.job["source"])  # for modules of the student's own, beside it
        if self.job["file"]:
            self.lanes["yours"] = self.load(Path(self.job["file"]))

    def load(self, file):
        """Import a module, or put a kernel behind one."""
        name = self.exercise.module
        if self.exercise.build == "kernel":
            with self.guard.lifted() if not self.job["trusted"] else contextlib.nullcontext():
                from polymask.workshop.sandbox import kernel

                host = self.registry().get(self.exercise.needs).module()
                return kernel.module(file, host)
        if file.suffix == ".so" and self.exercise.build == "cython":
            name = f"workshop.{name}"
        return from_file(name, file)

    # What the judge asks for

    def find(self, name, of=None, lane="yours"):
        """Return a function or a value: an object's of that number, or the answer's."""
        if of is not None:
            return getattr(self.held[of], name) if name else self.held[of]
        if self.way is not None and name == "make_mask":
            return self.way
        return getattr(self.lanes[lane], name)

    def do_get(self, name, of=None):
        """Return an attribute, and whether there is one."""
        try:
            return {"value": self.find(name, of)}
        except AttributeError:
            return {"missing": True}

    def do_set(self, name, value, of=None):
        """Set an attribute."""
        setattr(self.held[of] if of is not None else self.lanes["yours"], name, value)

    def do_call(self, name, arguments, keywords, of=None):
        """Call a function of the answer's, or an object's."""
        return self.find(name, of)(*arguments, **keywords)

    def do_observe(self, name, arguments, keywords, of=None, keep=False):
        """Call a function; say besides what it did to its arguments, and to arrays before."""
        function = self.find(name, of)
        before = self.written(arguments)
        value, facts = self.watched(function, arguments, keywords)
        facts["changed"] = self.changed(before, arguments)
        if type(value) is np.ndarray:
            facts["c_order"] = bool(value.flags.c_contiguous)
            facts["shares"] = next(
                (number for number, other in self.kept.items() if overlap(value, other)), None
            )
            if keep:
                self.kept_number += 1
                self.kept[self.kept_number] = value
                facts["kept"] = self.kept_number
        return {"value": value, "facts": facts}

    def watched(self, function, arguments, keywords):
        """Call a function; return what it gave, and what the environments saw of it."""
        for environment in self.environments.values():
            environment.before(arguments)
        try:
            with np.errstate(all="ignore"):  # huge coordinates follow IEEE, and need no warnings
                value = function(*arguments, **keywords)
        finally:
            seen = {name: one.after() for name, one in self.environments.items()}
        return value, {"found": {name: found for name, found in seen.items() if found is not None}}

    def changed(self, before, arguments):
        """Return the numbers of the arguments that are not what they were."""
        pairs = zip(before, self.written(arguments), strict=True)
        return [i for i, (old, new) in enumerate(pairs) if old != new]

    def written(self, arguments):
        """Return what the arguments are, each as text and bytes."""
        found = []
        for argument in arguments:
            parts = []
            found.append((json.dumps(self.channel.codec.plain(argument, parts)), parts))
        return found

    def do_kept(self, number):
        """Return an array that was kept, as it is now."""
        return self.kept[number]

    def do_write(self, number, value):
        """Write into an array that was kept; it is the caller's."""
        self.kept[number][...] = value

    def do_rewrite(self, of, value):
        """Write into an array that stands for an argument."""
        self.held[of][...] = value

    def do_hold(self, value):
        """Keep a value here as it is, so that several calls get the very same object."""
        return {"held": self.hold(value)}

    def do_release(self):
        """Let all arrays go."""
        self.kept.clear()

    def do_switch(self, name, settings):
        """Change an environment."""
        self.environments[name].switch(**settings)

    def do_found(self, name):
        """Return what an environment has seen since it was asked last."""
        return self.environments[name].found()

    def do_inside(self, name, arguments, keywords):
        """Call a function of ours beside check.py; its first argument is the answer's module."""
        function, before = getattr(self.inside, name), self.written(arguments)
        value, seen = self.watched(function, [self.lanes["yours"], *arguments], keywords)
        return {"value": value, "facts": seen | {"changed": self.changed(before, arguments)}}

    def do_ours(self, module, name, arguments):
        """Call a function of a module of the sandbox, which says what it saw."""
        if module not in self.modules:
            self.modules[module] = self.guard.module(f"polymask.workshop.sandbox.{module}")
        with self.guard.starting():
            return getattr(self.modules[module], name)(*arguments)

    def do_bare(self, name, arguments):
        """Make an object of a class without calling its __init__."""
        cls = self.find(name)
        return cls.__new__(cls, *arguments)

    def do_wrap(self, way):
        """Put a known wrong way in the place of the answer's mask, or take it away."""
        self.way = None
        if way:
            self.way = tamper.WAYS[way](self.find("make_mask"))

    def do_at_once(self, name, calls):
        """Do several calls, each in a Python thread of its own, begun at the same moment."""
        function = self.find(name)
        begin, results = threading.Barrier(len(calls)), [None] * len(calls)

        def run(i, arguments):
            try:
                begin.wait()
                results[i] = "value", function(*arguments)
            except BaseException as error:
                results[i] = "error", error

        threads = [threading.Thread(target=run, args=one) for one in enumerate(calls)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for kind, value in results:
            if kind == "error":
                raise value
        return [value for _, value in results]

    def do_busy(self, name, arguments, keywords):
        """Call a function; say how many seconds each thread of the process was busy meanwhile."""
        function = self.find(name)
        before = busy_threads()
        value = function(*arguments, **keywords)
        after = busy_threads()
        spent = {pid: seconds - before.get(pid, 0.0) for pid, seconds in after.items()}
        return {"value": value, "busy": sorted(spent.values(), reverse=True)}

    def do_parameters(self, name):
        """Return the names of a function's parameters; None if it does not tell."""
        try:
            return list(inspect.signature(self.find(name)).parameters)
        except (TypeError, ValueError):
            return None

    # Masks again and again

    def do_curve(self, name, vertices, shape, keep, calls, stops, seconds):
        """Make masks of ever other vertices; say where they lie, and what memory is taken.

        The first `keep` masks are kept, all at once. Ends early after so many seconds.
        """
        function, kept, places = self.find(name), [], set()
        for i in range(keep):
            kept.append(function(vertices + i * 2.0**-20, shape))
            if type(kept[-1]) is np.ndarray:
                places.add(kept[-1].__array_interface__["data"][0])
        distinct = len(places)
        del kept, places
        gc.collect()
        curve, done = [], keep
        for stop in stops:
            stretch = process_time() + seconds / len(stops)
            while done < stop * calls and process_time() < stretch:
                function(vertices + done * 2.0**-20, shape)
                done += 1
            gc.collect()
            curve.append((done, memory(RESIDENT)))
        return {"distinct": distinct, "curve": curve}

    # Many calls that the judge times

    def do_batch(self, name, calls, shape, lane="yours"):
        """Do calls one after the other, from the judge's next word on.

        Masks are copied into the memory that is shared, each right after its call.
        """
        function, slots = self.find(name, lane=lane), []
        if shape is not None:
            size = math.prod(shape)
            slots = [
                np.ndarray(shape, np.uint8, self.shared, offset=size * i) for i in range(len(calls))
            ]
        values, collecting = [], gc.isenabled()
        gc.disable()
        try:
            self.channel.send({"value": "ready"})
            self.channel.receive()  # the judge's clock begins
            if shape is None:
                for arguments in calls:
                    values.append(function(*arguments))
                return values
            for arguments, slot in zip(calls, slots, strict=True):
                got = function(*arguments)
                if type(got) is not np.ndarray or got.shape != shape or got.dtype != np.uint8:
                    return {"odd": got}
                slot[...] = got
            return None
        finally:
            if collecting:
                gc.enable()

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


def from_file(name, file):
    """Import a module from a file."""
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # some code asks for its own module
    spec.loader.exec_module(module)
    return module


def overlap(a, b):
    """Whether two arrays share memory; if that is too hard to say, they do."""
    try:
        return np.may_share_memory(a, b) and np.shares_memory(a, b, max_work=100_000)
    except np.exceptions.TooHardError:
        return True


def busy_threads():
    """Return thread to the seconds that it has been on a core; empty where that is unknown."""
    found = {}
    for folder in Path("/proc/self/task").glob("*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            found[int(folder.name)] = 1e-9 * int((folder / "schedstat").read_text().split()[0])
    return found


def memory(column):
    """Return bytes of the process: its address space (column 0), or what is resident (1)."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[column])
    except OSError:  # not Linux
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
