"""A device that runs out of memory or disappears during a mask: reported in one line."""

import functools

import numpy as np
import pytest
from broken_driver import Driver, giving_up
from cases import folded
from every_rung import SHAPE, TRIANGLE, assert_mask

from ladder import offload, registry
from ladder.registry import reference
from polymask import contract

CODES = ["OUT_OF_RESOURCES", "MEM_OBJECT_ALLOCATION_FAILURE", "DEVICE_NOT_AVAILABLE"]
EXPECTED = reference.by_rule(TRIANGLE, SHAPE)


@pytest.fixture(params=["opencl.pixels", "scanline.opencl"])
def rung(request, working):
    """A rung on a device that works."""
    return registry.get(request.param)


@pytest.fixture
def make_mask(rung):
    """Return a function that makes masks on a device, after its first call."""
    function = rung.load()
    assert_mask(function(TRIANGLE, SHAPE), EXPECTED)
    return function


@pytest.fixture
def driver(rung, monkeypatch):
    """Replace one function of the driver."""

    def replace(name, function):
        monkeypatch.setattr(rung.module(), "cl", Driver(**{name: function}))
        if name == "enqueue_nd_range_kernel":  # which ladder.devices calls
            monkeypatch.setattr(f"pyopencl.{name}", function)

    yield replace
    monkeypatch.undo()


@folded("name", ["Buffer", "enqueue_copy", "enqueue_nd_range_kernel"])
@folded("code", CODES)
def test_its_errors_are_unavailable_and_the_next_mask_is_right(
    name, code, make_mask, driver, monkeypatch
):
    driver(name, giving_up(code))
    with pytest.raises(
        contract.Unavailable, match=f"gives up: .*{code}.*: a smaller image"
    ) as error:
        make_mask(TRIANGLE, SHAPE)
    assert "\n" not in str(error.value)
    monkeypatch.undo()
    assert_mask(make_mask(TRIANGLE, SHAPE), EXPECTED)


def test_another_error_is_the_programs_own(make_mask, driver, monkeypatch):
    import pyopencl as cl

    driver("Buffer", lambda context, flags, size: cl.Buffer(context, 7, size))  # all three modes
    with pytest.raises(cl.LogicError):
        make_mask(TRIANGLE, SHAPE)
    monkeypatch.undo()
    assert np.array_equal(make_mask(TRIANGLE, SHAPE), EXPECTED)


# The offload runtime.


@pytest.fixture(params=["offload.copied", "offload.bound", "offload.stream"])
def offload_mask(request, working):
    """Return a function that makes masks on the same device with the offload runtime."""
    names = [device.engine.name for device in offload.devices.values()]
    if "opencl" not in names:
        pytest.skip("POLYMASK_OFFLOAD_DEVICES leaves OpenCL out")
    load = registry.get(request.param).load()
    function = functools.partial(load, device=names.index("opencl"))
    assert_mask(function(TRIANGLE, SHAPE), EXPECTED)
    return function


@folded(
    "names",
    [["Buffer"], ["enqueue_copy"], ["enqueue_nd_range_kernel"],
     ["enqueue_copy", "Buffer"], ["enqueue_nd_range_kernel", "enqueue_marker"]],
)  # fmt: skip
@folded("code", CODES)
def test_the_runtime_reports_it_and_the_next_mask_is_right(names, code, offload_mask, monkeypatch):
    from ladder.offload.engines import opencl as engine

    monkeypatch.setattr(engine, "cl", Driver(**dict.fromkeys(names, giving_up(code))))
    with pytest.raises(contract.Unavailable, match=f"{code}: a smaller image may do") as error:
        offload_mask(TRIANGLE, SHAPE)
    assert isinstance(error.value, offload.OffloadError)
    assert "\n" not in str(error.value)
    monkeypatch.undo()
    for _ in range(2):
        assert_mask(offload_mask(TRIANGLE, SHAPE), EXPECTED)
