"""Profile and times of python.tuples and python.scalars for 64 x 64 pixels."""

# The function with the largest `tottime`: the time in the function itself, without its calls.
SLOWEST = "inside_polygon"

# How often is it called for one mask?
CALLS = 64 * 64

# How often are `min` and `max` called in total for one mask? (within 10 %)
MIN_AND_MAX = 180_000

# The time of python.scalars divided by the time of python.tuples, measured without the profiler.
# (within a factor of two)
ARRAY_IS_SLOWER = 3.0
