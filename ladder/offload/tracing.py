"""A trace of the runtime's low-level calls, with times.

With POLYMASK_OFFLOAD_TRACE=1, or pyMIC's PYMIC_TRACE, every low-level call is printed to stderr
with its duration, results and the program's source line, and so is the memory that the garbage
collector frees.
"""

import functools
import inspect
import os
import sys
import time
import traceback
from pathlib import Path

from ladder.offload.library import Kernel
from polymask.contract import BadSetting

TRACE = "POLYMASK_OFFLOAD_TRACE"
START = time.perf_counter()
RUNTIME = str(Path(__file__).parent), functools.__file__  # partialmethod is in Python's stack


def is_on():
    """Return whether the environment asks for a trace; pyMIC has levels above 1."""
    name = TRACE if os.environ.get(TRACE) else "PYMIC_TRACE"
    text = os.environ.get(name) or "0"
    if not text.isdecimal() or (name == TRACE and int(text) > 1):
        raise BadSetting(f"{name} is 0 or 1, not {text!r}", "set it to one, or unset it")
    return int(text) > 0


tracing = is_on()


def low_level(name=None, hidden=()):
    """Decorate a method of a stream: print its calls in a trace.

    The line has `name`, or the method's name, and the arguments except those in `hidden`.
    """

    def decorate(method):
        signature, omitted = inspect.signature(method), {"self", *hidden}

        @functools.wraps(method)
        def traced(self, *arguments, **options):
            if not tracing:
                return method(self, *arguments, **options)
            items = signature.bind(self, *arguments, **options).arguments.items()
            text = ", ".join(f"{key}={brief(value)}" for key, value in items if key not in omitted)
            start, result = time.perf_counter(), None
            try:
                result = method(self, *arguments, **options)
                return result
            finally:
                took = f"  took {1e6 * (time.perf_counter() - start):.1f} us"
                returned = "" if result is None else f" = {brief(result)}"
                report(start, f"{self}: {name or method.__name__}({text})", returned + took)

        return traced

    return decorate


def report(when, text, details):
    """Print a line with the time, the details and the program's source line."""
    line = f"{1e3 * (when - START):10.3f} ms  {text}{details}{caller()}"
    print(line, file=sys.stderr)


def report_collected(pointer):
    """Print a line in a trace for memory that is freed because nothing refers to its pointer."""
    if tracing and not sys.is_finalizing():
        call = f"{pointer.device}: deallocate_device_memory(device_ptr={pointer})"
        report(time.perf_counter(), call, "  by the garbage collector")


def caller():
    """Return the program's source line that called the runtime."""
    stack = traceback.walk_stack(sys._getframe(1))
    places = ((frame.f_code.co_filename, line) for frame, line in stack)
    place = next((place for place in places if not place[0].startswith(RUNTIME)), None)
    return "  at {}:{}".format(*place) if place else ""


def brief(value):
    """Return a short text for an argument, without the contents of arrays."""
    if isinstance(value, Kernel):
        return value.name
    if isinstance(value, (list, tuple)):
        return f"({', '.join(map(brief, value))})"
    if getattr(value, "shape", ()):
        pointer = getattr(value, "pointer", None)  # of an OffloadArray
        where = f" {pointer.place()}" if pointer else ""
        return f"<{type(value).__name__} of {value.dtype}, {value.shape}{where}>"
    return hex(value) if isinstance(value, int) and value > 1 << 32 else str(value)
