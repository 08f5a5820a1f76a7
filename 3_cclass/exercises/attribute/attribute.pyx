"""Attributes of extension types: their visibility, and the values that they accept."""


# What does each of these lines do? Write None if it works, or the exception: AttributeError,
# TypeError. Here `Derived` is a Python class, `class Derived(Closed): pass`.
PREDICTED = {
    "Closed(3).n": AttributeError,
    "Closed(3).n = 4": AttributeError,
    "Counted(3).n": None,
    "Counted(3).n = 4": AttributeError,
    "Named(3).name = None": None,
    "Named(3).name = 4": TypeError,
    "Open(3).n = 4": None,
    "Derived(3).name = 'a'": None,
    "Derived(3).n": AttributeError,
}


cdef class Closed:
    """A class whose n is in a C struct: Python sees no attribute and cannot add any."""

    cdef Py_ssize_t n

    def __cinit__(self, Py_ssize_t n):
        self.n = n


cdef class Counted:
    """A class with n as in Closed, except that Python can read it."""

    cdef readonly Py_ssize_t n

    def __cinit__(self, Py_ssize_t n):
        self.n = n


cdef class Named:
    """A class with n as in Closed, and a name, str or None, that Python can read and set."""

    cdef Py_ssize_t n
    cdef public str name

    def __cinit__(self, Py_ssize_t n):
        self.n = n


cdef class Open:
    """A class with n as in Closed, to which Python can add any attribute."""

    cdef Py_ssize_t n
    cdef dict __dict__

    def __cinit__(self, Py_ssize_t n):
        self.n = n

    def twice(self):
        """Return 2 n, to show that C sees n."""
        return 2 * self.n
