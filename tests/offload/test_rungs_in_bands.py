"""The rungs of lesson 7 make a long mask in bands, with few of them in flight at a time."""

import functools
from collections import Counter

import numpy as np
import pytest

from ladder import registry
from ladder.devices import work_group
from ladder.offload import OffloadStream, kind
from ladder.registry import reference, workload

RUNGS = [rung for rung in registry.RUNGS if rung.device == "offload"]
SHAPE = (67, 31)
POLYGON = workload.polygon(24, SHAPE)
RIGHT = reference.mask(POLYGON, SHAPE)
FEW = 5000  # pixels times edges: ten bands for the mask
# The commands of a short mask, in order.
SHORT = {
    "offload.copied": ["to_device", "to_device", "kernel", "to_host", "to_host"],
    "offload.bound": ["to_device", "kernel", "to_host"],
    "offload.stream": ["to_device", "kernel", "to_host"],
}


@pytest.fixture(params=RUNGS, ids=lambda rung: rung.key)
def rung(request):
    """Each rung of the lesson."""
    return request.param


@pytest.fixture
def make_mask(rung, device):
    """The rung's `make_mask`, on each engine that works here."""
    number = device.device_id
    return lambda *arguments, **options: rung.load()(*arguments, device=number, **options)


@pytest.fixture
def make_masks(rung, device):
    """The rung's `make_masks`, or a loop over its `make_mask`."""
    return functools.partial(rung.load_batch(), device=device.device_id)


@pytest.fixture
def notes(monkeypatch):
    """Record the commands of streams: the work of each kernel, and None for each sync."""
    noted, launch, sync = [], OffloadStream._launch, OffloadStream.sync

    def noted_launch(stream, kernel, args, *more):
        _, n, _, _, _, pixels, _ = args
        noted.append((stream, n * pixels))
        launch(stream, kernel, args, *more)

    def noted_sync(stream):
        noted.append((stream, None))
        sync(stream)

    monkeypatch.setattr(OffloadStream, "_launch", noted_launch)
    monkeypatch.setattr(OffloadStream, "sync", noted_sync)
    return noted


def in_flight(notes):
    """Yield a stream's work since its last sync, after each of its kernels."""
    ahead = Counter()
    for stream, work in notes:
        if work is None:
            del ahead[stream]
        else:
            ahead[stream] += work
            yield ahead[stream]


@pytest.mark.slow
@pytest.mark.parametrize("long", [100, FEW, 10**6])
@pytest.mark.parametrize("shape", [SHAPE, (1, 2100), (300, 1), (0, 5), (5, 0)])
def test_a_mask_by_bands_is_exact(make_mask, monkeypatch, long, shape):
    monkeypatch.setattr(work_group, "LONG", long)
    vertices = workload.polygon(24, shape)
    for border in (True, False):
        right = reference.mask(vertices, shape, border)
        np.testing.assert_array_equal(make_mask(vertices, shape, border), right)


def test_a_stream_never_has_more_to_do_than_a_band(make_masks, monkeypatch, notes):
    monkeypatch.setattr(work_group, "LONG", FEW)
    np.testing.assert_array_equal(make_masks([POLYGON] * 2, SHAPE), [RIGHT] * 2)
    assert len(list(in_flight(notes))) == 20
    assert max(in_flight(notes)) <= FEW
    assert len({stream for stream, _ in notes}) <= 2


@pytest.mark.parametrize("wait", [1, 3])
def test_ctrl_c_leaves_no_bands_behind(make_mask, make_masks, monkeypatch, notes, wait):
    """It ends a wait, after which nothing is launched; each stream has at most one band."""
    sync, waits = OffloadStream.sync, iter(range(1, 1000))

    def interrupted(stream):
        if next(waits) == wait:
            raise KeyboardInterrupt
        sync(stream)

    with monkeypatch.context() as patch:
        patch.setattr(work_group, "LONG", FEW)
        patch.setattr(OffloadStream, "sync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            make_masks([POLYGON] * 2, SHAPE)
    before = len(notes)
    launched = sum(work is not None for _, work in notes)
    waited_for = before - launched
    assert launched - waited_for == len({stream for stream, _ in notes})
    np.testing.assert_array_equal(make_mask(POLYGON, SHAPE), RIGHT)
    assert sum(work is not None for _, work in notes[before:]) == 1


def test_only_the_batch_of_stream_uses_two_streams(make_masks, rung, notes):
    make_masks([POLYGON] * 5, SHAPE)
    launched = Counter(stream for stream, work in notes if work is not None)
    assert sorted(launched.values()) == ([2, 3] if rung.key == "offload.stream" else [5])


def test_a_mask_tells_all_of_its_commands(rung, make_mask, monkeypatch):
    events = {}
    make_mask(POLYGON, SHAPE, events=events)
    assert [command.name for command in kind.KIND.commands(events)] == SHORT[rung.key]
    events = {}
    monkeypatch.setattr(work_group, "LONG", FEW)
    make_mask(POLYGON, SHAPE, events=events)
    band = SHORT[rung.key]
    expected = band[:1] + 10 * band[1:] if rung.key == "offload.bound" else 10 * band
    assert [command.name for command in kind.KIND.commands(events)] == expected
