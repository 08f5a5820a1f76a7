"""Work that fails: told once, by `sync`, and the stream goes on."""

import numpy as np
import pytest
from cases import folded

from polymask import offload

N = 100
THROWS = """
#include <stdexcept>
#include <string>
PYMIC_KERNEL void throws(const int64_t *number)
{
    throw std::runtime_error("the kernel had enough: " + std::to_string(*number));
}
PYMIC_KERNEL void throws_a_number(void) { throw 42; }
PYMIC_KERNEL void throws_no_text(void) { throw std::runtime_error("caf\\xe9"); }
"""


@pytest.fixture
def fail(device, source, kernels):
    """Return what puts a kernel into a stream that fails, and its error's words."""

    def host(stream):
        stream.invoke(device.load_library(source(THROWS, "throws.cpp")).throws, 7)
        return "a kernel failed: the kernel had enough: 7"

    def device_s(stream):
        stream.invoke(kernels.nothing, grid=(1,), block=(1 << 30,))
        return "the device failed: "

    return host if device.engine.name == "host" else device_s


def usable(stream, kernels):
    a = np.ones(N)
    bound = stream.bind(a)
    stream.invoke(kernels.double_it, bound, N)
    bound.update_host()
    stream.sync()
    return set(a) == {2.0}


def test_sync_tells_a_failure_once_and_the_stream_stays_usable(device, kernels, fail):
    stream = device.create_stream()
    words = fail(stream)
    with pytest.raises(offload.OffloadError, match=words):
        stream.sync()
    stream.sync()
    assert usable(stream, kernels)


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


def test_the_first_of_two_failures_is_told(host, source):
    stream = host.create_stream()
    loaded = host.load_library(source(THROWS, "throws.cpp"))
    for number in (1, 2):
        stream.invoke(loaded.throws, number)
    with pytest.raises(offload.OffloadError, match="enough: 1"):
        stream.sync()
    stream.sync()


def test_what_is_no_exception_of_the_library_s_is_told(host, source):
    stream = host.create_stream()
    stream.invoke(host.load_library(source(THROWS, "throws.cpp")).throws_a_number)
    with pytest.raises(offload.OffloadError, match="it threw"):
        stream.sync()


def test_words_that_are_no_utf8_are_told(host, source):
    stream = host.create_stream()
    stream.invoke(host.load_library(source(THROWS, "throws.cpp")).throws_no_text)
    with pytest.raises(offload.OffloadError, match="failed: caf�"):
        stream.sync()


def test_invoke_with_plain_arrays_tells_it_itself(device, kernels, fail):
    stream = device.create_stream()
    words = fail(stream)
    a = np.ones(N)
    with pytest.raises(offload.OffloadError, match=words):
        stream.invoke(kernels.double_it, a, N)
    assert usable(stream, kernels)


def test_a_failure_is_its_stream_s_alone(device, kernels, fail):
    stream, other = device.create_stream(), device.create_stream()
    fail(stream)
    assert usable(other, kernels)
    with pytest.raises(offload.OffloadError):
        stream.sync()


def test_an_event_behind_a_failure_is_reached(device, fail):
    stream = device.create_stream()
    fail(stream)
    event = stream.record()
    event.wait()
    assert event.done()
    with pytest.raises(offload.OffloadError):
        stream.sync()


def test_a_refused_call_leaves_the_stream_as_it_was(device, kernels):
    stream = device.create_stream()
    bound = stream.bind(np.ones(N))
    with pytest.raises(ValueError, match="scalars"):
        stream.invoke(kernels.double_it, bound, "n")
    stream.sync()
    assert usable(stream, kernels)


@folded("arguments", [(), (1,), (1, 2, 3)])
def test_arguments_that_are_missing_or_too_many(device, stream, kernels, arguments):
    """A C function cannot tell; devices that can, do."""
    if device.engine.name != "opencl":
        pytest.skip(f"a function of the engine {device.engine.name} does not know its parameters")
    with pytest.raises(offload.OffloadError, match=rf"takes 2 arguments, not {len(arguments)}"):
        stream.invoke(kernels.double_it, *arguments)


def test_a_kernel_that_takes_a_scalar_by_value(device, stream, source):
    """The bug of the original's own slide: all parameters are pointers."""
    if device.engine.name != "opencl":
        pytest.skip(f"a function of the engine {device.engine.name} does not know its parameters")
    by_value = device.load_library(source("__kernel void f(int n) { }\n")).f
    with pytest.raises(offload.OffloadError, match=r"f: .*argument 0"):
        stream.invoke(by_value, 3)
    stream.sync()


@pytest.mark.parametrize("thrown", ['std::runtime_error("")', "std::bad_alloc()", "7"])
def test_what_a_kernel_throws_is_told_at_sync(host, source, thrown):
    text = f"#include <new>\n#include <stdexcept>\nPYMIC_KERNEL void fail() {{ throw {thrown}; }}\n"
    stream = host.create_stream()
    stream.invoke(host.load_library(source(text, "kernel.cpp")).fail)
    with pytest.raises(offload.OffloadError, match=r"a kernel failed: \S+"):
        stream.sync()
    stream.sync()
