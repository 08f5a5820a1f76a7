"""Work that fails: `sync` reports it once, and the stream continues."""

import numpy as np
import pytest

from ladder import offload

N = 100
THROWS = """
#include <new>
#include <stdexcept>
#include <string>
PYMIC_KERNEL void throws(const int64_t *number)
{{
    {0};
}}
"""
NUMBERED = 'throw std::runtime_error("the kernel had enough: " + std::to_string(*number))'


@pytest.fixture
def throwing(host, source):
    """Return a function that makes a host kernel that throws a given expression."""
    return lambda thrown: host.load_library(source(THROWS.format(thrown), "throws.cpp")).throws


@pytest.fixture
def fail(device, throwing, kernels):
    """Return a function that puts a failing kernel into a stream and returns its error message."""

    def host(stream):
        stream.invoke(throwing(NUMBERED), 7)
        return "a kernel failed: the kernel had enough: 7"

    def device_s(stream):
        stream.invoke(kernels.nothing, grid=(1,), block=(1 << 30,))
        return "the device failed: "

    return host if device.engine.name == "host" else device_s


def test_sync_tells_a_failure_once_and_the_stream_stays_usable(device, fail, doubles):
    stream = device.create_stream()
    words = fail(stream)
    with pytest.raises(offload.OffloadError, match=words):
        stream.sync()
    stream.sync()
    assert doubles(stream)


def test_what_comes_after_a_failure_runs(device, kernels, fail):
    stream = device.create_stream()
    a = np.ones(N)
    bound = stream.bind(a)
    fail(stream)
    stream.invoke(kernels.double_it, bound, N)
    bound.update_host()
    with pytest.raises(offload.OffloadError):
        stream.sync()
    assert set(a) == {2.0}


def test_the_first_of_two_failures_is_reported(host, throwing):
    stream, kernel = host.create_stream(), throwing(NUMBERED)
    for number in (1, 2):
        stream.invoke(kernel, number)
    with pytest.raises(offload.OffloadError, match="enough: 1"):
        stream.sync()
    stream.sync()


@pytest.mark.parametrize(
    ("thrown", "message"),
    [
        ("42", "it threw"),
        ('std::runtime_error("caf\\xe9")', "caf\ufffd"),
        ("std::bad_alloc()", r"\S+"),
    ],
)
def test_errors_of_a_kernel_are_raised_at_sync(host, throwing, thrown, message):
    stream = host.create_stream()
    stream.invoke(throwing(f"throw {thrown}"), 7)
    with pytest.raises(offload.OffloadError, match=f"a kernel failed: {message}"):
        stream.sync()
    stream.sync()
    stream.deallocate_device_memory(stream.allocate_device_memory(100))


def test_an_event_behind_a_failure_is_reached(device, fail):
    stream = device.create_stream()
    fail(stream)
    event = stream.record()
    event.wait()
    assert event.done()
    with pytest.raises(offload.OffloadError):
        stream.sync()


def test_wrong_parameters_are_refused_if_the_device_lists_them(device, stream, kernels, source):
    """A C function cannot detect them."""
    if device.engine.name != "opencl":
        pytest.skip(f"a function of the engine {device.engine.name} does not know its parameters")
    with pytest.raises(ValueError, match=r"takes 2 arguments, not 3"):
        stream.invoke(kernels.double_it, 1, 2, 3)
    by_value = device.load_library(source("__kernel void f(int n) { }\n")).f
    with pytest.raises(offload.OffloadError, match=r"f: .*argument 0"):
        stream.invoke(by_value, 3)
    stream.sync()
