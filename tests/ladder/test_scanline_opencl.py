"""Features of `scanline.opencl` only: tiles, and work-groups that share local memory.

The contract's suite covers it like every rung; these inputs are difficult for its kernel in
particular.
"""

import random

import numpy as np
import pytest
from cases import folded

from ladder import registry
from ladder.devices import opencl, scanline_tiles
from ladder.registry import reference, workload


@pytest.fixture(scope="module")
def scanline():
    """The rung's module; skip without a device."""
    module = pytest.importorskip("ladder.scanline.opencl")
    try:
        opencl.check()
    except registry.Unavailable as error:
        pytest.skip(str(error))
    return module


def most_rows(scanline):
    """Return the maximum rows of a work-group, whose tile then has its minimum width: one block."""
    device = scanline.context().devices[0]
    return min(device.max_work_group_size, device.local_mem_size // scanline_tiles.BLOCK_BYTES)


def polygon(shape, seed):
    """Return vertices on pixels, between them, and far outside on both sides."""
    r = random.Random(seed)
    rows, cols = shape

    def draw(top):
        return r.choice([r.randint(0, top), r.uniform(-top, 2 * top), r.choice([-1e15, 1e300])])

    return [(draw(cols), draw(rows)) for _ in range(12)]


@folded("work_group", [(1, 1), (1, 64), (3, 5), (16, 1), (8, 32)])
@folded("cols", [1, 15, 16, 17, 31, 33, 511, 1008, 1009, 1010, 1024, 1025, 3001])
def test_every_work_group_gives_the_same_mask(scanline, work_group, cols):
    """With an odd number of columns each row begins at a different alignment."""
    shape = (21, cols)
    vertices = polygon(shape, cols)
    mask = scanline.make_mask(vertices, shape, work_group=work_group)
    assert np.array_equal(mask, reference.mask(vertices, shape))


@folded("cols", [1007, 1008, 1009, 1010, 1024, 1025, 2033, 2034, 5003])
@folded("border_value", [True, False])
def test_rows_that_take_several_tiles(scanline, cols, border_value):
    shape = (19, cols)
    work_group = (most_rows(scanline), 1)
    vertices = polygon(shape, cols)
    mask = scanline.make_mask(vertices, shape, border_value, work_group=work_group)
    assert np.array_equal(mask, reference.mask(vertices, shape, border_value))


@pytest.mark.parametrize("shape", [(3, 100_000), (2, 1_000_003), (20_000, 3)])
def test_wide_and_tall_images(scanline, shape):
    vertices = workload.polygon(24, shape, seed=1)
    assert np.array_equal(scanline.make_mask(vertices, shape), reference.mask(vertices, shape))


def test_a_crossing_that_is_not_a_number_leaves_its_row_odd(scanline):
    """The odd toggle must affect only the row's own pixels in each tile."""
    huge = 1.7e308
    vertices = [(5, -huge), (huge, huge), (-huge, 3)]
    shape = (40, 2100)
    for work_group in (None, (most_rows(scanline), 1)):
        mask = scanline.make_mask(vertices, shape, work_group=work_group)
        assert np.array_equal(mask, reference.by_rule(vertices, shape))


@pytest.mark.parametrize("work_group", [(0, 1), (1, 0), (-1, -1), (1 << 20, 1), (1, 1 << 20)])
def test_a_work_group_that_does_not_fit_is_refused(scanline, work_group):
    with pytest.raises(ValueError, match=r"work.group"):
        scanline.make_mask([(0, 0), (4, 1), (2, 3)], (5, 5), work_group=work_group)
