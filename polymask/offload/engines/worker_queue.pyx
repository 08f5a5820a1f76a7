# cython: language_level=3
# distutils: language=c++
"""The host engine's queue, from csrc/offload/queue.hpp: commands that a C++ thread runs in order.

Nothing here needs Python's lock while a command runs, so a kernel starts at once, also while Python
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


cdef double LOOK_S = 0.1  # how often who waits looks for Ctrl-C
MOST_ARGUMENTS = most_arguments


cdef class Ticket:
    """A command in a queue: whether it is done, and its times in seconds, `time.perf_counter`'s."""

    cdef CppTicket ticket

    def done(self):
        """Return whether the command is done."""
        return self.ticket.done()

    def wait(self):
        """Wait until the command is done; Ctrl-C ends the waiting."""
        cdef bool done = self.ticket.wait(0)
        while not done:
            with nogil:
                done = self.ticket.wait(LOOK_S)
            PyErr_CheckSignals()

    def times(self):
        """Return when the command was queued, began and ended; it has to be done."""
        cdef CppTimes* times = self.ticket.times.get()
        return times.queued, times.start, times.end


cdef Ticket _wrap(CppTicket ticket):
    cdef Ticket made = Ticket.__new__(Ticket)
    made.ticket = ticket
    return made


cdef class Queue:
    """A worker thread and its commands; all return a `Ticket` at once."""

    cdef CppQueue* queue
    cdef object process

    def __cinit__(self):
        self.process = os.getpid()
        try:
            self.queue = new CppQueue()
        except RuntimeError as error:  # the system's own words say what it lacks, not what for
            raise OffloadError(f"a stream needs a thread, and none can be had: {error}") from None

    def __dealloc__(self):
        if os is not None and os.getpid() == self.process:
            del self.queue  # a fork has no worker to wait for, and leaves the memory alone

    def copy_bytes(self, size_t destination, size_t source, size_t nbytes):
        """Copy bytes from address to address."""
        return _wrap(self.queue.copy(destination, source, nbytes))

    def call_function(self, size_t kernel, arguments):
        """Call the function at an address with so many pointers, a sequence of addresses."""
        if <size_t>len(arguments) > most_arguments:
            raise OffloadError(f"a kernel takes up to {most_arguments} arguments here")
        cdef vector[size_t] addresses = arguments
        return _wrap(self.queue.call(kernel, addresses))

    def mark(self):
        """Return a ticket that is done when all before it is."""
        return _wrap(self.queue.mark())

    def wait(self, Ticket other):
        """Let all that comes wait for a ticket, of another queue say."""
        return _wrap(self.queue.wait(other.ticket))

    def failure(self):
        """Return the first failure's words since the last call; empty if there was none."""
        return self.queue.failure().decode(errors="replace")
