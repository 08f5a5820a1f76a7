"""A device that runs out of memory, or goes away, in the middle of a mask: said in one line."""

import functools

import numpy as np
import pytest
from broken_driver import Driver, giving_up
from cases import folded
from every_rung import SHAPE, TRIANGLE, assert_mask

from polymask import contract, offload
from polymask.ladder import reference, registry

CODES = ["OUT_OF_RESOURCES", "MEM_OBJECT_ALLOCATION_FAILURE", "DEVICE_NOT_AVAILABLE"]
EXPECTED = reference.by_rule(TRIANGLE, SHAPE)


@pytest.fixture(params=["opencl.pixels", "scanline.opencl"])
def make_mask(request, working):
    """Masks with a device, which it has made one of."""
    made = registry.get(request.param).load()
    assert_mask(made(TRIANGLE, SHAPE), EXPECTED)
    return made


@pytest.fixture
def driver(monkeypatch):
    """Exchange one function of the driver's."""

    def exchange(name, function):
        from polymask.opencl import pixels

        monkeypatch.setattr(pixels, "cl", Driver(**{name: function}))

    yield exchange
    monkeypatch.undo()


@folded("name", ["Buffer", "enqueue_copy", "enqueue_nd_range_kernel"])
@folded("code", CODES)
def test_what_it_says_is_unavailable_and_the_next_mask_is_right(
    name, code, make_mask, driver, monkeypatch
):
    driver(name, giving_up(code))
    with pytest.raises(
        contract.Unavailable, match=f"gives up: .*{code}.*: a smaller image"
    ) as told:
        make_mask(TRIANGLE, SHAPE)
    assert "\n" not in str(told.value)
    monkeypatch.undo()
    assert_mask(make_mask(TRIANGLE, SHAPE), EXPECTED)


def test_a_buffer_beyond_its_memory(make_mask, driver, monkeypatch):
    """The driver's own answer."""
    import pyopencl as cl

    driver("Buffer", lambda context, flags, size: cl.Buffer(context, flags, size << 45))
    with pytest.raises(contract.Unavailable, match="gives up"):
        make_mask(TRIANGLE, SHAPE)
    monkeypatch.undo()
    assert_mask(make_mask(TRIANGLE, SHAPE), EXPECTED)


def test_another_error_is_the_programs_own(make_mask, driver, monkeypatch):
    import pyopencl as cl

    driver("Buffer", lambda context, flags, size: cl.Buffer(context, 7, size))  # of all three ways
    with pytest.raises(cl.LogicError):
        make_mask(TRIANGLE, SHAPE)
    monkeypatch.undo()
    assert np.array_equal(make_mask(TRIANGLE, SHAPE), EXPECTED)


def test_the_command_says_it_in_a_line(polymask, working, driver):
    import pyopencl as cl

    registry.get("opencl.pixels").load()
    driver("Buffer", lambda context, flags, size: cl.Buffer(context, flags, size << 45))
    code, out, err = polymask("run", "opencl.pixels", "--size", "9")
    assert (code, out) == (1, "")
    assert len(err.splitlines()) == 1
    assert "gives up" in err


# The offload runtime.


@pytest.fixture(params=["offload.copy", "offload.bound", "offload.stream"])
def offloaded(request, working):
    """Masks with the same device through the offload runtime, which has made one."""
    names = [one.engine.name for one in offload.devices.values()]
    if "opencl" not in names:
        pytest.skip("POLYMASK_OFFLOAD_DEVICES leaves OpenCL out")
    load = registry.get(request.param).load()
    made = functools.partial(load, device=names.index("opencl"))
    assert_mask(made(TRIANGLE, SHAPE), EXPECTED)
    return made


@folded(
    "names",
    [["Buffer"], ["enqueue_copy"], ["enqueue_nd_range_kernel"],
     ["enqueue_copy", "Buffer"], ["enqueue_nd_range_kernel", "enqueue_marker"]],
)  # fmt: skip
@folded("code", CODES)
def test_the_runtime_says_so_and_the_next_mask_is_right(names, code, offloaded, monkeypatch):
    from polymask.offload.engines import opencl as engine

    monkeypatch.setattr(engine, "cl", Driver(**dict.fromkeys(names, giving_up(code))))
    with pytest.raises(contract.Unavailable, match=f"{code}: a smaller image may do") as told:
        offloaded(TRIANGLE, SHAPE)
    assert isinstance(told.value, offload.OffloadError)
    assert "\n" not in str(told.value)
    monkeypatch.undo()
    for _ in range(2):
        assert_mask(offloaded(TRIANGLE, SHAPE), EXPECTED)


def test_the_runtime_tells_another_error_as_its_own(offloaded, monkeypatch):
    from polymask.offload.engines import opencl as engine

    monkeypatch.setattr(
        engine, "cl", Driver(enqueue_nd_range_kernel=giving_up("INVALID_KERNEL_ARGS"))
    )
    with pytest.raises(offload.OffloadError, match=r"INVALID_KERNEL_ARGS$") as told:
        offloaded(TRIANGLE, SHAPE)
    assert not isinstance(told.value, contract.Unavailable)
    monkeypatch.undo()
    assert_mask(offloaded(TRIANGLE, SHAPE), EXPECTED)
