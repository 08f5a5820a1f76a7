"""What an answer launches on a device: counted, or replaced by nothing.

An answer of the host's launches nothing, and is right even if launches do nothing.
"""

import functools

import pyopencl as cl
from pyopencl import _cl, elementwise, reduction, scan

from polymask.workshop.sandbox.environments import Environment

ENQUEUE = "enqueue_nd_range_kernel"  # all kernels go by it, those that PyOpenCL writes, too
CLASSES = (elementwise.ElementwiseKernel, reduction.ReductionKernel, scan.GenericScanKernel)


def install():
    """Count from now on; the answer, which is imported later, finds no function that is not."""
    return Launches()


class Launches(Environment):
    """Counts of launches by kind: "Kernel", or a class that writes its kernel itself."""

    def __init__(self):
        self.counts, self.idle = {}, False
        enqueue = getattr(_cl, ENQUEUE)

        @functools.wraps(enqueue)
        def launch(queue, kernel, *arguments, **keywords):
            self.count("Kernel")
            if self.idle:
                return cl.enqueue_marker(queue)
            return enqueue(queue, kernel, *arguments, **keywords)

        for module in (cl, _cl):
            setattr(module, ENQUEUE, launch)
        for kind in CLASSES:
            kind.__call__ = self.counting(kind.__name__, kind.__call__)

    def count(self, kind):
        """Note a launch."""
        self.counts[kind] = self.counts.get(kind, 0) + 1

    def counting(self, kind, function):
        """Return the function, counting its calls."""

        @functools.wraps(function)
        def counted(*arguments, **keywords):
            self.count(kind)
            return function(*arguments, **keywords)

        return counted

    def switch(self, idle):
        """Let launches do nothing, or what they should."""
        self.idle = idle

    def before(self, arguments):
        """Count from 0."""
        self.counts = {}

    def after(self):
        """Return the counts."""
        return self.counts
