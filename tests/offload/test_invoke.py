"""The arguments that a kernel gets for each kind of value, and values that are refused."""

from pathlib import Path

import numpy as np
import pytest
from cases import folded

from ladder import offload

N = 100


def test_plain_arrays_are_copied_in_and_out_and_waited_for(stream, kernels):
    a = np.arange(float(N))
    stream.invoke(kernels.double_it, a, N)
    np.testing.assert_array_equal(a, 2 * np.arange(N))


def test_a_plain_array_that_comes_twice_is_one(stream, device, source):
    text = """
    PYMIC_KERNEL void both(PYMIC_ARRAY double *a, PYMIC_ARRAY double *b)
    { PYMIC_FOR(i, 1) { a[i] += 1; b[i + 1] += 1; } }
    """
    a = np.zeros(2)
    stream.invoke(device.load_library(source(text)).both, a, a)
    assert a.tolist() == [1, 1]


@folded("order", ["C", "F"])
def test_plain_arrays_of_either_order_keep_it(stream, kernels, order):
    a = np.asarray(np.arange(12.0).reshape(3, 4), order=order)
    stream.invoke(kernels.double_it, a, a.size)
    np.testing.assert_array_equal(a, 2 * np.arange(12).reshape(3, 4))
    stream.invoke(kernels.double_it, np.empty((3, 0), order=order), 0)
    one = np.array(4.0)  # an array without dimensions is no scalar
    stream.invoke(kernels.double_it, one, 1)
    assert one == 8


def test_a_plain_array_that_is_read_only_is_not_copied_out(stream, kernels):
    a, b = np.array([3.0]), np.array([1.0])
    b.flags.writeable = False
    stream.invoke(kernels.add_to, a, 1, b)
    assert a[0] == 4
    stream.invoke(kernels.double_it, b, 1)
    assert b[0] == 1


def test_arrays_that_are_not_contiguous_are_refused(stream, kernels):
    a = np.ones((6, 6))
    for view in (a[:, 1], a[::2], a[1:3, 1:3]):
        with pytest.raises(ValueError, match="not contiguous"):
            stream.invoke(kernels.double_it, view, view.size)
    assert set(a.ravel()) == {1.0}


def test_none_is_a_null_pointer(stream, kernels):
    answers = np.full(3, -1)
    array = np.ones(1)
    for argument, expected in ((None, 1), (array, 0)):
        stream.invoke(kernels.is_null, array, argument, array, answers)
        assert answers.tolist() == [0, expected, 0]
    stream.invoke(kernels.is_null, None, None, None, answers)
    assert answers.tolist() == [1, 1, 1]


@folded(
    ("integer", "real", "complex_", "single", "byte"),
    [
        (-(2**63), 0.1, 1.5 - 2.5j, np.float32(0.1), np.uint8(255)),
        (np.int64(7), np.float64(-1e300), np.complex128(2j), np.float32(-3), np.uint8(0)),
        (np.array(5), np.array(2.5), np.array(1 + 1j), np.array(1, np.float32), np.array(9, "B")),
        (True, 1e-300, 0j, np.float32("inf"), np.True_),
    ],
)
def test_scalars(stream, kernels, integer, real, complex_, single, byte):
    """Python's are int64, float64 and complex128 in C; NumPy's keep their types."""
    integers, reals = stream.zeros(2, np.int64), stream.zeros(4)
    stream.invoke(kernels.tell, integer, real, complex_, single, byte, integers, reals)
    integers.update_host(), reals.update_host()
    stream.sync()
    assert integers.array.tolist() == [int(integer), int(byte)]
    parts = complex(complex_)
    assert reals.array.tolist() == [float(real), parts.real, parts.imag, float(single)]


def test_python_s_integers_beyond_int64_are_uint64(stream, kernels):
    result = np.zeros(1, dtype=np.uint64)
    for value in (0xDEADBEEFABBAABBA, 2**64 - 1, 2**63, 17):
        stream.invoke(kernels.pass_on, value, result)
        assert int(result[0]) == value


@folded(
    "value", [2**64, -(2**63) - 1, [1, 2], (3.0,), "text", b"bytes", {}, ..., np.datetime64(1, "s")]
)
def test_values_other_than_scalars_are_refused(stream, kernels, value):
    with pytest.raises(ValueError, match=r"takes.*None") as raised:
        stream.invoke(kernels.double_it, None, value)
    assert repr(value) in str(raised.value)


def test_scalars_are_taken_as_they_are_at_the_call(stream, kernels, gate):
    gate.close(stream)
    bound = stream.zeros(N)
    by = np.float64(3)
    stream.invoke(kernels.add_to, bound, N, by)
    by += 100
    others = [np.float64(-5) for _ in range(1000)]  # other users of that memory
    gate.open()
    bound.update_host()
    stream.sync()
    assert set(bound.array) == {3.0}
    assert len(others) == 1000


def test_the_host_takes_32_pointers_and_no_more(host, source):
    names = ", ".join(f"const int64_t *x{k}" for k in range(31))
    total = " + ".join(f"{k + 1} * *x{k}" for k in range(31))
    text = f"PYMIC_KERNEL void many({names}, int64_t *sum) {{ *sum = {total}; }}\n"
    stream, many = host.create_stream(), host.load_library(source(text)).many
    result = np.zeros(1, dtype=np.int64)
    stream.invoke(many, *range(31), result)
    assert result[0] == sum((k + 1) * k for k in range(31))
    with pytest.raises(ValueError, match=r"up to 32 arguments.*33"):
        stream.invoke(many, *range(32), result)
    stream.invoke(many, *range(31), result)


def test_a_kernel_of_another_device_is_refused(stream, another, device, kernels):
    loaded = another.load_library(Path(__file__).with_name("kernels.c"))
    with pytest.raises(offload.OffloadError, match=rf"double_it was loaded for .*{another}"):
        stream.invoke(loaded.double_it, None, 0)
    other = another.create_stream()
    a = np.ones(N)
    other.invoke(loaded.double_it, a, N)
    assert set(a) == {2.0}


def test_what_has_been_freed_is_refused(stream, kernels):
    bound = stream.bind(np.ones(N))
    bound.release()
    for use in (
        lambda: stream.invoke(kernels.double_it, bound, N),
        bound.update_host,
        bound.update_device,
        lambda: bound + 1.0,
    ):
        with pytest.raises(offload.OffloadError, match="has been freed"):
            use()


def test_grid_and_block_shape_the_work_or_are_ignored(stream, device, source):
    text = """
    #if defined(__OPENCL_VERSION__)
    #define ITEMS get_global_size(0)
    #elif defined(__CUDACC__)
    #define ITEMS (gridDim.x * blockDim.x)
    #else
    #define ITEMS 1
    #endif
    PYMIC_KERNEL void items(PYMIC_ARRAY int64_t *n) { PYMIC_FOR(i, 1) n[i] = ITEMS; }
    """
    items = device.load_library(source(text)).items
    n = np.zeros(1, dtype=np.int64)
    stream.invoke(items, n, grid=(3,), block=(4,))
    assert n[0] == (1 if device.engine.name == "host" else 12)
