"""One suite over every rung of the registry: each mask equals the reference, to the bit.

A new rung is tested by its entry in `polymask.rungs.RUNGS` and nothing else. Images are small,
because the rungs in pure Python are among those tested, and not square, because a transposed
mask would pass on a square.
"""

import random
import sys
import threading
import time
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from polymask import contract, reference, rungs, workload

TINY = 5e-324  # the smallest denormal
HUGE = 1.7e308  # the difference of two such numbers is infinite
SQUARE = [(2.0, 2.0), (2.0, 8.0), (8.0, 8.0), (8.0, 2.0)]
TRIANGLE = np.array([(1.0, 2.0), (9.0, 4.0), (3.0, 8.0)])  # not symmetric in x and y
SHAPE = (11, 16)


def assert_mask(mask, expected):
    """`mask` is a mask as the contract describes it, and every byte is as expected."""
    assert type(mask) is np.ndarray
    assert mask.dtype == np.uint8
    assert mask.shape == expected.shape
    assert mask.flags.c_contiguous
    assert mask.flags.writeable
    wrong = np.argwhere(mask != expected)
    assert len(wrong) == 0, f"{len(wrong)} wrong pixels, the first at [y, x] = {wrong[0].tolist()}"


def small_or_larger(rung, small, larger):
    """The image for this rung: pure Python takes a microsecond and more for a pixel's edge."""
    return small if rung.key.startswith("python.") else larger


def rungs_where(condition):
    """Run a test over some rungs only."""
    chosen = [rung for rung in rungs.RUNGS if condition(rung)]
    return pytest.mark.parametrize("rung", chosen, indirect=True, ids=lambda rung: rung.key)


