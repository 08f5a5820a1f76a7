"""A SYCL device that runs out of memory or fails during a mask: reported, and the next works.

dpctl and dpnp document little of that: a driver with refusing functions showed what they do.
"""

import importlib.util
from types import SimpleNamespace

import pytest
from cases import folded
from every_rung import SHAPE, TRIANGLE, assert_mask, load

from ladder import registry
from ladder.devices import sycl
from ladder.registry import reference
from polymask import contract

RUNGS = [rung for rung in registry.RUNGS if rung.device == "sycl"]
each_rung = pytest.mark.parametrize(
    "key", [pytest.param(rung.key, marks=pytest.mark.extra(rung.extra)) for rung in RUNGS]
)
EXPECTED = reference.by_rule(TRIANGLE, SHAPE)


def load_or_skip(key):
    """Return a rung's function; skip if it cannot run."""
    rung = registry.get(key)
    if rung.extra == "dpnp" and importlib.util.find_spec("dpnp") is None:
        pytest.skip("the package dpnp is not installed")
    make_mask, error = load(rung)
    if error:
        pytest.skip(str(error))
    return make_mask


@each_rung
@folded("shape", [(1 << 24, 1 << 24), (1 << 62, 1)])
def test_a_mask_beyond_its_memory_is_unavailable_and_the_next_is_right(key, shape):
    make_mask = load_or_skip(key)
    with pytest.raises(contract.Unavailable, match=r"gives up: USM .*: a smaller image") as error:
        make_mask(TRIANGLE, shape)
    assert "\n" not in str(error.value)
    assert_mask(make_mask(TRIANGLE, SHAPE), EXPECTED)


# The pieces, without a device


def event(status):
    """A command's event as in dpctl; a driver's error is a status unknown to dpctl."""

    class Event:
        waited = False

        def wait(self):
            self.waited = True

        @property
        def execution_status(self):
            if status is None:
                raise ValueError("Unknown event status.")
            return SimpleNamespace(name=status)

    return Event()


@pytest.mark.parametrize("status", ["submitted", "running", None])
def test_incomplete_commands_have_failed(status):
    complete = event("complete")
    sycl.finish(complete)
    assert complete.waited
    with pytest.raises(sycl.Failed, match=status or "failed"):
        sycl.finish(event("complete"), event(status))


class Queue:
    """A queue with a barrier that records waiting, or with an error."""

    def __init__(self, barrier):
        self.barrier = barrier

    def submit_barrier(self):
        if isinstance(self.barrier, Exception):
            raise self.barrier
        return self.barrier


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_an_exception_waits_for_commands_before_memory_is_freed(error):
    barrier = event("complete")
    with pytest.raises(error), sycl.recorded({}, Queue(barrier)):
        raise error
    assert barrier.waited
