"""An estimate of a call's duration from a few rows of the image."""

FEW_ROWS, MORE_ROWS = 512, 4  # first trial rows/512, the second four times that


def band(make_mask, vertices, shape, keywords, count):
    """Make `count` rows from the middle of the image."""
    rows, cols = shape
    return make_mask(vertices - (0, (rows - count) // 2), (count, cols), **keywords)


def estimate(time_band, patience, rows):
    """Return the approximate seconds of a call; an overestimate is within the patience.

    `time_band` makes a number of rows, and returns the seconds.
    """
    few = max(1, rows // FEW_ROWS)
    time_band(few)  # the first call has additional costs
    short = time_band(few)
    if short * rows / few <= patience:
        return short * rows / few
    more = MORE_ROWS * few
    long = time_band(more)
    per_row = (long - short) / (more - few)
    return long + (rows - more) * per_row  # the fixed cost of a call counts once
