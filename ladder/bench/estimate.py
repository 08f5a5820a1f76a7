"""An estimate of a call's duration from a few rows of the image."""

import time

FEW_ROWS, MORE_ROWS = 512, 4  # rows / 512 in the first trial, four times as many in the second


def time_band(make_mask, vertices, shape, keywords, count):
    """Make `count` rows from the middle of the image; return the seconds."""
    rows, cols = shape
    start = time.perf_counter()
    make_mask(vertices - (0, (rows - count) // 2), (count, cols), **keywords)
    return time.perf_counter() - start


def estimate(time_rows, patience, rows):
    """Estimate the seconds of a call; a result within the patience may be too large.

    `time_rows` takes a number of rows, makes them, and returns the seconds.
    """
    small = max(1, rows // FEW_ROWS)
    time_rows(small)  # the first call has additional costs
    small_s = time_rows(small)
    if small_s * rows / small <= patience:
        return small_s * rows / small
    large = MORE_ROWS * small
    large_s = time_rows(large)
    per_row = (large_s - small_s) / (large - small)
    return large_s + (rows - large) * per_row  # the fixed cost of a call counts once