# Named polygons: vertices and the shape of the image.
POLYGONS = {
    "square": (SQUARE, (12, 15)),
    "triangle": (TRIANGLE, SHAPE),
    "wide image": ([(3, 1), (25, 4), (7, 5.5)], (7, 30)),
    "tall image": ([(1, 3), (4, 25), (5.5, 7)], (30, 7)),
    "vertices on the corners of the image": ([(0, 0), (15, 0), (15, 10), (0, 10)], SHAPE),
    "vertices one beyond the last pixels": ([(0, 0), (16, 0), (16, 11), (0, 11)], SHAPE),
    "minus zero is a pixel": ([(-0.0, -0.0), (9, 1), (2, 7)], SHAPE),
    "partly outside, upper left": ([(-6, -5), (8, -2), (5, 7), (-3, 4)], SHAPE),
    "partly outside, lower right": ([(8, 5), (40, 7), (30, 60), (9, 25)], SHAPE),
    "wholly left": ([(-9, 1), (-2, 4), (-5, 9)], SHAPE),
    "wholly right": ([(17, 1), (25, 4), (19, 9)], SHAPE),
    "wholly above": ([(1, -9), (14, -2), (6, -5)], SHAPE),
    "wholly below": ([(1, 12), (14, 30), (6, 15)], SHAPE),
    "all around the image": ([(-5, -5), (40, -6), (41, 30), (-7, 31)], SHAPE),
    "all around, half-integer": ([(-0.5, -0.5), (15.5, -0.5), (15.5, 10.5), (-0.5, 10.5)], SHAPE),
    "repeated vertices": ([(2, 2), (2, 2), (9, 3), (9, 3), (9, 3), (5, 8)], SHAPE),
    "closing vertex": ([(2, 2), (9, 3), (5, 8), (2, 2)], SHAPE),
    "closing vertex twice": ([(2, 2), (9, 3), (5, 8), (2, 2), (2, 2)], SHAPE),
    "one point three times": ([(4, 5), (4, 5), (4, 5)], SHAPE),
    "one point between pixels": ([(4.25, 5.5), (4.25, 5.5), (4.25, 5.5)], SHAPE),
    "the same polygon twice around": ([*SQUARE, *SQUARE], SHAPE),
    "horizontal edges": ([(1, 2), (6, 2), (6, 5), (10, 5), (10, 9), (1, 9)], SHAPE),
    "horizontal edges between rows": ([(1, 2.5), (6, 2.5), (6, 7.5), (1, 7.5)], SHAPE),
    "horizontal line": ([(1, 5), (12, 5), (7, 5)], SHAPE),
    "vertical line": ([(5, 1), (5, 9), (5, 4)], SHAPE),
    "vertical edges between columns": ([(2.5, 1), (9.5, 1), (9.5, 8), (2.5, 8)], SHAPE),
    "comb of vertical edges": ([(x, 9 if x % 2 else 1) for x in range(1, 14)], SHAPE),
    "stairs": ([(1, 1), (4, 1), (4, 4), (8, 4), (8, 8), (12, 8), (12, 10), (1, 10)], SHAPE),
    "figure eight": ([(2, 1), (13, 9), (13, 1), (2, 9)], SHAPE),
    "figure eight, upright": ([(2, 1), (12, 1), (2, 10), (12, 10)], SHAPE),
    "star": ([(7, 0), (12, 10), (0, 4), (14, 4), (2, 10)], SHAPE),
    "star between pixels": ([(7.5, 0.3), (12.1, 10.2), (0.4, 4.4), (14.6, 4.5), (2, 10)], SHAPE),
    "collinear, sloping": ([(1, 1), (4, 4), (9, 9), (6, 6)], SHAPE),
    "collinear, one in three": ([(0, 1), (3, 2), (12, 5), (9, 4)], SHAPE),
    "thin, nearly horizontal": ([(0, 5), (15, 5.000001), (15, 5.000002)], SHAPE),
    "thin, along the diagonal": ([(0, 0), (10, 10), (10.0000001, 10)], SHAPE),
    "thin, on a slope of thirds": ([(0, 0), (15, 5), (15, 5 + 1e-14)], SHAPE),
    "thin, nearly vertical": ([(5, 0), (5.000000001, 10), (5, 10.5)], SHAPE),
    "denormal beside pixel 0": ([(TINY, TINY), (9, 1), (2, 7)], SHAPE),
    "denormal heights": ([(0, TINY), (9, -TINY), (12, 3 * TINY)], SHAPE),
    "denormal edge above row 0": ([(-3, -TINY), (12, 0), (5, 7)], SHAPE),
    "denormal widths": ([(TINY, -1), (-TINY, 9), (3 * TINY, 4)], SHAPE),
    "normal limits": ([(2.3e-308, 2.3e-308), (9, 2.2e-308), (2.2e-308, 7)], SHAPE),
    "neighbours of pixels": (
        [(np.nextafter(3, 0), np.nextafter(2, 9)), (np.nextafter(9, 20), 4), (5, 8)],
        SHAPE,
    ),
    "huge, 1e15": ([(-1e15, -1e15), (1e15, -1e15 + 1), (3, 1e15)], SHAPE),
    "huge, 1e15, in one direction": ([(4, 2), (1e15, 5), (4, 9)], SHAPE),
    "huge, 2**63": ([(-(2.0**63), 3), (2.0**63, 1), (2.0**64, 9)], SHAPE),
    "huge, 1e300": ([(-1e300, -1e300), (1e300, -1e300), (1e300, 1e300), (-1e300, 1e300)], SHAPE),
    "huge, 1e300 wide": ([(-1e300, 2), (1e300, 5), (-1e300, 9)], SHAPE),
    "huge, 1e300 high": ([(2, -1e300), (5, 1e300), (12, -1e300)], SHAPE),
    "huge, all of it": ([(-HUGE, -HUGE), (HUGE, -HUGE), (HUGE, HUGE), (-HUGE, HUGE)], SHAPE),
    "huge, differences overflow": ([(-HUGE, -HUGE), (HUGE, HUGE), (HUGE, -HUGE)], SHAPE),
    "huge, crossing is not a number": ([(HUGE, -HUGE), (-HUGE, HUGE), (5, 3)], SHAPE),
    "huge, odd parity to the left": ([(5, -HUGE), (HUGE, HUGE), (-HUGE, 3)], SHAPE),
    "huge and tiny": ([(TINY, HUGE), (-HUGE, TINY), (7, 3), (1e15, -1e300)], SHAPE),
    "huge and near": ([(3, 2), (HUGE, 6), (4, 9), (-HUGE, 7)], SHAPE),
    "one-pixel image, on a vertex": ([(0, 0), (3, 1), (1, 3)], (1, 1)),
    "one-pixel image, inside": ([(-1, -1), (4, -1), (1, 3)], (1, 1)),
    "one-pixel image, outside": ([(1, 1), (4, 1), (1, 3)], (1, 1)),
    "one row": ([(2, -1), (9, -3), (13, 4), (5, 0)], (1, 17)),
    "one column": ([(-1, 2), (-3, 9), (4, 13), (0, 5)], (17, 1)),
    "two rows": ([(2, 1), (9, -3), (13, 4)], (2, 19)),
    "no pixel": (SQUARE, (0, 0)),
    "no row": (SQUARE, (0, 7)),
    "no column": (SQUARE, (7, 0)),
}


