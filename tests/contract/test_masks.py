"""Every rung of the registry: each mask equals the reference, bit for bit.

An entry in the registry is enough for a new rung to be tested. Images are small because the rungs
in pure Python are tested too, and not square because a transposed mask would pass on a square.
"""

import faulthandler
import functools
import random

import numpy as np
import pytest
from cases import case
from every_rung import HUGE, SHAPE, SQUARE, TINY, TRIANGLE, assert_mask, small_or_larger

from ladder import registry
from ladder.registry import reference, workload

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


# The expected masks are computed once for all rungs.
by_rule = functools.cache(
    lambda name, border_value: reference.by_rule(*POLYGONS[name], border_value)
)


def test_named_polygons(make_mask):
    for name, (vertices, shape) in POLYGONS.items():
        for border_value in True, False:
            with case(f"{name}, border_value={border_value}"):
                assert_mask(make_mask(vertices, shape, border_value), by_rule(name, border_value))


def random_polygon(r, kind, shape):
    """Draw 3 to 12 vertices in and near the image."""
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


KINDS = ["integer", "half-integer", "real", "mixed", "hostile"]


@functools.cache
def random_cases():
    """Draw 48 polygons of each kind; return the arguments and the mask of each."""
    cases = []
    for kind in KINDS:
        r = random.Random(kind)
        for _ in range(48):
            shape = r.randint(1, 15), r.randint(1, 20)
            arguments = random_polygon(r, kind, shape), shape, r.random() < 0.5
            cases.append((arguments, reference.by_rule(*arguments)))
    return cases


def test_random_polygons(rung, make_mask):
    for arguments, expected in random_cases()[:: 4 if rung.interpreted else 1]:
        with case(f"make_mask{arguments}"):
            assert_mask(make_mask(*arguments), expected)


def test_widths_around_a_vector_register(make_mask):
    """Kernels that process several pixels at a time may mishandle the remainder."""
    for cols in [*range(1, 20), 31, 32, 33, 63, 64, 65]:
        vertices = [(0.5, -1), (cols - 0.5, 1.25), (cols / 3, 4), (cols + 2, 2)]
        assert_mask(make_mask(vertices, (3, cols)), reference.by_rule(vertices, (3, cols)))


def test_many_vertices(rung, make_mask):
    """More vertices than fit into a small fixed array of a kernel."""
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


@pytest.fixture
def time_limit(capfd):
    """Print a traceback and end the process if a rung loops over pixels for days."""
    with capfd.disabled():  # else pytest would capture the traceback
        faulthandler.dump_traceback_later(120, exit=True)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()


@pytest.mark.usefixtures("time_limit")
def test_a_mask_beyond_all_memory_is_a_memory_error(rung, make_mask):
    """It is raised before any computation; the runtime of a device may raise its own error."""
    errors = (MemoryError, registry.Unavailable, ValueError) if rung.device else MemoryError
    for shape in (2**30, 2**30), (3, 2**58), (2**58, 3):
        with pytest.raises(errors, match=r"memory|allocat|too large|bytes") as raised:
            make_mask(SQUARE, shape)
        assert "\n" not in str(raised.value)


@pytest.mark.usefixtures("time_limit")
def test_images_without_pixels_take_no_time(make_mask):
    for shape in (10**15, 0), (0, 10**15), [0, 5]:
        assert_mask(make_mask(SQUARE, shape), np.empty(shape))


def test_bad_arguments_of_images_without_pixels(make_mask):
    with pytest.raises(TypeError):
        make_mask(SQUARE, (0, 5), no_such_option=3)
    with pytest.raises(ValueError, match="shape"):
        make_mask(SQUARE, (np.array([1, 2]), 3))


@pytest.mark.usefixtures("make_mask")
def test_images_without_pixels_where_the_rung_is_called_directly(rung):
    for shape in (0, 5), (5, 0), (0, 0):
        assert_mask(rung.module().make_mask(SQUARE, shape), np.empty(shape))
