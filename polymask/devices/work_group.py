"""The shape of a work-group, which is a block by CUDA's name, and of a launch, which has many."""

from polymask import contract

LONG = 3 * 10**8  # pixels times edges of a launch: two cores take some 0.2 s for them, a GPU 1 ms
WHOLE = 16  # a driver that chooses work-groups finds no good one for 17 rows


def work_group_within(work_group, most, most_rows=None):
    """Return a work-group as (rows, columns); refuse one of more items than `most`.

    `most_rows` says how many rows the device has memory for; None is any number.
    """
    rows, cols = contract.check_shape(work_group, name="work_group")
    if not 1 <= rows * cols <= most or rows > (most if most_rows is None else most_rows):
        in_rows = "" if most_rows is None else f" in at most {most_rows} rows"
        raise ValueError(f"a work-group has 1 to {most} items{in_rows} here, got {rows}x{cols}")
    return rows, cols


def bands(global_size, group, work):
    """Cut a long launch into bands of rows, as no device stops a kernel that it has begun.

    Parameters
    ----------
    global_size : tuple of int
        (columns, rows) of the items.
    group : tuple of int
        (rows, columns) of a work-group. A band of one row of them that is still too long is cut
        into columns.
    work : int
        What they all take, in pixels times edges.

    Yields
    ------
    offset, global_size : tuple of int
        Of each band, (columns, rows).
    """
    cols, rows = global_size
    height, width = group
    groups = cols // width  # in a row of them
    most = max(groups * (rows // height) * LONG // work, 1)
    down = max(most // groups, 1)
    across = min(most, groups)
    down, across = (one - one % WHOLE if one > WHOLE else one for one in (down, across))
    if most >= groups:
        across = groups
    for y in range(0, rows, down * height):
        for x in range(0, cols, across * width):
            yield (x, y), (min(across * width, cols - x), min(down * height, rows - y))
