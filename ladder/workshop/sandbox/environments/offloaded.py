"""Notes about an answer's copies and kernels, which run at once or as late as possible.

The device is the host. Missing arguments of a kernel are null pointers. New memory of the device is
full of garbage and lies between margins. Compiled kernels are cached for this process alone.
"""

import ctypes
import functools
import itertools
import os
import shutil
import weakref
from pathlib import Path

import numpy as np

from ladder.workshop.sandbox import build
from ladder.workshop.sandbox.environments import Environment
from ladder.workshop.sandbox.garbage import GARBAGE, damage

CACHE = Path("cache").absolute()  # in the process's own folder; emptied at the start
os.environ["XDG_CACHE_HOME"] = str(CACHE)
os.environ["POLYMASK_OFFLOAD_DEVICES"] = "host"
# the folder of the student's program and its kernels
os.environ["POLYMASK_OFFLOAD_LIBRARY_PATH"] = str(Path("..", build.FOLDER).absolute())

from ladder.offload.engines import host, worker_queue  # noqa: E402, reads the environment

MARGIN = 4096  # bytes on either side of memory of the device
AT_ONCE, LATE = "at once", "late"  # paces: before a call returns, or when the host waits


def install():
    """Note all offloaded commands; the answer is imported later."""
    shutil.rmtree(CACHE, ignore_errors=True)
    Offloaded.installed = Offloaded()
    host.Queue = Queue
    host.Host.allocate = staticmethod(allocate)
    host.Host.find = staticmethod(functools.partial(find, host.Host.find))
    return Offloaded.installed


class Offloaded(Environment):
    """Notes about each command and each wait, in the order of the host's calls.

    A note is a dict: ``what`` ("to_device", "to_host", "on_device", "kernel", "wait", "host waits",
    "allocate"), ``stream``, and ``nbytes``, or the ``kernel``. ``behind`` counts earlier commands.
    """

    installed = None

    def __init__(self):
        super().__init__()
        self.queues = weakref.WeakSet()
        self.memories, self.kept = weakref.WeakSet(), []  # all of them, and those of this call
        self.numbers = itertools.count()  # of streams
        self.kernels = {}  # address to name
        self.pace, self.running = AT_ONCE, False

    def note(self, what, **more):
        """Note a command."""
        self.notes.append({"what": what, **more})

    def switch(self, pace=AT_ONCE):
        """Run commands before their call returns, or only when the host waits for their stream."""
        for queue in list(self.queues):
            queue.sync()
        self.pace = pace

    def before(self, arguments):
        """Delete earlier notes."""
        self.notes, self.kept = [], []

    def after(self):
        """Return the notes, and the writes into margins: (bytes of memory, where)."""
        beyond = []
        for memory in self.memories:
            own = memory.address - memory.array.ctypes.data
            changes = damage(memory.array, memory.nbytes, own)
            beyond += [(memory.nbytes, where) for _, where in changes]
        self.kept = []
        return {"notes": list(self.notes), "beyond": beyond}


class Guarded(host.Memory):
    """Memory of the device between margins."""

    def __init__(self, nbytes, alignment):
        margin = max(MARGIN, alignment)
        super().__init__(np.full(nbytes + alignment + 2 * margin, GARBAGE, np.uint8), alignment)
        self.address += margin
        self.nbytes = nbytes
        Offloaded.installed.memories.add(self)
        Offloaded.installed.kept.append(self)  # checked after the call


def allocate(nbytes, alignment):
    """Allocate memory as the engine does."""
    Offloaded.installed.note("allocate", nbytes=nbytes)
    return Guarded(nbytes, alignment)


def snapshot(array):
    """Return memory with the contents of a small array."""
    memory = Guarded(array.nbytes, array.itemsize)
    ctypes.memmove(memory.address, array.ctypes.data, array.nbytes)
    return memory


def find(function, library, name):
    """Find a kernel, and remember its address."""
    address = function(library, name)
    if address is not None:
        Offloaded.installed.kernels[address] = name
    return address


class Ticket:
    """The ticket of a command, which runs when the host waits for it, or earlier."""

    def __init__(self, queue, number):
        self.queue, self.number = queue, number

    def done(self):
        """Return whether the command has run."""
        return self.queue.ran >= self.number

    def wait(self):
        """Run all commands up to it."""
        note_wait(self.queue)
        self.queue.run(self.number)

    def times(self):
        """Return zeros: commands here have no times."""
        return 0.0, 0.0, 0.0


def note_wait(queue):
    """Note that the host waits; a stream's waits for another are noted elsewhere."""
    if not Offloaded.installed.running:
        Offloaded.installed.note("host waits", stream=queue.number)


class Queue(host.Queue):
    """A stream's commands, with notes."""

    snapshot = staticmethod(snapshot)

    def __init__(self):
        self.environment = Offloaded.installed
        self.number = next(self.environment.numbers)
        self.environment.queues.add(self)
        self.commands, self.put, self.ran = [], 0, 0

    def copy_in(self, host, memory, nbytes, offset_host, offset_device):
        """Copy to the device."""
        self.environment.note("to_device", stream=self.number, nbytes=nbytes)
        return super().copy_in(host, memory, nbytes, offset_host, offset_device)

    def copy_out(self, memory, host, nbytes, offset_device, offset_host):
        """Copy to the host."""
        self.environment.note("to_host", stream=self.number, nbytes=nbytes)
        return super().copy_out(memory, host, nbytes, offset_device, offset_host)

    def copy(self, source, destination, nbytes, offset_source, offset_destination):
        """Copy within the device."""
        self.environment.note("on_device", stream=self.number, nbytes=nbytes)
        return super().copy(source, destination, nbytes, offset_source, offset_destination)

    def call(self, kernel, memories, grid, block):
        """Call a kernel."""
        name = self.environment.kernels.get(kernel, "")
        self.environment.note("kernel", stream=self.number, kernel=name, behind=self.put)
        # Missing arguments are null: otherwise registers might hold right ones by chance.
        missing = [None] * (worker_queue.MOST_ARGUMENTS - len(memories))
        return super().call(kernel, [*memories, *missing], grid, block)

    def copy_bytes(self, destination, source, nbytes):
        """Copy bytes, now or later."""
        return self.later(functools.partial(ctypes.memmove, destination, source, nbytes))

    def call_function(self, kernel, arguments):
        """Call a kernel, now or later."""
        function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(arguments))(kernel)
        return self.later(functools.partial(function, *arguments))

    def mark(self):
        """Return a ticket for all commands so far."""
        return self.later(lambda: None)

    def wait(self, other):
        """Make all later commands wait for a ticket."""
        of = {"of": other.queue.number, "behind": other.number}
        self.environment.note("wait", stream=self.number, **of)
        return self.later(other.wait)

    def later(self, command):
        """Queue a command; run it now if the pace is at once."""
        self.put += 1
        self.commands.append(command)
        if self.environment.pace == AT_ONCE:
            self.run(self.put)
        return Ticket(self, self.put)

    def run(self, number):
        """Run all commands up to a number."""
        outer, self.environment.running = self.environment.running, True
        try:
            while self.ran < number:
                command = self.commands.pop(0)
                command()
                self.ran += 1
        finally:
            self.environment.running = outer

    def sync(self):
        """Run all commands, and wait."""
        note_wait(self)
        self.run(self.put)