@pytest.mark.parametrize("border_value", [True, False])
@pytest.mark.parametrize("name", POLYGONS)
def test_named_polygons(make_mask, name, border_value):
    vertices, shape = POLYGONS[name]
    expected = reference.by_rule(vertices, shape, border_value)
    assert_mask(make_mask(vertices, shape, border_value), expected)


def random_polygon(r, kind, shape):
    """Draw 3 to 12 vertices in and a little around the image."""
    rows, cols = shape
    draw = {
        "integer": lambda top: r.randint(-2, top + 2),
        "half-integer": lambda top: r.randint(-2, top + 2) + 0.5,
        "real": lambda top: r.uniform(-3, top + 3),
        "mixed": lambda top: r.choice([r.randint(0, top), r.uniform(-top, 2 * top)]),
        "hostile": lambda top: r.choice(
            [r.randint(0, top), -0.0, TINY, -TINY, 0.5, 1e15, -1e15, 1e300, HUGE, -HUGE]
        ),
    }[kind]
    return [(draw(cols), draw(rows)) for _ in range(r.randint(3, 12))]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["integer", "half-integer", "real", "mixed", "hostile"])
def test_random_polygons(rung, make_mask, kind, seed):
    r = random.Random(f"{kind} {seed}")
    for _ in range(3 if rung.key.startswith("python.") else 12):
        shape = r.randint(1, 15), r.randint(1, 20)
        vertices = random_polygon(r, kind, shape)
        border_value = r.random() < 0.5
        expected = reference.by_rule(vertices, shape, border_value)
        assert_mask(make_mask(vertices, shape, border_value), expected)


def test_widths_around_a_vector_register(make_mask):
    """Kernels that take several pixels at a time have a remainder to get wrong."""
    for cols in [*range(1, 20), 31, 32, 33, 63, 64, 65]:
        vertices = [(0.5, -1), (cols - 0.5, 1.25), (cols / 3, 4), (cols + 2, 2)]
        assert_mask(make_mask(vertices, (3, cols)), reference.by_rule(vertices, (3, cols)))


def test_many_vertices(rung, make_mask):
    """More vertices than a kernel could keep in a small fixed array."""
    shape = small_or_larger(rung, (4, 5), (37, 53))
    vertices = workload.polygon(1500, shape, seed=7)
    assert_mask(make_mask(vertices, shape), reference.mask(vertices, shape))


def test_the_workload_on_a_larger_image(rung, make_mask):
    shape = small_or_larger(rung, (20, 30), (301, 257))
    vertices = workload.polygon(24, shape, seed=3)
    for border_value in True, False:
        expected = reference.mask(vertices, shape, border_value)
        assert_mask(make_mask(vertices, shape, border_value), expected)


def test_x_is_the_column_and_y_the_row(make_mask):
    """Wide and flat: a transposed mask would be tall and narrow."""
    mask = make_mask([(0.5, 0.5), (9.5, 0.5), (9.5, 2.5), (0.5, 2.5)], (12, 12))
    assert mask[1, 8] == 1
    assert mask[8, 1] == 0
    assert np.argwhere(mask).max(axis=0).tolist() == [2, 9]


# Facts that hold for the rule, and so for every rung.


@pytest.mark.parametrize("kind", ["integer", "real"])
def test_rotating_the_list_changes_nothing(make_mask, kind):
    vertices = random_polygon(random.Random(5), kind, SHAPE)
    expected = reference.by_rule(vertices, SHAPE, False)
    for k in range(len(vertices)):
        assert_mask(make_mask(vertices[k:] + vertices[:k], SHAPE, False), expected)


@pytest.mark.parametrize("seed", range(3))
def test_reversing_integer_vertices_changes_nothing(make_mask, seed):
    vertices = workload.polygon(9, SHAPE, seed)
    assert_mask(make_mask(vertices[::-1], SHAPE), make_mask(vertices, SHAPE))


def test_repeating_the_first_vertex_changes_nothing(make_mask):
    for vertices in SQUARE, POLYGONS["star"][0]:
        assert_mask(make_mask([*vertices, vertices[0]], SHAPE), make_mask(vertices, SHAPE))


