"""A long launch is cut into bands of rows: the mask is the same."""

import numpy as np
import pytest
from cases import folded

from ladder import devices, registry
from ladder.devices import work_group
from ladder.registry import reference, workload
from polymask.contract import Unavailable


def load(key):
    """Return the rung's `make_mask`; skip if it cannot run."""
    try:
        return registry.get(key).load()
    except Unavailable as missing:
        pytest.skip(f"{key}: {missing}")


@folded("work", [1, work_group.LONG, 7 * work_group.LONG, 10**12, 10**15])
@folded("group", [(1, 1), (4, 8), (32, 2)])
@folded("groups", [(1, 1), (17, 3), (301, 40), (1, 500)])
def test_bands_are_all_items_once_by_whole_work_groups(work, group, groups):
    rows, cols = np.multiply(group, groups).tolist()
    counts = np.zeros((rows, cols), int)
    for (x, y), (width, height) in work_group.bands((cols, rows), group, work):
        counts[y : y + height, x : x + width] += 1
        assert y + height <= rows
        assert x + width <= cols
        assert (y % group[0], x % group[1]) == (0, 0)
        assert (height % group[0], width % group[1]) == (0, 0)
        is_group = (height, width) == group
        assert is_group or work * height * width <= work_group.LONG * rows * cols
    assert (counts == 1).all()


def test_a_kernel_in_bands_has_the_times_of_all():
    make_mask = load("opencl.pixels")
    events, shape = {}, (4000, 4000)
    vertices = workload.polygon(24, shape)  # more than one launch
    make_mask(vertices, shape, events=events)
    kernel, fetch = (events[name].profile for name in ("kernel", "to_host"))
    assert not hasattr(events["kernel"], "wait")
    assert kernel.queued <= kernel.submit <= kernel.start < kernel.end <= fetch.start


@pytest.fixture
def launches(monkeypatch):
    """Lower the limit of a launch; list whether each launch is one work-group, and its work."""
    monkeypatch.setattr(work_group, "LONG", 5000)
    launches, every = [], work_group.bands

    def bands(global_size, group, work):
        for first, size in every(global_size, group, work):
            part = np.prod(size) / np.prod(global_size)
            launches.append((np.prod(size) == np.prod(group), part * work))
            yield first, size

    monkeypatch.setattr(work_group, "bands", bands)
    return launches


BY_BANDS = [
    ("opencl.pixels", {}),
    ("opencl.pixels", {"work_group": (4, 8)}),
    ("scanline.opencl", {}),
    ("scanline.opencl", {"work_group": (4, 8)}),
    pytest.param("sycl.kernel", {}, marks=pytest.mark.extra("sycl")),
    pytest.param("sycl.kernel", {"memory": "shared"}, marks=pytest.mark.extra("sycl")),
    pytest.param("sycl.native", {}, marks=pytest.mark.extra("sycl")),
]


@pytest.mark.parametrize(("key", "options"), BY_BANDS)
@folded("shape", [(67, 31), (1, 2100), (3, 5003), (300, 1), (130, 1100)])
def test_a_mask_by_bands_is_exact(launches, key, options, shape):
    """Long rows are cut, too: no launch with more than one work-group is long."""
    make_mask = load(key)
    vertices = workload.polygon(24, shape)
    for border in (True, False):
        expected = reference.mask(vertices, shape, border)
        assert (make_mask(vertices, shape, border, **options) == expected).all()
    assert all(is_group or work <= work_group.LONG for is_group, work in launches)
    assert len(launches) > 2 or (shape[0] < 8 and key == "scanline.opencl")


@pytest.mark.slow
def test_an_edge_is_counted_in_each_tile_of_a_row(launches):
    """It is also counted in each row of a work-group, even below the image."""
    make_mask, device = load("scanline.opencl"), devices.kind("opencl").device()
    tile = 1024 * (device.local_mem_size // (8 * 4 * 65))  # of 8 rows: bits in local memory
    vertices, shape = workload.polygon(20_000, (1, 3 * tile)), (1, 3 * tile)
    expected = reference.mask(vertices, shape)
    assert (make_mask(vertices, shape, work_group=(8, 1)) == expected).all()
    assert len(launches) == 4  # as a row may begin with up to 15 extra bits
    assert sum(work for _, work in launches) > 8 * 8 * 4 * 20_000
