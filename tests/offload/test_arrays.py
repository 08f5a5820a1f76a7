"""Offload arrays: creation, copies in both directions, filling, reshaping, slices, freeing."""

import numpy as np
import pytest
from cases import folded

from ladder import offload
from ladder.offload import array_kernels

DTYPES = [*array_kernels.TYPES]


def back(bound):
    """Return the content of the device in a new array."""
    result = np.full_like(bound.array, 99)
    if bound.size:
        bound.stream.transfer_device2host(bound.pointer, result.ctypes.data, result.nbytes)
    bound.stream.sync()
    return result


@pytest.fixture(params=DTYPES, ids=str)
def dtype(request):
    return request.param


def numbers(dtype, shape=(3, 4), order="C"):
    a = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    if dtype.kind == "c":
        a -= 2j * a
    return np.asarray(a, order=order)


# Arrays bound to an array on the host


@folded("order", ["C", "F"])
def test_bind_keeps_the_host_s_array_and_tells_of_it(stream, device, dtype, order):
    a = numbers(dtype, order=order)
    bound = stream.bind(a)
    assert isinstance(bound, offload.OffloadArray)
    assert bound.array is a
    assert (bound.shape, bound.dtype, bound.size, bound.ndim) == (a.shape, dtype, 12, 2)
    assert bound.order == order
    assert bound.device is device
    assert bound.stream is stream
    assert len(bound) == 3
    np.testing.assert_array_equal(back(bound), a)


@folded("name", ["int8", "float16", "complex64", "bool", ">f8", "S3", "longdouble"])
def test_arrays_of_other_dtypes_go_to_and_fro_and_cannot_compute(stream, name):
    a = np.zeros(4, dtype=name)
    a[1:] = 1
    bound, expected = stream.bind(a), a.copy()
    stream.sync()
    a[:] = 0
    bound.update_host()
    stream.sync()
    np.testing.assert_array_equal(a, expected)
    with pytest.raises(ValueError, match=r"cannot compute.*uint8.*complex128"):
        bound.zero() if np.dtype(name).kind != "S" else abs(bound)


def test_what_cannot_be_bound(stream):
    for wrong in ([1.0], 3, None, "text"):
        with pytest.raises(ValueError, match=r"numpy\.ndarray.*bound"):
            stream.bind(wrong)
        with pytest.raises(ValueError, match=r"numpy\.ndarray.*copied"):
            stream.copy(wrong)
    a = np.ones((4, 4))
    for view in (a[:, :2], a[::2], a[1:3, 1:3]):
        for make in (stream.bind, stream.copy):
            with pytest.raises(ValueError, match=r"detect.*order"):
                make(view)
    with pytest.raises(ValueError, match="Python objects"):
        stream.bind(np.array([object()]))


def test_a_read_only_array_is_bound_and_not_written(stream):
    a = np.ones(3)
    a.flags.writeable = False
    bound = stream.bind(a)
    result = (bound + 1.0).update_host()
    stream.sync()
    assert set(result.array) == {2.0}
    bound += 4.0
    with pytest.raises(ValueError, match="read-only"):
        bound.update_host()
    stream.sync()
    assert set(a) == {1.0}
    assert set(back(stream.copy(a))) == {1.0}


@folded("shape", [0, (0,), (3, 0), (0, 3)])
def test_empty_arrays(stream, dtype, shape):
    bound = stream.bind(np.empty(shape, dtype=dtype))
    bound.update_device()
    assert bound.update_host() is bound
    same = stream.zeros_like(bound)
    for result in (bound + same, bound * dtype.type(2), abs(bound), bound.fill(dtype.type(1))):
        assert result.size == 0
    bound += same
    assert bound.fillfrom(np.empty(shape, dtype)) is bound
    assert bound.ravel().shape == (0,)
    assert bound.ravel().reverse().shape == (0,)
    bound[:] = dtype.type(3)
    stream.sync()


