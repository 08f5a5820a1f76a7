"""Attributes of extension types: which there are, who sees them, and what may be put into them."""


# What happens to each of these lines? Write None if it works, or the exception: AttributeError,
# TypeError. Here `Derived` is a class of Python's, `class Derived(Closed): pass`.
PREDICTED = {
    "Closed(3).n": AttributeError,
    "Closed(3).name = 'a'": AttributeError,
    "Closed(3).n = 4": AttributeError,
    "Counted(3).n": None,
    "Counted(3).n = 4": AttributeError,
    "Named(3).name = 'a'": None,
    "Named(3).name = None": None,
    "Named(3).name = 4": TypeError,
    "Named(3).nam = 'a'": AttributeError,
    "Open(3).nam = 'a'": None,
    "Open(3).n = 4": None,
    "Derived(3).name = 'a'": None,
    "Derived(3).n": AttributeError,
}


cdef class Closed:
    """n lies in a struct of C's: Python sees no field, and can add none."""

    cdef Py_ssize_t n

    def __cinit__(self, Py_ssize_t n):
        self.n = n

    def twice(self):
        """2 n, to show that C sees it."""
        return 2 * self.n


cdef class Counted:
    """n as in Closed, but Python may read it."""

    cdef readonly Py_ssize_t n

    def __cinit__(self, Py_ssize_t n):
        self.n = n

    def twice(self):
        """2 n."""
        return 2 * self.n


cdef class Named:
    """n as in Closed, and a name, text or None, that Python may read and set."""

    cdef Py_ssize_t n
    cdef public str name

    def __cinit__(self, Py_ssize_t n):
        self.n = n

    def twice(self):
        """2 n."""
        return 2 * self.n


cdef class Open:
    """n as in Closed, and whatever else Python likes to put there."""

    cdef Py_ssize_t n
    cdef dict __dict__

    def __cinit__(self, Py_ssize_t n):
        self.n = n

    def twice(self):
        """2 n."""
        return 2 * self.n
