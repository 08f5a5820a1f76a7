"""Notes about an answer's kernels in dpctl's SYCL queues, of which some may start late."""

import time
from ctypes import c_int64

import dpctl
from dpctl.memory import MemoryUSMShared
from dpctl.program import create_program_from_source

from ladder.workshop.sandbox.environments import Environment

ORIGINAL = dpctl.SyclQueue
COMPLETE = dpctl.event_status_type.complete
LOOP = """
kernel void loop(const long n, global volatile long *out)
{
    for (long i = 0; i < n; i++)
        *out = i;
}
"""
FEW = 1_000_000  # iterations of the loop, to measure its speed


def install():
    """Note each kernel."""
    Queue.environment = Submitted()
    dpctl.SyclQueue = Queue
    return Queue.environment


def unfinished():
    """Return the numbers of this call's kernels that have not finished, from 0."""
    events = Queue.environment.events
    return [i for i, event in enumerate(events) if event.execution_status != COMPLETE]


class Submitted(Environment):
    """Notes about each kernel, in the order of submission.

    A note is a dict: ``items``, the range; ``after``, the numbers of the kernels on whose events it
    depends; and ``unfinished``, the numbers of the kernels that had not finished at its submission.
    """

    def __init__(self):
        super().__init__()
        self.delays = {}  # context to `Delay`
        self.switch()

    def before(self, arguments):
        """Begin an observed call."""
        super().before(arguments)
        self.events = []

    def switch(self, holds=0.0, only=None):
        """Delay the start of each kernel by `holds` seconds, or of the kernel number `only`."""
        self.holds, self.only, self.notes, self.events = holds, only, [], []

    def delay(self, queue):
        """Return a list of the events for which the next kernel must wait to start late."""
        if not self.holds or self.only not in (None, len(self.events)):
            return []
        context = queue.sycl_context
        if context not in self.delays:
            self.delays[context] = Delay(context, queue.sycl_device)
        return [self.delays[context].begin(self.holds)]


class Delay:
    """A kernel that keeps one work item busy, in a queue of its own.

    In the answer's queue, Intel's runtime would often let other kernels wait for it, too.
    """

    def __init__(self, context, device):
        self.queue = ORIGINAL(context, device)
        self.kernel = create_program_from_source(self.queue, LOOP).get_sycl_kernel("loop")
        self.memory = MemoryUSMShared(8, queue=self.queue)
        self.speed = 0.0  # iterations per second
        for _ in range(3):  # the first call is slow
            begin = time.perf_counter()
            self.submit(FEW).wait()
            self.speed = max(self.speed, FEW / (time.perf_counter() - begin))

    def submit(self, n):
        """Submit n iterations; return their event."""
        return self.queue.submit_async(self.kernel, [c_int64(n), self.memory], [1])

    def begin(self, seconds):
        """Keep a work item busy for a time; return the event of its end."""
        return self.submit(int(self.speed * seconds))


class Queue(ORIGINAL):
    """A queue that notes kernels."""

    environment = None

    def submit_async(self, kernel, args, gS, lS=None, dEvents=None):  # noqa: N803, dpctl's names
        """Submit a kernel; `submit` also calls this method, and waits."""
        environment, wanted = self.environment, list(dEvents or ())
        after = [i for i, event in enumerate(environment.events) if event in wanted]
        environment.notes.append({"items": list(gS), "after": after, "unfinished": unfinished()})
        wanted += environment.delay(self)
        event = super().submit_async(kernel, args, gS, lS, wanted)
        environment.events.append(event)
        return event
