"""What an answer launches on a device: noted, or done in part.

An answer of the host's launches nothing. One whose first item does the work of all is right even if
no other item is launched.
"""

import functools
import sys
from pathlib import Path

import pyopencl as cl
from pyopencl import _cl, elementwise, reduction, scan

from polymask.workshop.sandbox.environments import Environment, holding

ENQUEUE = "enqueue_nd_range_kernel"  # all kernels go by it, those that PyOpenCL writes, too
CLASSES = (elementwise.ElementwiseKernel, reduction.ReductionKernel, scan.GenericScanKernel)
PACKAGE = str(Path(cl.__file__).parent)
FIRST, REST = "first", "rest"  # the first work-group alone, all others


def install():
    """Note all launches from now on; the answer, which is imported later, finds no other way."""
    Launches.here = Launches()
    return Launches.here


def waited():
    """Let all launches go that are held; return whether none was any more."""
    return Launches.here.waited()


class Launches(Environment):
    """Notes of each launch who made it, and of which size."""

    here = None

    def __init__(self):
        super().__init__()
        self.switch()
        enqueue = getattr(_cl, ENQUEUE)

        @functools.wraps(enqueue)
        def launch(
            queue, kernel, global_work_size, local_work_size, global_work_offset=None,
            wait_for=None, g_times_l=False, allow_empty_ndrange=False,
        ):  # fmt: skip
            kind = asked_for(sys._getframe(1))
            wait_for = list(wait_for or ())
            size = tuple(map(int, global_work_size))
            group = None if local_work_size is None else tuple(map(int, local_work_size))
            if g_times_l and group:
                size = tuple(a * b for a, b in zip(size, group, strict=True))
            self.seen.append({"kind": kind, "size": size, "group": group})
            size, offset = self.taken(size, group, global_work_offset)
            if size is None:
                return cl.enqueue_marker(queue, wait_for)
            if self.holds:
                self.held.append(holding.Held(queue.context, self.holds))
                wait_for.append(self.held[-1].event)
            return enqueue(queue, kernel, size, group, offset, wait_for, False, allow_empty_ndrange)

        for module in (cl, _cl):
            setattr(module, ENQUEUE, launch)

    def taken(self, size, group, offset):
        """Return the size and the offset of the part that is launched; None where it is empty."""
        group = group or (1,) * len(size)
        if self.part == FIRST:
            return tuple(map(min, group, size)), offset
        if self.part == REST:
            begin = offset or (0,) * len(size)
            left = size[0] - group[0]
            if left <= 0:
                return None, None
            return (left, *size[1:]), (begin[0] + group[0], *begin[1:])
        return size, offset

    def switch(self, part=None, holds=0):
        """Change what launches do.

        Parameters
        ----------
        part : str, optional
            `FIRST` or `REST`: what is launched in the place of all.
        holds : float
            Seconds for which each launch is held.
        """
        self.seen, self.part = [], part
        self.holds, self.held = holds, []

    def waited(self):
        """Let all launches go that are held; return whether none was any more."""
        held, self.held = self.held, []
        return all([one.let_go() for one in held])


def asked_for(frame):
    """Return of what kind a launch is: "Kernel", a class that writes its kernel, or "PyOpenCL".

    The last is a launch of a function that PyOpenCL has, such as an operator of its arrays, of
    which the answer wrote nothing.
    """
    kind = "Kernel"
    while frame is not None:
        file, name = frame.f_code.co_filename, frame.f_code.co_name
        if file.startswith(PACKAGE):
            own = next((k for k in CLASSES if isinstance(frame.f_locals.get("self"), k)), None)
            kind = own.__name__ if own and name == "__call__" else "PyOpenCL"
        elif not file.startswith("<") or name == "<module>":
            break
        frame = frame.f_back
    return kind
