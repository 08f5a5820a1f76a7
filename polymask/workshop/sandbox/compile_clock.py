"""What an answer compiles while it runs: time that is not counted against a call's limit.

A kernel is compiled when it is first needed, which takes long on a slow machine that has nothing
cached; a loop that never ends is to be told soon. Judge and child share a `Clock`.
"""

import contextlib
import functools
import mmap
import struct
import sys
import threading
import time

MOST_S = 90.0  # that a process may compile, all in all
TIMES = struct.Struct("dd")  # seconds until now, and since when, if it goes on: else 0
SIZE = TIMES.size
LOOK_S = 0.01  # between two looks at a launch
NUMBAS_LOCK = "numba:compiler_lock"  # an event of Numba's


class Clock:
    """The seconds for which a process has been compiling, in memory of that file.

    One side writes, under a lock, and the other reads: at worst it counts the last piece twice for
    a moment.
    """

    def __init__(self, fd):
        self.memory, self.lock, self.depth = mmap.mmap(fd, SIZE), threading.Lock(), 0
        self.watched = set()  # the compilers that are heard

    def begin(self):
        """Note that something is compiled from now on; another thread may be at it, too."""
        with self.lock:
            self.depth += 1
            if self.depth == 1:
                done, _ = TIMES.unpack(self.memory[:SIZE])
                self.memory[:SIZE] = TIMES.pack(done, time.monotonic())

    def end(self):
        """Note that it is done."""
        with self.lock:
            self.depth -= 1
            if not self.depth:
                done, since = TIMES.unpack(self.memory[:SIZE])
                self.memory[:SIZE] = TIMES.pack(done + time.monotonic() - since, 0.0)

    def seconds(self):
        """Return the seconds until now; `MOST_S` if there are more, or no number at all."""
        done, since = TIMES.unpack(self.memory[:SIZE])
        seconds = done + (time.monotonic() - since if since else 0.0)
        return seconds if 0.0 <= seconds < MOST_S else MOST_S

    @contextlib.contextmanager
    def compiling(self):
        """Count what happens meanwhile."""
        self.begin()
        try:
            yield
        finally:
            self.end()

    def count(self, holder, name):
        """Count the time of a function, or a method, from now on."""
        own = getattr(holder, name)

        @functools.wraps(own)
        def counted(*arguments, **keywords):
            with self.compiling():
                return own(*arguments, **keywords)

        setattr(holder, name, counted)

    def close(self):
        """Let the memory go."""
        self.memory.close()


def watch(clock):
    """Count what the compilers of a process take, those that have been imported until now."""
    for name in COMPILERS.keys() - clock.watched:
        if name in sys.modules:
            COMPILERS[name](clock, sys.modules[name])
            clock.watched.add(name)


def watch_opencl(clock, cl):
    """Count the building of OpenCL programs, and what a driver does of it at the first launch."""
    for name in ("build", "compile"):
        clock.count(cl.Program, name)
    FirstLaunches(clock, cl)


def program_of(cl, kernel):
    """Return what stands for the program that a kernel is of, whichever object holds the kernel."""
    try:
        return kernel.get_info(cl.kernel_info.PROGRAM).int_ptr
    except cl.LogicError:  # Intel's driver lets go of a program that only its kernels hold
        return kernel.int_ptr


class FirstLaunches:
    """Counts how long a kernel's first launch of a size waits until it runs.

    PoCL compiles a kernel anew for each size of the work-group, in the thread that will run it. The
    command is submitted meanwhile; while another one runs, it waits for that.
    """

    def __init__(self, clock, cl):
        self.clock, self.running = clock, cl.command_execution_status.RUNNING
        self.known, self.waiting = set(), []
        self.lock, self.thread = threading.Lock(), None
        own = cl._cl.enqueue_nd_range_kernel  # all kernels go by it, PyOpenCL's own, too

        @functools.wraps(own)
        def launch(
            queue,
            kernel,
            global_work_size,
            local_work_size,
            global_work_offset=None,
            *more,
            **named,
        ):
            sizes = global_work_size, local_work_size, global_work_offset
            event = own(queue, kernel, *sizes, *more, **named)
            program = program_of(cl, kernel)
            group = str(local_work_size or global_work_size)
            key = program, kernel.function_name, group, global_work_offset is None
            if key not in self.known:
                self.known.add(key)
                self.look_at(event)
            return event

        cl._cl.enqueue_nd_range_kernel = cl.enqueue_nd_range_kernel = launch

    def look_at(self, event):
        """Look at a launch from now on, until it is over."""
        with self.lock:
            self.waiting.append(event)
            if self.thread is None:
                self.thread = threading.Thread(target=self.look, daemon=True)
                self.thread.start()

    def look(self):
        """Count while a launch waits, and none runs."""
        compiles = False
        while True:
            with self.lock:
                now = {event: event.command_execution_status for event in self.waiting}
                self.waiting = [event for event in self.waiting if now[event] >= self.running]
                states = {now[event] for event in self.waiting}
                waits = bool(states) and self.running not in states
                if waits != compiles:
                    compiles = waits
                    (self.clock.begin if waits else self.clock.end)()
                if not self.waiting:
                    self.thread = None
                    return
            time.sleep(LOOK_S)


def watch_offload(clock, host_compiler):
    """Count the compiling of libraries for offload's host engine."""
    clock.count(host_compiler, "compiled")


def watch_numba(clock, numba):
    """Count what Numba does under its compiler's lock; return what listens to it."""
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, _):
            clock.begin()

        def on_end(self, _):
            clock.end()

    listener = Listener()
    event.register(NUMBAS_LOCK, listener)
    return listener


COMPILERS = {
    "pyopencl": watch_opencl,
    "polymask.offload.engines.host_compiler": watch_offload,
    "numba": watch_numba,
}
