"""A trace of the runtime's low-level calls, with times.

There are two environment variables; pyMIC's names (PYMIC_TRACE and so on) work, too.
POLYMASK_OFFLOAD_TRACE=1 prints every low-level call with its duration, results and the program's
source line, and the memory that the garbage collector frees. POLYMASK_OFFLOAD_TRACE_STACKS is
``compact`` (one source line), ``full`` (those of all callers) or ``none``. Output goes to stderr.
"""

import functools
import inspect
import itertools
import os
import sys
import time
import traceback
from pathlib import Path

from ladder.offload.library import Kernel
from polymask.contract import BadSetting

TRACE = "POLYMASK_OFFLOAD_TRACE"
STACKS, STYLES = "POLYMASK_OFFLOAD_TRACE_STACKS", ("compact", "full", "none")
START = time.perf_counter()
RUNTIME = str(Path(__file__).parent), functools.__file__  # partialmethod is in Python's stack


def setting(variable, default):
    """Return the name and the value of an environment variable, or of pyMIC's if it is not set."""
    names = variable, variable.replace("POLYMASK_OFFLOAD_", "PYMIC_")
    return next(((name, os.environ[name]) for name in names if os.environ.get(name)), ("", default))


def is_on():
    """Return whether the environment asks for a trace; pyMIC has levels above 1."""
    name, text = setting(TRACE, "0")
    if not text.isdecimal() or (name == TRACE and int(text) > 1):
        raise BadSetting(f"{name} is 0 or 1, not {text!r}", "set it to one, or unset it")
    return int(text) > 0


def style():
    """Return the style of source lines in a trace."""
    name, text = setting(STACKS, STYLES[0])
    if text.lower() not in STYLES:
        reason = f"{name} is {', '.join(STYLES[:-1])} or {STYLES[-1]}, not {text!r}"
        raise BadSetting(reason, "set it to one of these, or unset it")
    return text.lower()


tracing, stacks = is_on(), style()


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
    line = f"{1e3 * (when - START):10.3f} ms  {text}{details}{callers()}"
    print(line, file=sys.stderr)


def report_collected(pointer):
    """Print a line in a trace for memory that is freed because nothing refers to its pointer."""
    if tracing and not sys.is_finalizing():
        call = f"{pointer.device}: deallocate_device_memory(device_ptr={pointer})"
        report(time.perf_counter(), call, "  by the garbage collector")


def callers():
    """Return the program's source lines that called the runtime, the innermost first."""
    stack = traceback.walk_stack(sys._getframe(1))
    places = ((frame.f_code.co_filename, line) for frame, line in stack)
    places = itertools.dropwhile(lambda place: place[0].startswith(RUNTIME), places)
    count = {"compact": 1, "full": None, "none": 0}[stacks]
    lines = [f"{file}:{line}" for file, line in itertools.islice(places, count)]
    return f"  at {', '.join(lines)}" if lines else ""


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
