"""Printing the runtime's low-level calls, with times.

There are two environment variables. POLYMASK_OFFLOAD_DEBUG is a level (1: transfers and
invocations, 2: allocations too). POLYMASK_OFFLOAD_TRACE=1 prints every low-level call and the time
until it returned. Both write to stderr.
"""

import functools
import inspect
import os
import sys
import time

from polymask.contract import BadSetting
from polymask.offload.library import Kernel

DEBUG, TRACE = "POLYMASK_OFFLOAD_DEBUG", "POLYMASK_OFFLOAD_TRACE"
BEGAN = time.perf_counter()


def number(variable, most):
    """Read an environment variable that is a number up to `most`, 0 if it is not set."""
    text = os.environ.get(variable) or "0"
    if not (text.isdecimal() and int(text) <= most):
        reason = f"{variable} is a number from 0 to {most}, not {text!r}"
        raise BadSetting(reason, "set it to one, or unset it")
    return int(text)


level, tracing = number(DEBUG, 2), bool(number(TRACE, 1))


def low_level(least, name=None, but=()):
    """Decorate a method of a stream: print its calls from a level of debugging on, or as a trace.

    The line has the name, or the method's own, and the arguments except those in `but`.
    """

    def decorate(method):
        signature, but_self = inspect.signature(method), {"self", *but}

        @functools.wraps(method)
        def traced(self, *arguments, **options):
            if not tracing and level < least:
                return method(self, *arguments, **options)
            start = time.perf_counter()
            try:
                return method(self, *arguments, **options)
            finally:
                took = time.perf_counter() - start
                bound = signature.bind(self, *arguments, **options).arguments.items()
                words = ", ".join(
                    f"{key}={brief(value)}" for key, value in bound if key not in but_self
                )
                call = f"{name or method.__name__}({words})"
                when = f"{1e3 * (start - BEGAN):10.3f} ms" if tracing else "offload:"
                took = f"  took {1e6 * took:.1f} us" if tracing else ""
                print(f"{when}  {self}: {call}{took}", file=sys.stderr)

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