@pytest.mark.parametrize("seed", range(3))
def test_a_partition_covers_every_pixel_once(make_mask, seed):
    """Half-integer triangles around a point fill the image without gap or overlap."""
    rows, cols = 12, 17
    r = random.Random(seed)
    xs = sorted(r.sample(range(cols - 1), 3))
    ys = sorted(r.sample(range(rows - 1), 3))
    left, top, right, bottom = -1, -1, cols - 1, rows - 1
    around = [(left, top), *((x, top) for x in xs), (right, top), *((right, y) for y in ys)]
    around += [(right, bottom), *((x, bottom) for x in reversed(xs))]
    around += [(left, bottom), *((left, y) for y in reversed(ys))]
    centre = r.randrange(cols - 1), r.randrange(rows - 1)
    triangles = [(centre, p, q) for p, q in zip(around, around[1:] + around[:1], strict=True)]
    masks = [make_mask(np.array(triangle) + 0.5, (rows, cols)) for triangle in triangles]
    assert (np.sum(masks, axis=0) == 1).all()


def test_border_value_is_the_value_of_the_vertices_and_of_nothing_else(make_mask):
    ones, zeros = make_mask(TRIANGLE, SHAPE, True), make_mask(TRIANGLE, SHAPE, False)
    assert np.argwhere(ones != zeros)[:, ::-1].tolist() == TRIANGLE.tolist()
    assert all(ones[int(y), int(x)] == 1 for x, y in TRIANGLE)


# What is accepted: each form of the same triangle gives the same mask, and is left as it was.


def misaligned(array):
    """A copy of the array that begins at an odd address."""
    buffer = np.zeros(array.nbytes + 1, np.uint8)
    copy = buffer[1:].view(array.dtype).reshape(array.shape)
    copy[:] = array
    assert not copy.flags.aligned
    return copy


def read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


class ArrayLike:
    """Something that can be made an array, and is none."""

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
    "read-only": read_only(TRIANGLE),
    "read-only, Fortran": read_only(np.asfortranarray(TRIANGLE)),
    "Fortran": np.asfortranarray(TRIANGLE),
    "strided rows": np.repeat(TRIANGLE, 2, axis=0)[::2],
    "strided columns": np.repeat(TRIANGLE, 3, axis=1)[:, ::3],
    "negative strides": TRIANGLE[::-1, ::-1].copy()[::-1, ::-1],
    "view of x, y, z": np.c_[TRIANGLE, np.full(3, np.nan)][:, :2],
    "misaligned": misaligned(TRIANGLE),
    "array-like": ArrayLike(),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted_vertices(make_mask, name):
    vertices = ACCEPTED[name]
    before = np.array(vertices, copy=True)
    assert_mask(make_mask(vertices, SHAPE), reference.by_rule(TRIANGLE, SHAPE))
    assert np.array_equal(np.asarray(vertices), before)


def test_integers_beyond_64_bits(make_mask):
    vertices = [(2, 2), (10**30, 4), (3, 9)]
    expected = reference.by_rule([(2.0, 2.0), (1e30, 4.0), (3.0, 9.0)], SHAPE)
    assert_mask(make_mask(vertices, SHAPE), expected)


@pytest.mark.parametrize(
    "shape",
    [[11, 16], np.array([11, 16]), (np.int32(11), np.uint8(16))],
    ids=["list", "array", "NumPy integers"],
)
def test_accepted_shapes(make_mask, shape):
    assert_mask(make_mask(TRIANGLE, shape), reference.by_rule(TRIANGLE, SHAPE))


@pytest.mark.parametrize("border_value", [1, 2, 256, -1, 0.5, np.True_, np.uint8(7)])
def test_true_border_values_write_one(make_mask, border_value):
    assert_mask(make_mask(TRIANGLE, SHAPE, border_value), reference.by_rule(TRIANGLE, SHAPE, True))


@pytest.mark.parametrize("border_value", [0, 0.0, np.False_])
def test_false_border_values_write_zero(make_mask, border_value):
    assert_mask(make_mask(TRIANGLE, SHAPE, border_value), reference.by_rule(TRIANGLE, SHAPE, False))


def test_border_value_is_true_unless_told(make_mask):
    assert_mask(make_mask(TRIANGLE, SHAPE), reference.by_rule(TRIANGLE, SHAPE, True))


