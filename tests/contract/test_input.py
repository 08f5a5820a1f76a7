"""Every rung: accepted and rejected input, and the error messages."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from cases import case
from every_rung import SHAPE, TRIANGLE, assert_mask, rungs_where
from polygons import read_only, unaligned

from ladder.registry import reference
from polymask import contract

# Accepted: all forms of the same triangle give the same mask and stay unchanged.


class ArrayLike:
    """An object that NumPy can convert to an array."""

    def __array__(self, dtype=None, copy=None):
        return TRIANGLE.astype(dtype or np.float64)


ACCEPTED = {
    "list of lists": TRIANGLE.tolist(),
    "tuple of tuples": tuple(map(tuple, TRIANGLE.tolist())),
    "list of arrays": list(TRIANGLE),
    "integers": TRIANGLE.astype(int).tolist(),
    "int64": TRIANGLE.astype(np.int64),
    "int8": TRIANGLE.astype(np.int8),
    "uint16": TRIANGLE.astype(np.uint16),
    "float16": TRIANGLE.astype(np.float16),
    "float32": TRIANGLE.astype(np.float32),
    "long double": TRIANGLE.astype(np.longdouble),
    "big-endian": TRIANGLE.astype(">f8"),
    "objects": TRIANGLE.astype(object),
    "fractions": [[Fraction(x), Fraction(y)] for x, y in TRIANGLE.astype(int).tolist()],
    "read-only": read_only(TRIANGLE.copy()),
    "read-only, Fortran": read_only(np.asfortranarray(TRIANGLE)),
    "Fortran": np.asfortranarray(TRIANGLE),
    "strided rows": np.repeat(TRIANGLE, 2, axis=0)[::2],
    "strided columns": np.repeat(TRIANGLE, 3, axis=1)[:, ::3],
    "negative strides": TRIANGLE[::-1, ::-1].copy()[::-1, ::-1],
    "view of x, y, z": np.c_[TRIANGLE, np.full(3, np.nan)][:, :2],
    "unaligned": unaligned(TRIANGLE),
    "array-like": ArrayLike(),
    "masked array, no element masked": np.ma.masked_array(TRIANGLE, mask=False),
    "OpenCV contour": TRIANGLE[:, np.newaxis].astype(np.int32),
    "flat list": TRIANGLE.ravel().tolist(),
    "flat list in a list": [TRIANGLE.ravel().tolist()],
    "flat array of float32": TRIANGLE.ravel().astype(np.float32),
    "flat array, strided": np.repeat(TRIANGLE.ravel(), 2)[::2],
}


EXPECTED = {border: reference.by_rule(TRIANGLE, SHAPE, border) for border in (True, False)}


def test_accepted_vertices(make_mask):
    for name, vertices in ACCEPTED.items():
        before = np.array(vertices, copy=True)
        with case(name):
            assert_mask(make_mask(vertices, SHAPE), EXPECTED[True])
            assert np.array_equal(np.asarray(vertices), before)


def test_integers_beyond_64_bits(make_mask):
    vertices = [(2, 2), (10**30, 4), (3, 9)]
    expected = reference.by_rule([(2.0, 2.0), (1e30, 4.0), (3.0, 9.0)], SHAPE)
    assert_mask(make_mask(vertices, SHAPE), expected)


def test_accepted_shapes(make_mask):
    for shape in [11, 16], np.array([11, 16]), (np.int32(11), np.uint8(16)):
        assert_mask(make_mask(TRIANGLE, shape), EXPECTED[True])


def test_border_values_are_true_or_false(make_mask):
    for value in 1, 2, 256, -1, 0.5, np.True_, np.uint8(7), 0, 0.0, np.False_:
        with case(repr(value)):
            assert_mask(make_mask(TRIANGLE, SHAPE, value), EXPECTED[bool(value)])


def test_border_value_none_is_rejected(make_mask):
    with pytest.raises(ValueError, match=r"polygon_mask.*None"):
        make_mask(TRIANGLE, SHAPE, None)


def test_names_and_number_of_arguments(make_mask):
    assert_mask(make_mask(TRIANGLE, SHAPE), EXPECTED[True])
    assert_mask(make_mask(border_value=False, shape=SHAPE, vertices=TRIANGLE), EXPECTED[False])
    with pytest.raises(TypeError, match="positional"):
        make_mask(TRIANGLE, SHAPE, True, None)


# Rejected: vertices, the error, and a pattern of its message.


def with_vertex(i, x, y):
    vertices = np.array([*TRIANGLE, *TRIANGLE])
    vertices[i] = x, y
    return vertices


NAN, INF = np.nan, np.inf
ENDLESS = []
ENDLESS.append(ENDLESS)
BAD_VERTICES = {
    "NaN in x": (with_vertex(1, NAN, 3), ValueError, r"vertex 1 .*\(nan, 3"),
    "NaN in y": (with_vertex(0, 3, NAN), ValueError, r"vertex 0 .*\(3.*nan"),
    "NaN in the last": (with_vertex(5, NAN, NAN), ValueError, "vertex 5 "),
    "infinite": (with_vertex(2, INF, 3), ValueError, r"vertex 2 .*inf"),
    "minus infinite": (with_vertex(3, 3, -INF), ValueError, r"vertex 3 .*-inf"),
    "first of two bad vertices": ([(1, 1), (2, 2), (INF, 3), (4, NAN)], ValueError, "vertex 2 "),
    "infinite float32": (with_vertex(4, INF, 0).astype("f4"), ValueError, "vertex 4 "),
    "long double beyond float64": (
        TRIANGLE.astype(np.longdouble) * np.longdouble("1e400"),
        ValueError,
        "vertex 0 |too large",  # infinite where long double is as short as double
    ),
    "integer beyond float64": ([(0, 0), (10**400, 1), (1, 5)], ValueError, "too large"),
    "no vertex": ([], ValueError, r"\(0,\)"),
    "no row": (np.empty((0, 2)), ValueError, r"\(0, 2\)"),
    "one vertex": ([(1, 2)], ValueError, r"3 vertices.*\(1, 2\)"),
    "two vertices": ([(1, 2), (3, 4)], ValueError, r"3 vertices.*\(2, 2\)"),
    "a number": (5.0, ValueError, r"\(N, 2\).*\(\)"),
    "one dimension": (np.arange(5.0), ValueError, r"\(N, 2\).*\(5,\)"),
    "three dimensions": (np.zeros((3, 2, 2)), ValueError, r"\(N, 2\).*\(3, 2, 2\)"),
    "one column": (np.zeros((4, 1)), ValueError, r"\(N, 2\).*\(4, 1\)"),
    "three columns": (np.zeros((4, 3)), ValueError, r"\(N, 2\).*\(4, 3\)"),
    "x and y as rows": (np.zeros((2, 5)), ValueError, r"\(N, 2\).*\(2, 5\)"),
    "rows of unlike length": ([(1, 2), (3, 4, 5), (6, 7)], ValueError, "different lengths"),
    "complex": (TRIANGLE + 0j, TypeError, "real numbers.*complex"),
    "strings of digits": ([("1", "2"), ("3", "4"), ("5", "1")], TypeError, "real numbers"),
    "a string": ("polygon", TypeError, "real numbers"),
    "bytes": ([(b"1", b"2")] * 3, TypeError, "real numbers"),
    "None": (None, TypeError, "real numbers"),
    "None in a row": ([(1, 2), (None, 4), (5, 1)], TypeError, "real numbers"),
    "booleans": (TRIANGLE > 3, TypeError, "real numbers.*bool"),
    "objects": ([(object(), 1)] * 3, TypeError, "real numbers"),
    "decimals": ([(Decimal(1), Decimal(2))] * 3, TypeError, "real numbers"),
    "a dict": ({(1, 2): 3}, TypeError, "real numbers"),
    "a generator": (((x, x) for x in range(3)), TypeError, "real numbers.*got generator"),
    "a set": ({(1, 2), (3, 4), (5, 1)}, TypeError, "real numbers.*got set"),
    "dates": (np.zeros((3, 2), "datetime64[s]"), TypeError, "real numbers"),
    "masked": (np.ma.masked_equal(TRIANGLE, TRIANGLE[1, 1]), ValueError, "part of vertices"),
    "rows that are masked": ([*np.ma.masked_equal(TRIANGLE, 4)], ValueError, "part of vertices"),
    "flat, four numbers": ([1, 2, 3, 4], ValueError, r"got \(4,\); a flat .*, at least 6$"),
    "flat, five numbers": ([1, 2, 3, 4, 5], ValueError, r"\(5,\); .* even number.* at least 6$"),
    "flat, seven numbers": (np.arange(7), ValueError, r"got \(7,\); .* even number.* at least 6$"),
    "flat, with a NaN": ([1, 2, 3, 4, 5, NAN], ValueError, r"vertex 2 .*\(5.0, nan\)"),
    "flat, of bool": ([True] * 6, TypeError, "real numbers.*bool"),
    "flat rings": (
        [[1, 2, 3, 4, 5, 1], [1, 2, 3, 4, 5, 1, 9, 9]],
        ValueError,
        "different lengths.*reshape",
    ),
    "flat rings of one length": (np.ones((3, 6)), ValueError, r"\(3, 6\); COCO takes .*reshape"),
    "two flat rings": (np.ones((2, 6)), ValueError, r"\(2, 6\); .*np.transpose; COCO takes"),
    "six flat rings of six numbers": (np.ones((6, 6)), ValueError, r"\(6, 6\); COCO takes"),
    "buffer of bytes": (bytearray(b"points"), TypeError, "real numbers.*got bytearray"),
    "list of buffers": ([memoryview(b"points")], TypeError, "real numbers.*got memoryview"),
    "None among rows": ([(1, 2), None, (5, 1)], TypeError, "real numbers, got None at 1"),
    "list that contains itself": (ENDLESS, ValueError, r"\(N, 2\)"),
    "fifty lists": (eval("[" * 50 + "]" * 50), ValueError, "50 dimensions"),
    "records": (np.zeros(3, [("x", "f8"), ("y", "f8")]), TypeError, "real numbers"),
}


def test_bad_vertices(make_mask):
    for name, (vertices, error, message) in BAD_VERTICES.items():
        before = vertices.copy() if isinstance(vertices, np.ndarray) else None
        with case(name):
            with pytest.raises(error, match=message) as raised:
                make_mask(vertices, SHAPE)
            assert "\n" not in str(raised.value)
            if before is not None:
                assert vertices.tobytes() == before.tobytes()  # bytes: a NaN does not equal itself


BAD_SHAPES = {
    "one integer": (5, "two integers.*5"),
    "one length": ((5,), "two integers"),
    "no length": ((), "two integers"),
    "three lengths": ((5, 6, 7), r"two integers.*\(5, 6, 7\)"),
    "floats": ((5.0, 6.0), "two integers"),
    "one float": ((5, 6.5), "two integers"),
    "NaN": ((5, NAN), "two integers"),
    "array of floats": (np.array([5.0, 6.0]), "two integers"),
    "strings": (("5", "6"), "two integers"),
    "a string": ("56", "two integers"),
    "None": (None, "two integers"),
    "None inside": ((None, 6), "two integers"),
    "an image": (np.zeros((200, 300)), r"two integers.*shape \(200, 300\); pass its shape"),
    "nested": (((5, 6), 7), "two integers"),
    "negative rows": ((-1, 6), r"must not be negative.*\(-1, 6\)"),
    "negative columns": ((5, -6), "must not be negative"),
    "negative, product positive": ((-5, -6), "must not be negative"),
    "negative and zero": ((0, -6), "must not be negative"),
    "beyond the address space": ((2**32, 2**32), "address space"),
    "wraps to a small product": ((2**32, 2**32 + 1), "address space"),
    "one length beyond": ((2**63, 1), "address space"),
    "one length beyond, the other zero": ((0, 2**63), "address space"),
    "enormous": ((10**30, 10**30), "address space"),
    "beyond what Python prints": ((10**5000, 1), "an integer of 16610 bits.*address space"),
}


def test_bad_shapes(make_mask):
    for name, (shape, message) in BAD_SHAPES.items():
        with case(name):
            with pytest.raises(ValueError, match=message) as raised:
                make_mask(TRIANGLE, shape)
            assert "\n" not in str(raised.value)


def test_bad_border_values(make_mask):
    for value in np.array([True]), np.array([True, False]), "no", "", []:
        with case(repr(value)):
            with pytest.raises(ValueError, match=r"border_value .* got ") as raised:
                make_mask(TRIANGLE, SHAPE, value)
            assert "\n" not in str(raised.value)


@pytest.mark.usefixtures("make_mask")
@rungs_where(lambda rung: "cdef class Polygon" in rung.source())
@pytest.mark.parametrize(
    "bad", [[(1.0,), (2.0,), (3.0,)], [(1, 2), (3, 4)], [(1, 2), (np.nan, 4), (5, 6)]]
)
def test_classes_that_store_vertices_check_them(rung, bad):
    """Compiled code reads two numbers per vertex, however an object was made."""
    with pytest.raises(ValueError, match="vert"):
        rung.module().Polygon(bad)


# The checks that every rung calls.


def test_check_converts_every_accepted_form():
    for name, form in ACCEPTED.items():
        with case(name):
            vertices = contract.check_vertices(form)
            assert type(vertices) is np.ndarray
            assert vertices.dtype == np.float64
            assert vertices.dtype.isnative
            assert vertices.flags.c_contiguous
            assert vertices.flags.aligned
            assert vertices.tolist() == TRIANGLE.tolist()


def test_check_returns_plain_integers_and_a_bool():
    _, shape, border_value = contract.check(TRIANGLE, [np.int8(3), 4], 2)
    assert shape == (3, 4)
    assert [type(length) for length in shape] == [int, int]
    assert border_value is True


def test_check_does_not_copy_valid_arrays():
    assert contract.check_vertices(TRIANGLE) is TRIANGLE
