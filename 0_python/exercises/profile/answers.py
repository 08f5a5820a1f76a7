"""What the profiler and the clock say of python.tuples and python.scalars, on 64 x 64 pixels."""

# The name of the function with the largest `tottime`: the time in itself, without what it calls.
SLOWEST = "inside_polygon"

# How often is it called for one mask?
CALLS = 64 * 64

# How often are `min` and `max` called for one mask, both together? (within 10 %)
MIN_AND_MAX = 180_000

# Which line of that function takes longest? Copy the first part of the line: so much of it that no
# other line of the function begins in the same way.
LINE = "if y > min("

# How many times as long as python.tuples does python.scalars take, by the clock? (within a factor
# of two)
ARRAY_IS_SLOWER = 3.0

# How many NumPy scalars does python.scalars make for one pixel, if the polygon has 24 vertices, and
# none of them is this pixel?
SCALARS = 4 * 24
