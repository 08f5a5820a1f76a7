"""What the profiler and the clock say of python.tuples and python.scalars, on 64 x 64 pixels."""

# How often is `inside_polygon` called for one mask?
CALLS = 64 * 64

# The name of the function with the largest `tottime`: the time in itself, without what it calls.
SLOWEST = "inside_polygon"

# How many times as long as python.tuples does python.scalars take, by the clock? (within a factor
# of two)
ARRAY_IS_SLOWER = 2.0

# How many NumPy scalars does python.scalars make for one pixel that no vertex lies on, with 24
# vertices?
SCALARS = 4 * 24
