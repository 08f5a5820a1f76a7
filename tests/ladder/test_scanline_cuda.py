"""scanline.cuda's host program, with NumPy in CuPy's place, and a kernel that does nothing.

tests/sanitize/test_cuda_on_cpu.py compares masks.
"""

import numpy as np
import pytest
from sanitize import cuda_on_cpu

from ladder.devices import cuda as device
from polymask.contract import Unavailable

TRIANGLE = [(0, 0), (4, 1), (2, 3)]


@pytest.fixture
def launches():
    """The grid and the block of each launch."""
    return []


@pytest.fixture
def scanline(launches):
    """The rung."""
    return cuda_on_cpu.scanline_cuda(lambda grid, block, *_, **__: launches.append((grid, block)))


@pytest.mark.parametrize("work_group", [None, (3, 5)])
def test_a_grid_has_all_rows_within_the_limit_in_y(scanline, launches, work_group):
    scanline.leave_mask(TRIANGLE, (530_000, 3), work_group=work_group)
    (((_, y, z), block),) = launches
    assert max(y, z) <= device.MOST_BLOCKS
    assert y * z * block[0] >= 530_000


def test_a_mask_is_left_on_the_device_or_copied(scanline):
    events = {}
    assert isinstance(scanline.leave_mask(TRIANGLE, (5, 6), events=events), cuda_on_cpu.Array)
    assert list(events) == ["to_device", "kernel"]
    events = {}
    assert type(scanline.make_mask(TRIANGLE, (5, 6), events=events)) is np.ndarray
    assert list(events) == ["to_device", "kernel", "to_host"]


@pytest.mark.parametrize("work_group", [(0, 1), (-1, 1), (2, 1024), (190, 1)])
def test_a_work_group_that_does_not_fit_is_refused(scanline, work_group):
    with pytest.raises(ValueError, match=r"work.group"):
        scanline.make_mask(TRIANGLE, (5, 6), work_group=work_group)


def test_a_grid_for_an_image_without_pixels_has_a_block(scanline, launches):
    assert scanline.make_mask(TRIANGLE, (0, 6)).shape == (0, 6)
    assert [grid for grid, _ in launches] == [(1, 1, 1)]


def test_a_device_without_memory_is_unavailable(scanline, monkeypatch):
    class OutOfMemoryError(MemoryError):
        __module__ = "cupy.cuda.memory"

    def refuse(*_):
        raise OutOfMemoryError("out of memory")

    monkeypatch.setattr(scanline.cupy, "empty", refuse)
    monkeypatch.setattr(device.KIND, "chosen", lambda: None)
    with pytest.raises(Unavailable, match="out of memory"):
        scanline.make_mask(TRIANGLE, (5, 6))
