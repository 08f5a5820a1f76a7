# cython: cdivision=True
"""The distance from a pixel to a line, by C functions of which some raise exceptions."""


cdef void check_pixel(double x, double y) except *:
    """Raise ValueError for a pixel that is not finite."""
    if not (abs(x) < 1e300 and abs(y) < 1e300):
        raise ValueError("a pixel must be finite")


cdef double crossing(double y, double x1, double y1, double x2, double y2) except? -1:
    """Return the x at which a line crosses row y; raise ValueError for a horizontal line."""
    if y1 == y2:
        raise ValueError("a horizontal line crosses no row")
    cdef double slope = (x2 - x1) / (y2 - y1)
    return x1 + (y - y1) * slope


cdef double difference(double a, double b) noexcept:
    """Return b - a."""
    return b - a


def distance(double x, double y, start, end):
    """Return how far the line from start to end is to the right of a pixel, along its row."""
    check_pixel(x, y)
    return difference(x, crossing(y, start[0], start[1], end[0], end[1]))