def test_arguments_have_these_names(make_mask):
    mask = make_mask(border_value=False, shape=SHAPE, vertices=TRIANGLE)
    assert_mask(mask, reference.by_rule(TRIANGLE, SHAPE, False))


def test_options_are_keyword_only(make_mask):
    with pytest.raises(TypeError, match="positional"):
        make_mask(TRIANGLE, SHAPE, True, None)


# What is refused: vertices, the error, and what its message must say.


def with_vertex(i, x, y):
    vertices = np.array([*TRIANGLE, *TRIANGLE])
    vertices[i] = x, y
    return vertices


NAN, INF = np.nan, np.inf
BAD_VERTICES = {
    "NaN in x": (with_vertex(1, NAN, 3), ValueError, r"vertex 1 .*\(nan, 3"),
    "NaN in y": (with_vertex(0, 3, NAN), ValueError, r"vertex 0 .*\(3.*nan"),
    "NaN in the last": (with_vertex(5, NAN, NAN), ValueError, "vertex 5 "),
    "infinite": (with_vertex(2, INF, 3), ValueError, r"vertex 2 .*inf"),
    "minus infinite": (with_vertex(3, 3, -INF), ValueError, r"vertex 3 .*-inf"),
    "the first of two": ([(1, 1), (2, 2), (INF, 3), (4, NAN)], ValueError, "vertex 2 "),
    "infinite float32": (with_vertex(4, INF, 0).astype("f4"), ValueError, "vertex 4 "),
    "long double beyond float64": (
        TRIANGLE.astype(np.longdouble) * np.longdouble("1e400"),
        ValueError,
        "vertex 0 |too large",  # where a long double is no longer than a double, it is infinite
    ),
    "integer beyond float64": ([(0, 0), (10**400, 1), (1, 5)], ValueError, "too large"),
    "no vertex": ([], ValueError, r"\(0,\)"),
    "no row": (np.empty((0, 2)), ValueError, r"\(0, 2\)"),
    "one vertex": ([(1, 2)], ValueError, r"3 vertices.*\(1, 2\)"),
    "two vertices": ([(1, 2), (3, 4)], ValueError, r"3 vertices.*\(2, 2\)"),
    "a number": (5.0, ValueError, r"\(N, 2\).*\(\)"),
    "one dimension": (np.arange(6.0), ValueError, r"\(N, 2\).*\(6,\)"),
    "three dimensions": (np.zeros((3, 2, 2)), ValueError, r"\(N, 2\).*\(3, 2, 2\)"),
    "one column": (np.zeros((4, 1)), ValueError, r"\(N, 2\).*\(4, 1\)"),
    "three columns": (np.zeros((4, 3)), ValueError, r"\(N, 2\).*\(4, 3\)"),
    "x and y as rows": (np.zeros((2, 5)), ValueError, r"\(N, 2\).*\(2, 5\)"),
    "rows of unlike length": ([(1, 2), (3, 4, 5), (6, 7)], ValueError, "unlike length"),
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
    "a generator": (((x, x) for x in range(3)), TypeError, "real numbers"),
    "dates": (np.zeros((3, 2), "datetime64[s]"), TypeError, "real numbers"),
    "records": (np.zeros(3, [("x", "f8"), ("y", "f8")]), TypeError, "real numbers"),
}


@pytest.mark.parametrize("name", BAD_VERTICES)
def test_bad_vertices(make_mask, name):
    vertices, error, message = BAD_VERTICES[name]
    before = vertices.copy() if isinstance(vertices, np.ndarray) else None
    with pytest.raises(error, match=message) as raised:
        make_mask(vertices, SHAPE)
    assert "\n" not in str(raised.value)
    if before is not None:
        assert vertices.tobytes() == before.tobytes()  # bytes: a NaN equals nothing


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
}


@pytest.mark.parametrize("name", BAD_SHAPES)
def test_bad_shapes(make_mask, name):
    shape, message = BAD_SHAPES[name]
    with pytest.raises(ValueError, match=message) as raised:
        make_mask(TRIANGLE, shape)
    assert "\n" not in str(raised.value)


def test_a_bad_shape_is_found_for_good_and_bad_vertices_alike(make_mask):
    with pytest.raises((TypeError, ValueError)):
        make_mask([(NAN, 1)] * 3, (-1, 2))


