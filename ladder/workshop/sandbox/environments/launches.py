"""Notes about an answer's launches on a device, of which only a part may run.

An answer that computes on the host launches nothing. If its first item does all the work, it is
right even if no other item is launched.
"""

import functools
import sys
import threading
from pathlib import Path

import pyopencl as cl
from pyopencl import _cl, array, elementwise, reduction, scan

from ladder.workshop.sandbox.environments import Environment

ENQUEUE = "enqueue_nd_range_kernel"  # it launches all kernels, including those that PyOpenCL writes
CLASSES = (elementwise.ElementwiseKernel, reduction.ReductionKernel, scan.GenericScanKernel)
PACKAGE = str(Path(cl.__file__).parent)
COMPLETE = cl.command_execution_status.COMPLETE
FIRST, REST = "first", "rest"  # the first work-group, or all others


def install():
    """Note all launches; the answer is imported later."""
    Launches.installed = Launches()
    return Launches.installed


def release():
    """Release all delayed launches; return whether all had begun already."""
    return Launches.installed.release()


class Launches(Environment):
    """Notes about each launch: the class of its kernel, and its size."""

    installed = None

    def __init__(self):
        super().__init__()
        self.switch()
        enqueue = getattr(_cl, ENQUEUE)

        @functools.wraps(enqueue)
        def launch(
            queue, kernel, global_work_size, local_work_size, global_work_offset=None,
            wait_for=None, g_times_l=False, allow_empty_ndrange=False,
        ):  # fmt: skip
            kernel_class, types = caller(sys._getframe(1))
            wait_for = list(wait_for or ())
            size = tuple(map(int, global_work_size))
            group = None if local_work_size is None else tuple(map(int, local_work_size))
            if g_times_l and group:
                size = tuple(a * b for a, b in zip(size, group, strict=True))
            note = {"kernel_class": kernel_class, "types": types, "size": size, "group": group}
            self.notes.append(note)
            size, offset = self.part_of(size, group, global_work_offset)
            if size is None:
                return cl.enqueue_marker(queue, wait_for)
            if self.holds:
                self.delays.append(Delay(queue.context, self.holds))
                wait_for.append(self.delays[-1].event)
            try:
                return enqueue(
                    queue, kernel, size, group, offset, wait_for, False, allow_empty_ndrange
                )
            except cl.LogicError as error:
                error.args = (f"{error}: global size {note['size']}, group {group}",)
                raise

        for module in (cl, _cl):
            setattr(module, ENQUEUE, launch)

    def part_of(self, size, group, offset):
        """Return the size and the offset of the part to launch; None if it is empty."""
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
        """Launch the part `FIRST`, `REST` or all (None), delayed by `holds` seconds."""
        self.notes, self.part = [], part
        self.holds, self.delays = holds, []

    def release(self):
        """Release all delayed launches; return whether all had begun already."""
        delays, self.delays = self.delays, []
        return all([delay.let_go() for delay in delays])


class Delay:
    """An event that launches wait for; it is set after `seconds`, or when released."""

    def __init__(self, context, seconds):
        self.event, self.lock, self.is_set = cl.UserEvent(context), threading.Lock(), False
        self.timer = threading.Timer(seconds, self.set)
        self.timer.start()

    def set(self):
        """Set the event, so that launches begin; return whether it was set before."""
        with self.lock:
            was_set, self.is_set = self.is_set, True
            if not was_set:
                self.event.set_status(COMPLETE)
        return was_set

    def let_go(self):
        """Set the event now; return whether it was set before."""
        self.timer.cancel()
        return self.set()


def caller(frame):
    """Return the class of a launched kernel, and its arguments whose arrays have other types.

    "PyOpenCL" means a launch by one of its own functions, such as an operator of its arrays.
    """
    kernel_class, types = "Kernel", []
    while frame is not None:
        file, name = frame.f_code.co_filename, frame.f_code.co_name
        if file.startswith(PACKAGE):
            own = next((k for k in CLASSES if isinstance(frame.f_locals.get("self"), k)), None)
            kernel_class = own.__name__ if own and name == "__call__" else "PyOpenCL"
            types += types_of(frame.f_locals) if kernel_class != "PyOpenCL" else []
        elif not file.startswith("<") or name == "<module>":
            break
        frame = frame.f_back
    return kernel_class, types


def types_of(names):
    """Return (name, type, array's type) of arrays with elements of another size than declared."""
    declared = names.get("arg_descrs") or getattr(names.get("self"), "parsed_args", None)
    declared = declared or getattr(names.get("stage_inf"), "arg_types", ())
    return [
        (argument.name, argument.dtype.name, given.dtype.name)
        for argument, given in zip(declared, names.get("args", ()), strict=False)
        if isinstance(given, array.Array) and argument.dtype.itemsize != given.dtype.itemsize
    ]
