"""How long a call will last, estimated from a few rows of the image."""

FEW_ROWS, MORE_ROWS = 512, 4  # the first trial makes rows/512, the second four times that


def band(make_mask, vertices, shape, keywords, count):
    """Make `count` rows from the middle of the image."""
    rows, cols = shape
    return make_mask(vertices - (0, (rows - count) // 2), (count, cols), **keywords)


def estimate(time_band, patience, rows):
    """Return about how many seconds a call lasts, too many only if patience has room for them.

    `time_band` makes the number of rows that it is given, and returns the seconds.
    """
    few = max(1, rows // FEW_ROWS)
    time_band(few)  # the first call pays for more than its rows
    short = time_band(few)
    if short * rows / few <= patience:
        return short * rows / few
    more = MORE_ROWS * few
    long = time_band(more)
    per_row = (long - short) / (more - few)
    return long + (rows - more) * per_row  # the cost of a call besides its rows is paid once