def test_copy_leaves_the_host_s_array_alone(stream):
    for order in "CF":
        a = np.asarray(np.arange(6.0).reshape(2, 3), order=order)
        bound = stream.copy(a)
        assert bound.order == order
        assert bound.array is not a
        bound.zero().update_host()
        stream.sync()
        assert not bound.array.any()
        assert a.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert set(back(stream.copy(np.ones(3), update_device=False).fill(4.0))) == {4.0}


# Arrays made by a stream


def test_the_makers_and_their_likes(stream, dtype):
    for order in "CF":
        a, form = numbers(dtype, order=order), ((3, 4), dtype, order)
        for made, value in (
            (stream.zeros(*form), 0),
            (stream.ones(*form), 1),
            (stream.bcast(7, *form), 7),
            (stream.empty(*form).fill(dtype.type(9)).update_host(), 9),
            (stream.zeros_like(a), 0),
            (stream.ones_like(stream.bind(a)), 1),
            (stream.bcast_like(7, a), 7),
            (stream.empty_like(stream.bind(a)).fill(dtype.type(9)).update_host(), 9),
        ):
            stream.sync()
            assert (made.shape, made.dtype, made.order) == form
            assert set(made.array.ravel()) == {value} == set(back(made).ravel())


@folded(
    ("value", "dtype"),
    [(300, "u1"), (-1, "u8"), (2**31, "i4"), (2.5, "i8"), (1j, "f8"), ("x", "f8"), (True, "f8")],
)
def test_a_value_that_the_dtype_does_not_have_is_refused(stream, value, dtype):
    with pytest.raises(ValueError, match=r"do not match|out of the range"):
        stream.bcast(value, 3, dtype)


# Filling


@folded(("dtype", "value"), [("u1", 256), ("u1", -1), ("i4", 2**31), ("i8", 2**63), ("u8", -1)])
def test_fill_refuses_numbers_out_of_range(stream, dtype, value):
    with pytest.raises(ValueError, match=f"{value} is out of the range of"):
        stream.zeros(3, dtype).fill(value)
    stream.sync()


def test_fillfrom(stream, dtype):
    for order in "CF":
        bound = stream.zeros((3, 4), dtype, order)
        stream.sync()
        a = numbers(dtype)
        for values in (a, np.asfortranarray(a), np.repeat(a, 2, axis=1)[:, ::2]):
            bound.zero()
            assert bound.fillfrom(values) is bound
            np.testing.assert_array_equal(back(bound), a)
            assert not bound.array.any()


# Other shapes


@folded("order", ["C", "F"])
def test_reshape_and_ravel_share_the_memory_of_both_sides(stream, order):
    a = np.asarray(np.arange(12.0).reshape(3, 4), order=order)
    bound = stream.bind(a)
    for other, shape in (
        (bound.reshape(4, 3), (4, 3)),
        (bound.reshape((2, 6)), (2, 6)),
        (bound.reshape([2, 2, 3]), (2, 2, 3)),
        (bound.reshape(-1), (12,)),
        (bound.reshape(2, -1), (2, 6)),
        (bound.ravel(), (12,)),
    ):
        assert other.shape == other.array.shape == shape
        assert other.base is bound
        assert other.pointer is bound.pointer
        assert np.shares_memory(other.array, a)
        np.testing.assert_array_equal(back(other), a.reshape(shape, order=order))
    other.fill(5.0)
    assert set(back(bound).ravel()) == {5.0}
    del bound
    assert set(back(other)) == {5.0}  # it keeps the memory
    bound = stream.bind(a)
    with pytest.raises(ValueError, match="cannot reshape"):
        bound.reshape(5, 5)


def test_reverse(stream, dtype):
    a = numbers(dtype, (7,))
    result = stream.bind(a).reverse().update_host()
    stream.sync()
    np.testing.assert_array_equal(result.array, a[::-1])
    for shape in ((), (3, 4)):
        with pytest.raises(ValueError, match=r"array.*reversed"):
            stream.zeros(shape, dtype).reverse()
    stream.sync()


# Slices