def test_border_value_without_a_truth(make_mask):
    with pytest.raises(ValueError, match="truth value"):
        make_mask(TRIANGLE, SHAPE, np.array([True, False]))


def test_a_good_call_follows_a_bad_one(make_mask):
    with pytest.raises(ValueError, match="not finite"):
        make_mask(with_vertex(1, NAN, 3), SHAPE)
    assert_mask(make_mask(TRIANGLE, SHAPE), reference.by_rule(TRIANGLE, SHAPE))


# No hidden state.


def test_input_is_never_modified(make_mask):
    vertices = np.array([(2.5, -0.0), (TINY, HUGE), (7, 3)])
    before = vertices.tobytes()
    make_mask(vertices, SHAPE, False)
    assert vertices.tobytes() == before


def test_same_answer_twice_and_between_other_polygons(make_mask):
    polygons = [workload.polygon(n, SHAPE, seed=n) for n in (3, 24, 5, 11)]
    shapes = [SHAPE, (5, 9), (13, 4), SHAPE]
    expected = [reference.by_rule(v, s) for v, s in zip(polygons, shapes, strict=True)]
    for i in (0, 0, 1, 0, 2, 3, 1, 3, 3, 0):
        assert_mask(make_mask(polygons[i], shapes[i]), expected[i])


def test_vertices_changed_in_place_give_the_new_mask(make_mask):
    vertices = TRIANGLE.copy()
    make_mask(vertices, SHAPE)
    vertices += 1
    assert_mask(make_mask(vertices, SHAPE), reference.by_rule(vertices, SHAPE))


def test_every_mask_is_a_fresh_array(make_mask):
    expected = reference.by_rule(TRIANGLE, SHAPE)
    first = make_mask(TRIANGLE, SHAPE)
    second = make_mask(TRIANGLE, SHAPE)
    assert not np.shares_memory(first, second)
    first[:] = 9
    assert_mask(second, expected)
    assert_mask(make_mask(TRIANGLE, SHAPE), expected)


@pytest.mark.parametrize(
    ("small", "larger", "rounds"), [((12, 17), (150, 201), 4), ((3, 4), (20, 30), 50)]
)
def test_four_threads_at_once(rung, make_mask, small, larger, rounds):
    """Large images run at the same time, many small ones meet in each other's preparations."""
    shape = small_or_larger(rung, small, larger)
    polygons = [workload.polygon(24, shape, seed) for seed in range(4)]
    expected = [reference.mask(vertices, shape) for vertices in polygons]
    wrong, start = [], threading.Barrier(4)

    def work(i):
        try:
            start.wait()
            for _ in range(rounds):
                assert_mask(make_mask(polygons[i], shape), expected[i])
        except BaseException as error:  # a thread's exception is seen by nobody else
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # as many changes between threads as there can be
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not wrong, wrong[0]


def is_kernel(rung):
    """Whether its pixels are computed in compiled code that holds no Python object."""
    compiled = rung.file.endswith(".pyx") and not rung.key.startswith("cython.")
    return compiled or rung.changes == "device"


@rungs_where(is_kernel)
def test_kernels_release_the_gil(make_mask):
    """Another thread gets on with its work while the pixels are computed."""
    shape, n, seconds = (200, 300), 1000, 0
    while seconds < 0.1:  # as many vertices as keep this rung busy for a while
        n *= 2
        vertices = np.random.default_rng(0).uniform(0, 200, (n, 2))
        begin = time.perf_counter()
        make_mask(vertices, shape)
        seconds = time.perf_counter() - begin
    done, ticks = [], 0
    interval = sys.getswitchinterval()
    sys.setswitchinterval(30)  # a thread that does not release the GIL keeps it to its end
    try:
        thread = threading.Thread(target=lambda: done.append(make_mask(vertices, shape)))
        thread.start()
        while not done:
            time.sleep(0.001)
            ticks += not done
        thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert ticks >= 5


# Options.


