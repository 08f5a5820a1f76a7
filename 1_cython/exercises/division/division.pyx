# cython: boundscheck=False, wraparound=False, cdivision=True
"""Division of C integers: predictions, and two functions that are right in Python."""

# The values for C integers in this file.
DIVIDED = {"-7 / 2": -3, "-7 // 2": -3, "-7 % 2": -1}


def middle(int left, int right):
    """Return the x in the middle between two pixels, a float."""
    return left + (right - left) / 2.0


def area(const double[:, ::1] vertices):
    """Return the area of a polygon, from each vertex and the one before it."""
    cdef Py_ssize_t n = vertices.shape[0], i, before
    cdef double twice = 0
    for i in range(n):
        before = (i + n - 1) % n
        twice += vertices[before, 0] * vertices[i, 1] - vertices[i, 0] * vertices[before, 1]
    return abs(twice) / 2
