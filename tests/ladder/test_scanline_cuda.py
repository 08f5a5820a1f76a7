"""scanline.cuda's host program and kernel, with a stand-in for CuPy on PoCL; nothing is timed."""

import numpy as np
import pytest

from ladder.devices import cuda as device
from ladder.registry import reference, workload
from polymask.contract import Unavailable

stand_in = pytest.importorskip("cupy_on_pocl", reason="the stand-in for CuPy is missing")
TRIANGLE = [(0, 0), (4, 1), (2, 3)]


@pytest.fixture
def cupy(monkeypatch):
    with stand_in.installed("ladder.scanline.cuda") as cupy:
        monkeypatch.setattr(device, "check", lambda: None)
        yield cupy


@pytest.fixture
def scanline(cupy):
    from ladder.scanline import cuda

    return cuda


@pytest.mark.parametrize("shape", [(21, 1009), (3, 30_000), (530_000, 3)])
def test_the_mask_is_exact_in_several_tiles_and_beyond_the_grids_limit_in_y(scanline, shape):
    vertices = workload.polygon(24, shape, seed=1)
    expected = reference.by_rows(vertices, shape, False)
    for work_group in (None, (3, 5)):
        mask = scanline.make_mask(vertices, shape, False, work_group=work_group)
        assert np.array_equal(mask, expected)


def test_a_mask_that_is_left_on_the_device(scanline, cupy):
    events = {}
    d_mask = scanline.leave_mask(TRIANGLE, (5, 6), events=events)
    assert isinstance(d_mask, cupy.ndarray)
    assert np.array_equal(d_mask.get(), reference.by_rule(TRIANGLE, (5, 6)))
    assert [command.name for command in device.commands(events)] == ["to_device", "kernel"]


def test_events_have_the_three_commands(scanline):
    events = {}
    scanline.make_mask(TRIANGLE, (5, 6), events=events)
    commands = device.commands(events)
    assert [command.name for command in commands] == ["to_device", "kernel", "to_host"]
    assert all(command.ran >= 0 for command in commands)


@pytest.mark.parametrize("work_group", [(0, 1), (-1, 1), (2, 1024), (190, 1)])
def test_a_work_group_that_does_not_fit_is_refused(scanline, work_group):
    with pytest.raises(ValueError, match=r"work.group"):
        scanline.make_mask(TRIANGLE, (5, 6), work_group=work_group)


def test_an_image_without_pixels_needs_no_launch(scanline, cupy):
    assert scanline.make_mask(TRIANGLE, (0, 6)).shape == (0, 6)
    assert not cupy.launches


def test_a_device_without_memory_is_unavailable(scanline, cupy, monkeypatch):
    def refuse(*_):
        raise cupy.cuda.memory.OutOfMemoryError("out of memory")

    monkeypatch.setattr(cupy, "empty", refuse)
    monkeypatch.setattr(device.search, "chosen", lambda: None)
    with pytest.raises(Unavailable, match="out of memory"):
        scanline.make_mask(TRIANGLE, (5, 6))
