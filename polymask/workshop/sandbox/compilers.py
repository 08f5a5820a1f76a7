"""Tells the parent while a compiler works: that time does not count against a step's limit.

A kernel is compiled when it is first needed, which takes long on a slow machine that has nothing
cached; a loop that never ends is to be told soon.
"""

import contextlib
import functools
import sys
import threading

from polymask.workshop.sandbox import child

NUMBAS_LOCK = "numba:compiler_lock"  # an event of Numba's
lock, depth = threading.Lock(), [0]


def begin():
    """Say that something is compiled from now on; another thread may be at it, too."""
    with lock:
        depth[0] += 1
        if depth[0] == 1:
            child.tell(compiling=True)


def end():
    """Say that it is done."""
    with lock:
        depth[0] -= 1
        if not depth[0]:
            child.tell(compiling=False)


@contextlib.contextmanager
def compiling():
    """Say that something is compiled meanwhile."""
    begin()
    try:
        yield
    finally:
        end()


def wrap(holder, name):
    """Let a function, or a method, say that it compiles."""
    own = getattr(holder, name)

    @functools.wraps(own)
    def compiled(*arguments, **keywords):
        with compiling():
            return own(*arguments, **keywords)

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
                begin()

            def on_end(self, _):
                end()

        event.register(NUMBAS_LOCK, Listener())