SLICES = [slice(None), slice(2, 5), slice(None, 3), slice(4, None), slice(-3, -1), slice(3, 3),
          slice(5, 2), slice(2, 100), slice(0, 7, 1)]  # fmt: skip


@folded("where", SLICES)
def test_a_slice_is_assigned(stream, dtype, where):
    for shape in ((7,), (7, 3)):
        a = numbers(dtype, shape)
        part = a[where] + dtype.type(1)
        for value in (dtype.type(9), part, stream.bind(part), np.array(9, dtype)):
            bound, expected = stream.copy(a), a.copy()
            bound[where] = value
            expected[where] = part if getattr(value, "ndim", 0) else 9
            np.testing.assert_array_equal(back(bound), expected)
            np.testing.assert_array_equal(bound.array, a)


@pytest.mark.usefixtures("late_copies")
def test_the_array_of_a_slice_may_change_afterwards(stream, gate):
    bound, value = stream.zeros(4), np.array([1.0, 2.0])
    gate.close(stream)
    bound[1:3] = value
    value[:] = 7
    gate.open()
    assert back(bound).tolist() == [0, 1, 2, 0]


def test_whole_arrays_in_fortran_s_order_are_assigned_and_parts_are_not(stream):
    a = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    bound = stream.zeros((2, 3), order="F")
    for value in (a, np.ascontiguousarray(a), stream.bind(a)):
        bound.zero()
        bound[:] = value
        np.testing.assert_array_equal(back(bound), a)
    with pytest.raises(ValueError, match=r"rows.*ravel"):
        bound[0:1] = 3.0
    with pytest.raises(ValueError, match=r"storage.*same"):
        bound[:] = stream.zeros((2, 3))
    bound.ravel()[2:4] = 9.0
    np.testing.assert_array_equal(back(bound)[:, 1], [9, 9])


@folded(
    ("where", "value", "words"),
    [
        (slice(0, 6, 2), 1.0, "stride 1, not 2"),
        (slice(None, None, -1), 1.0, "stride 1, not -1"),
        (3, 1.0, "only a slice"),
        ((slice(0, 2), 1), 1.0, "only a slice"),
        (slice(0, 3), 1, "data types do not match"),
        (slice(0, 3), np.ones(2), "shapes have to be the same"),
        (slice(0, 3), np.ones(3, np.float32), "data types do not match"),
    ],
)
def test_slices_that_are_refused(stream, where, value, words):
    bound = stream.zeros(6)
    with pytest.raises(ValueError, match=words):
        bound[where] = value
    assert not back(bound).any()


# Read elements


@folded("order", ["C", "F"])
def test_elements_rows_and_slices_are_read_from_the_device(stream, dtype, order):
    a = np.arange(6).astype(dtype)
    bound = stream.bind(np.zeros(6, dtype)).fillfrom(a)  # the host's side has zeros
    for index in (0, 5, -1, -6, np.int64(2), slice(1, 4), slice(-2, None), slice(4, 2)):
        read = bound[index]
        assert type(read) is type(a[index])
        np.testing.assert_array_equal(read, a[index])
    assert list(bound) == list(np.asarray(bound)) == list(a)
    table = np.asarray(a.reshape(2, 3), order=order)
    bound = stream.bind(table)
    np.testing.assert_array_equal(bound[:], table)
    np.testing.assert_array_equal(np.asarray(bound), table)
    if order == "C":
        np.testing.assert_array_equal(bound[1], table[1])
    else:
        with pytest.raises(ValueError, match="Fortran"):
            bound[1]


# The rest


def test_an_array_goes_to_another_stream(stream, device, another, gate):
    bound = stream.bind(np.ones(3))
    stream.sync()
    gate.close(stream)
    other = device.create_stream()
    bound.assign_stream(other)
    bound += 1.0
    bound.update_host()
    other.sync()
    assert set(bound.array) == {2.0}
    with pytest.raises(ValueError, match=f"is not of {device}"):
        bound.assign_stream(another.create_stream())
