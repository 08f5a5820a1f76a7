"""Operators of offload arrays, compared with NumPy's: every dtype, every kind of operand."""

import operator
import warnings

import numpy as np
import pytest
from cases import folded

from ladder import offload
from ladder.offload import array_kernels

OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow]
IN_PLACE = [operator.iadd, operator.isub, operator.imul, operator.itruediv]


@pytest.fixture(params=[*array_kernels.TYPES], ids=str)
def dtype(request):
    return request.param


def pair(dtype, shape=(5, 7), order="C"):
    """Return bases and small exponents, with both signs if the dtype has a sign."""
    rng = np.random.default_rng(7)
    if dtype.kind == "c":
        a, b = rng.normal(size=(2, *shape)) + 1j * rng.normal(size=(2, *shape))
    elif dtype.kind == "f":
        a, b = rng.uniform(0.1, 3, size=(2, *shape))
    else:
        low = 0 if dtype.kind == "u" else -9
        a, b = rng.integers(low, 10, shape), rng.integers(0, 6, shape)
    return np.asarray(a.astype(dtype), order=order), np.asarray(b.astype(dtype), order=order)


def check(result, expected, exact):
    result.update_host()
    result.stream.sync()
    assert result.shape == expected.shape
    assert result.dtype == expected.dtype
    if exact:
        np.testing.assert_array_equal(result.array, expected)
    else:
        digits = 1e-5 if expected.dtype == np.float32 else 1e-13
        np.testing.assert_allclose(result.array, expected, rtol=digits)


def is_exact(op, dtype):
    """Sums and products equal NumPy's to the bit, powers and complex products up to rounding.

    OpenCL rounds quotients of float32 in its own way.
    """
    if dtype.kind in "iu":
        return True
    if op is operator.truediv:
        return dtype == np.float64
    return op is not operator.pow and not (dtype.kind == "c" and op is operator.mul)


@folded("op", OPERATORS)
@folded("order", ["C", "F"])
def test_binary(stream, dtype, op, order):
    a, b = pair(dtype, order=order)
    x, exact = stream.bind(a), is_exact(op, dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # small integers may overflow, in NumPy and here
        whole, by_scalar = op(a, b), op(a, b[2, 3])
    for other in (stream.bind(b), b, np.repeat(b, 2, axis=1)[:, ::2]):
        result = op(x, other)
        assert isinstance(result, offload.OffloadArray)
        assert result.order == order
        check(result, whole, exact)
    for scalar in (b[2, 3], b[2, 3].item(), np.array(b[2, 3])):
        check(op(x, scalar), by_scalar, exact)
    x.update_host()
    stream.sync()
    np.testing.assert_array_equal(a, pair(dtype)[0])


@folded("op", IN_PLACE)
def test_in_place(stream, dtype, op):
    if op is operator.itruediv and dtype.kind in "iu":
        return  # see the next test
    a, b = pair(dtype)
    for other in (b, b[2, 3], b[2, 3].item()):
        x, expected = stream.copy(a), op(a.copy(), other)
        same = op(x, other)
        assert same is x
        check(x, expected, is_exact(getattr(operator, op.__name__[1:]), dtype))
    x, expected = stream.copy(a), op(a.copy(), b)
    check(op(x, stream.bind(b)), expected, is_exact(getattr(operator, op.__name__[1:]), dtype))
    x = stream.copy(a)
    check(op(x, x), op(a.copy(), a), is_exact(getattr(operator, op.__name__[1:]), dtype))


@folded("name", ["int32", "uint8"])
def test_quotients_of_integers_do_not_fit_in_place(stream, name):
    x = stream.ones(3, dtype=name)
    with pytest.raises(TypeError, match="float64"):
        x /= x
    check(x / 2, np.full(3, 0.5), exact=True)
    check(x, np.ones(3, dtype=name), exact=True)


@folded("op", OPERATORS)
def test_on_the_right(stream, dtype, op):
    a, b = pair(dtype)
    y, exact = stream.bind(b), is_exact(op, dtype)
    with np.errstate(divide="ignore", invalid="ignore"):
        array, scalar = op(a, b), op(a[1, 1], b)
    check(op(a, y), array, exact)
    for left in (a[1, 1], a[1, 1].item()):
        check(op(left, y), scalar, exact)


def test_negative_and_absolute_values(stream, dtype):
    a = pair(dtype)[0]
    a[0, :2] = [0, 0 if dtype.kind == "u" else -5]
    x = stream.bind(a)
    check(-x, -a, exact=True)
    assert abs(x).dtype == (np.float64 if dtype.kind == "c" else dtype)
    check(abs(x), abs(a), exact=dtype.kind != "c")


def test_complex_quotients_and_powers_at_the_edge(stream):
    a = np.array([1 + 2j, 0, 1e300 + 1e300j, 1, 5e-324])
    b = np.array([0, 0, 1e300 + 1e300j, np.inf, 1e300j])
    with np.errstate(all="ignore"):
        check(stream.bind(a) / b, a / b, exact=False)
    zeros, powers = np.zeros(3, dtype=complex), np.array([0, 2, 1 + 1j])
    check(stream.bind(zeros) ** powers, np.array([1, 0, 0j]), exact=True)


@folded("dtype", [np.float32, np.float64])
def test_floating_numbers_at_the_edge(stream, dtype):
    special = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan]
    a = np.repeat(np.array(special, dtype), len(special))
    b = np.tile(np.array(special, dtype), len(special))
    x, y = stream.bind(a), stream.bind(b)
    with np.errstate(all="ignore"):
        for op in OPERATORS:
            check(op(x, y), op(a, b), exact=op not in (operator.pow, operator.truediv))
    check(abs(x), abs(a), exact=True)


@folded("name", ["int32", "int64", "uint8", "uint64"])
def test_integers_wrap_as_numpy_s(stream, name):
    limits = np.iinfo(name)
    a = np.array([limits.min, limits.max, limits.max, limits.min, 3], dtype=name)
    b = np.array([1, 1, limits.max, limits.max, 41], dtype=name)
    x, y = stream.bind(a), stream.bind(b)
    for op in (operator.add, operator.sub, operator.mul):
        check(op(x, y), op(a, b), exact=True)
    powers = np.array([0, 2, 3, 63, 41], dtype=name)
    check(x ** stream.bind(powers), a**powers, exact=True)


def test_an_integer_to_a_negative_power(stream):
    """NumPy refuses, but a device cannot: 1 and -1 have an inverse, others become 0."""
    a = stream.bind(np.array([1, -1, -1, 2, 0], dtype=np.int64))
    result = a ** np.array([-3, -3, -2, -1, -1], dtype=np.int64)
    check(result, np.array([1, -1, 1, 0, 0]), exact=True)


# Refused operands


@folded("op", OPERATORS + IN_PLACE)
def test_operands_of_another_shape_or_type_are_refused(stream, op):
    x = stream.ones((2, 3))
    for wrong in (np.ones((3, 2)), np.ones(3), np.ones((1, 3)), stream.ones(6)):
        with pytest.raises(ValueError, match=r"shapes.*same"):
            op(x, wrong)
    others = np.ones((2, 3), np.float32), stream.ones((2, 3), np.int64)
    for wrong in (*others, 1, 1j, True, np.float32(1), None, [1.0, 2.0]):
        with pytest.raises(ValueError, match=r"data.*match"):
            op(x, wrong)
    with pytest.raises(ValueError, match=r"storage.*same"):
        op(x, stream.ones((2, 3), order="F"))
    stream.sync()
