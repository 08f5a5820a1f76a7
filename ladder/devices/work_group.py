"""The shape of a work-group (a block in CUDA), and of a launch of many work-groups."""

import itertools

from polymask import contract

LONG = 3 * 10**8  # pixels times edges of a launch: about 0.2 s on two cores, 1 ms on a GPU
WHOLE = 16  # larger numbers of groups are multiples: drivers divide 17 rows badly, for example


def work_group_within(work_group, most):
    """Return a work-group as (rows, columns); refuse a work-group with more than `most` items."""
    rows, cols = contract.check_shape(work_group, name="work_group")
    if not 1 <= rows * cols <= most:
        raise ValueError(f"a work-group has 1 to {most} items here, got {rows}x{cols}")
    return rows, cols


def bands(global_size, group, work):
    """Divide a long launch into bands of rows, as a running kernel cannot be stopped.

    The global size is (columns, rows) of the items, and a group is (rows, columns). The work is
    that of the whole launch, in pixels times edges. Yields the place and the size of each band,
    (columns, rows). If a single row of groups is still too long, it is divided into columns.
    """
    cols, rows = global_size
    height, width = group
    groups = cols // width  # per row of groups
    most = max(groups * (rows // height) * LONG // work, 1)
    down = max(most // groups, 1)
    across = min(most, groups)
    down, across = (n - n % WHOLE if n > WHOLE else n for n in (down, across))
    if most >= groups:
        across = groups
    for y in range(0, rows, down * height):
        for x in range(0, cols, across * width):
            yield (x, y), (min(across * width, cols - x), min(down * height, rows - y))


def bands_of_pixels(mask, n):
    """Cut the mask of n vertices into bands: yield the number of each first pixel, and a view."""
    pixels, most = mask.reshape(-1), max(LONG // n, 1)
    for first in range(0, max(mask.size, 1), most):  # a mask without pixels is one band, too
        yield first, pixels[first : first + most]


def bands_in_turn(streams, masks, polygons):
    """Yield stream, vertices, first pixel and pixels of each band; the streams take turns."""
    turns, ahead = itertools.cycle(streams), dict.fromkeys(streams, 0)
    for mask, vertices in zip(masks, polygons, strict=True):
        for first, band in bands_of_pixels(mask, len(vertices)):
            stream, work = next(turns), len(band) * len(vertices)
            if ahead[stream] + work > LONG:
                stream.sync()  # it continues after Ctrl-C, so it holds at most one long band
                ahead[stream] = 0
            ahead[stream] += work
            yield stream, vertices, first, band
