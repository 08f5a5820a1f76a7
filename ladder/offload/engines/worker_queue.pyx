# cython: language_level=3
# distutils: language=c++
"""The host engine's queue, from csrc/offload/queue.hpp: commands that a C++ thread runs in order.

Commands run without Python's lock (the GIL), so a kernel starts at once, even while Python
computes.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint64_t
from libcpp cimport bool
from libcpp.memory cimport shared_ptr, unique_ptr, make_unique
from libcpp.string cimport string
from libcpp.vector cimport vector

import os

from polymask.common.errors import OffloadError


cdef extern from "offload/queue.hpp" namespace "polymask::offload" nogil:
    size_t most_arguments

    cppclass Lane:
        pass

    cppclass CppTimes "polymask::offload::Lane::Times":
        double queued, start, end

    cppclass CppTicket "polymask::offload::Ticket":
        shared_ptr[CppTimes] times
        bool done()
        bool wait(double seconds)

    cppclass CppQueue "polymask::offload::Queue":
        CppQueue() except +
        CppTicket copy(size_t destination, size_t source, size_t nbytes) except +
        CppTicket call(size_t kernel, vector[size_t] arguments) except +
        CppTicket mark() except +
        CppTicket wait(const CppTicket& other) except +
        string failure()


cdef double CHECK_S = 0.1  # between two checks for Ctrl-C during a wait
MOST_ARGUMENTS = most_arguments


cdef class Ticket:
    """A command in a queue, with its state, and its times in seconds of `time.perf_counter`."""

    cdef CppTicket ticket

    def done(self):
        """Return whether the command is done."""
        return self.ticket.done()

    def wait(self):
        """Wait until the command is done; Ctrl-C ends the wait."""
        cdef bool done = self.ticket.wait(0)
        while not done:
            with nogil:
                done = self.ticket.wait(CHECK_S)
            PyErr_CheckSignals()

    def times(self):
        """Return the times at which the command was queued, started and ended; it must be done."""
        cdef CppTimes* times = self.ticket.times.get()
        return times.queued, times.start, times.end


cdef Ticket _wrap(CppTicket ticket):
    cdef Ticket wrapper = Ticket.__new__(Ticket)
    wrapper.ticket = ticket
    return wrapper


cdef class Queue:
    """A worker thread and its queue; commands return a `Ticket` at once."""

    cdef CppQueue* queue
    cdef object process

    def __cinit__(self):
        self.process = os.getpid()
        try:
            self.queue = new CppQueue()
        except RuntimeError as error:  # the system's message does not name the purpose
            raise OffloadError(f"a stream needs a thread, but none can be started: {error}") from None

    def __dealloc__(self):
        if os is not None and os.getpid() == self.process:
            del self.queue  # a forked process has no worker to wait for, and keeps the memory

    def copy_bytes(self, size_t destination, size_t source, size_t nbytes):
        """Copy bytes from one address to another."""
        return _wrap(self.queue.copy(destination, source, nbytes))

    def call_function(self, size_t kernel, arguments):
        """Call the function at an address with pointers, a sequence of addresses."""
        if <size_t>len(arguments) > most_arguments:
            raise ValueError(
                f"a kernel takes up to {most_arguments} arguments on the host, not {len(arguments)}"
            )
        cdef vector[size_t] addresses = arguments
        return _wrap(self.queue.call(kernel, addresses))

    def mark(self):
        """Return a ticket that is done when all commands before it are done."""
        return _wrap(self.queue.mark())

    def wait(self, Ticket other):
        """Let all later commands wait for a ticket, which may be that of another queue."""
        return _wrap(self.queue.wait(other.ticket))

    def failure(self):
        """Return the message of the first failure since the last call, or an empty text."""
        return self.queue.failure().decode(errors="replace")
