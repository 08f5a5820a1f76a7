"""Tells the parent while a compiler works: that time does not count against a step's limit.

A kernel is compiled when it is first needed, which takes long on a slow machine that has nothing
cached; a loop that never ends is to be told soon.
"""

import functools
import sys
import threading

from polymask.workshop.sandbox import child

NUMBAS_LOCK = "numba:compiler_lock"  # an event of Numba's
lock, depth = threading.Lock(), [0]


def count(change):
    """Count a compiler more, or one less; several threads may be at it."""
    with lock:
        depth[0] += change
        if depth[0] == max(change, 0):  # the first begins, or the last has ended
            child.tell(compiling=change > 0)


def wrap(holder, name):
    """Let a function, or a method, say that it compiles."""
    own = getattr(holder, name)

    @functools.wraps(own)
    def compiled(*arguments, **keywords):
        count(1)
        try:
            return own(*arguments, **keywords)
        finally:
            count(-1)

    setattr(holder, name, compiled)


def watch():
    """Hear the compilers that this process has imported."""
    if cl := sys.modules.get("pyopencl"):
        for name in ("build", "compile"):
            wrap(cl.Program, name)
    if host_compiler := sys.modules.get("polymask.offload.engines.host_compiler"):
        wrap(host_compiler, "compiled")
    if "numba" in sys.modules:
        from numba.core import event

        class Listener(event.Listener):
            def on_start(self, _):
                count(1)

            def on_end(self, _):
                count(-1)

        event.register(NUMBAS_LOCK, Listener())
