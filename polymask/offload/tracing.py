"""A trace of the runtime's low-level calls, with times.

There are two environment variables. POLYMASK_OFFLOAD_DEBUG is a level (1: transfers and
invocations; 2: allocations, too). POLYMASK_OFFLOAD_TRACE=1 prints every low-level call and its
duration. Both write to stderr.
"""

import functools
import inspect
import os
import sys
import time

from polymask.contract import BadSetting
from polymask.offload.library import Kernel

DEBUG, TRACE = "POLYMASK_OFFLOAD_DEBUG", "POLYMASK_OFFLOAD_TRACE"
START = time.perf_counter()


def number(variable, maximum):
    """Return the number in an environment variable, at most `maximum`, or 0 if it is not set."""
    text = os.environ.get(variable) or "0"
    if not (text.isdecimal() and int(text) <= maximum):
        reason = f"{variable} is a number from 0 to {maximum}, not {text!r}"
        raise BadSetting(reason, "set it to one, or unset it")
    return int(text)


level, tracing = number(DEBUG, 2), bool(number(TRACE, 1))


def low_level(minimum, name=None, hidden=()):
    """Decorate a method of a stream: print its calls at this debug level or above, or as a trace.

    The line has `name`, or the method's name, and the arguments except those in `hidden`.
    """

    def decorate(method):
        signature, omitted = inspect.signature(method), {"self", *hidden}

        @functools.wraps(method)
        def traced(self, *arguments, **options):
            if not tracing and level < minimum:
                return method(self, *arguments, **options)
            start = time.perf_counter()
            try:
                return method(self, *arguments, **options)
            finally:
                seconds = time.perf_counter() - start
                items = signature.bind(self, *arguments, **options).arguments.items()
                text = ", ".join(
                    f"{key}={brief(value)}" for key, value in items if key not in omitted
                )
                call = f"{name or method.__name__}({text})"
                when = f"{1e3 * (start - START):10.3f} ms" if tracing else "offload:"
                duration = f"  took {1e6 * seconds:.1f} us" if tracing else ""
                print(f"{when}  {self}: {call}{duration}", file=sys.stderr)

        return traced

    return decorate


def brief(value):
    """Return a short text for an argument, without the contents of arrays."""
    if isinstance(value, Kernel):
        return value.name
    if isinstance(value, (list, tuple)):
        return f"({', '.join(map(brief, value))})"
    if getattr(value, "shape", ()):
        return f"<{type(value).__name__} of {value.dtype}, {value.shape}>"
    return hex(value) if isinstance(value, int) and value > 1 << 32 else str(value)