GOOD_OPTIONS = {
    "threads": [None, 1, 2, 3, 4],
    "schedule": [None, "static", "dynamic", "guided", "static,3", "dynamic,1", "guided,4"],
    "work_group": [None, (1, 1), (8, 8), (16, 4), (1, 32), (64, 1)],
}
BAD_OPTIONS = {
    "threads": [
        (0, "threads must be 1 to .*got 0"),
        (-2, "threads must be 1 to .*got -2"),
        (100_000, "threads must be 1 to .*got 100000"),  # OpenMP would end the process
        (2**40, "threads must be 1 to"),
    ],
    "schedule": [
        ("fast", "schedule must be static.*'fast'"),
        ("Static", "schedule must be"),
        (",4", "schedule must be"),
        ("dynamic,-1", "schedule must be"),
        ("dynamic,x", "schedule must be"),
        ("dynamic,1,2", "schedule must be"),
        ("static,0", "schedule must be"),
        ("static,99999999999", "schedule must be"),
    ],
    "work_group": [
        ((0, 1), "work-group has 1 to .*0x1|work-group.*1x0"),
        ((1, 0), "work-group has 1 to"),
        ((-1, -1), "work_group must not be negative"),
        ((2**20, 2**20), "work-group has 1 to"),
    ],
}
TEXT_OPTIONS = {
    "threads": ("3", 3),
    "schedule": ("guided,4", "guided,4"),
    "work_group": ("16x4", (16, 4)),
}


@rungs_where(lambda rung: rung.options)
def test_options_of_the_registry_have_values_here_and_are_arguments(rung, make_mask):
    for option, read in rung.options.items():
        assert option in GOOD_OPTIONS
        assert option in BAD_OPTIONS
        text, value = TEXT_OPTIONS[option]
        assert read(text) == value
        assert_mask(
            make_mask(TRIANGLE, SHAPE, **{option: value}), reference.by_rule(TRIANGLE, SHAPE)
        )


@rungs_where(lambda rung: rung.options)
def test_every_value_of_an_option_gives_the_same_mask(rung, make_mask):
    for shape in SHAPE, (37, 53), (1, 1), (0, 3), (64, 64):
        vertices = workload.polygon(9, (40, 50), seed=1)
        expected = reference.mask(vertices, shape, False)
        for option in rung.options:
            for value in GOOD_OPTIONS[option]:
                assert_mask(make_mask(vertices, shape, False, **{option: value}), expected)


@rungs_where(lambda rung: rung.options)
def test_what_lies_beyond_the_image_is_written_nowhere(rung, make_mask):
    """Inside are only pixels far from the left and what lies right of the image and below it.

    Work items there that write all the same write into the left of the next row.
    """
    vertices, shape = [(30, 20), (500, 20), (500, 500), (30, 500)], (37, 53)
    expected = reference.mask(vertices, shape)
    for option in rung.options:
        for value in GOOD_OPTIONS[option]:
            assert_mask(make_mask(vertices, shape, **{option: value}), expected)


@rungs_where(lambda rung: len(rung.options) > 1)
def test_every_pair_of_values_of_options(rung, make_mask):
    expected = reference.mask(TRIANGLE, SHAPE)
    first, second = list(rung.options)[:2]
    for a in GOOD_OPTIONS[first]:
        for b in GOOD_OPTIONS[second]:
            assert_mask(make_mask(TRIANGLE, SHAPE, **{first: a, second: b}), expected)


@rungs_where(lambda rung: rung.options)
def test_bad_values_of_options(rung, make_mask):
    for option in rung.options:
        for value, message in BAD_OPTIONS[option]:
            with pytest.raises(ValueError, match=message) as raised:
                make_mask(TRIANGLE, SHAPE, **{option: value})
            assert "\n" not in str(raised.value)
        assert_mask(make_mask(TRIANGLE, SHAPE), reference.by_rule(TRIANGLE, SHAPE))


@rungs_where(lambda rung: rung.changes == "device")
def test_device_rungs_fill_timings(make_mask):
    timings = {}
    mask = make_mask(TRIANGLE, (64, 96), timings=timings)
    assert timings["kernel_s"] > 0
    assert all(isinstance(seconds, float) and 0 < seconds < 60 for seconds in timings.values())
    assert_mask(mask, reference.mask(TRIANGLE, (64, 96)))


# The checks themselves, where every rung calls them.


@pytest.mark.parametrize("name", ACCEPTED)
def test_check_converts_every_accepted_form(name):
    vertices = contract.check_vertices(ACCEPTED[name])
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


def test_check_does_not_copy_what_is_right_already():
    assert contract.check_vertices(TRIANGLE) is TRIANGLE


def test_unavailable_says_reason_and_remedy():
    error = contract.Unavailable("no device", "buy one")
    assert str(error) == "no device: buy one"
    assert (error.reason, error.what_to_do) == ("no device", "buy one")
    assert str(contract.Unavailable("no device")) == "no device"
