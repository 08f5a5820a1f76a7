"""An extension type that copies the C++ object which it owns."""

cdef extern from "row.hpp" nogil:
    cdef cppclass CppRow "Row":
        CppRow(ptrdiff_t n, double value) except +
        CppRow(const CppRow &other) except +
        double &operator[](ptrdiff_t i)


cdef class Row:
    """A row of n numbers, all equal at first."""

    cdef CppRow *row

    def __cinit__(self, n, value, Row other=None):
        self.row = new CppRow(n, value) if other is None else new CppRow(other.row[0])

    def __dealloc__(self):
        del self.row

    def copy(self):
        """Return a new row: C++ calls the copy constructor."""
        return Row(0, 0, self)

    def assign(self, Row other):
        """Become equal to another row: C++ calls the assignment."""
        self.row[0] = other.row[0]

    def get(self, i):
        """Return a number."""
        return self.row[0][i]

    def set(self, i, value):
        """Set a number."""
        self.row[0][i] = value
