"""The shape of a work-group (a block in CUDA), and of a launch of many work-groups."""

from polymask import contract

LONG = 3 * 10**8  # pixels times edges of a launch: about 0.2 s on two cores, 1 ms on a GPU
WHOLE = 16  # a driver has no good choice of work-groups for 17 rows, for example


def work_group_within(work_group, most, most_rows=None):
    """Return a work-group as (rows, columns); refuse one of more items than `most`.

    The device has memory for `most_rows` rows; None is no limit.
    """
    rows, cols = contract.check_shape(work_group, name="work_group")
    if not 1 <= rows * cols <= most or rows > (most if most_rows is None else most_rows):
        in_rows = "" if most_rows is None else f" in at most {most_rows} rows"
        raise ValueError(f"a work-group has 1 to {most} items{in_rows} here, got {rows}x{cols}")
    return rows, cols


def bands(global_size, group, work):
    """Cut a long launch into bands of rows, as a running kernel cannot be stopped.

    Parameters
    ----------
    global_size : tuple of int
        (columns, rows) of the items.
    group : tuple of int
        (rows, columns) of a work-group. If a band of one row of groups is still too long, it is cut
        into columns.
    work : int
        Of the whole launch, in pixels times edges.

    Yields
    ------
    offset, global_size : tuple of int
        Of each band, (columns, rows).
    """
    cols, rows = global_size
    height, width = group
    groups = cols // width  # in a row of groups
    most = max(groups * (rows // height) * LONG // work, 1)
    down = max(most // groups, 1)
    across = min(most, groups)
    down, across = (n - n % WHOLE if n > WHOLE else n for n in (down, across))
    if most >= groups:
        across = groups
    for y in range(0, rows, down * height):
        for x in range(0, cols, across * width):
            yield (x, y), (min(across * width, cols - x), min(down * height, rows - y))
