"""Strategies of property tests: polygons with difficult crossings, images, options, tilings."""

import numpy as np
import polygons
from hypothesis import strategies as st

HOSTILE = [-0.0, 5e-324, -5e-324, 0.5, 1 - 2**-53, 2 + 2**-51, 1e15, -1e150, 2.0**510, -(2.0**510)]
OVERFLOWING = [-1e300, 1.7e308, -1.7e308]  # for rungs, which accept all finite numbers

booleans = st.booleans()
shapes = st.tuples(st.integers(1, 9), st.integers(1, 13))
offsets = st.tuples(st.integers(-4, 4), st.integers(-4, 4))
border_values = st.sampled_from([True, False, None])
counts = {"rings": 0}


def integers(top):
    return st.integers(-3, top + 3).map(float)


def halves(top):
    return integers(top).map(lambda whole: whole + 0.5)


def eighths(top):
    return st.integers(-20, 8 * (top + 3)).map(lambda whole: whole / 8)


def moderate(top):
    """Integers, halves, a lattice, and reals near the image."""
    reals = st.floats(-4, top + 4)
    return st.one_of(integers(top), halves(top), eighths(top), reals)


def hostile(top):
    return st.one_of(integers(top), moderate(top), st.sampled_from(HOSTILE))


def overflowing(top):
    return st.one_of(hostile(top), st.sampled_from(OVERFLOWING))


@st.composite
def rings(draw, shape, coordinate=hostile, most=9):
    """Arrays of vertices around an image."""
    counts["rings"] += 1
    x, y = coordinate(shape[1]), coordinate(shape[0])
    return np.array(draw(st.lists(st.tuples(x, y), min_size=3, max_size=most)))


def polygons_of_rings(shape, coordinate=hostile, most=3):
    return st.lists(rings(shape, coordinate), min_size=1, max_size=most)


def sets_of_polygons(shape, coordinate=moderate, most=6):
    return st.lists(rings(shape, coordinate), min_size=0, max_size=most)


@st.composite
def images_and(draw, polygon):
    """Shapes, each with a value drawn from `polygon(shape)`."""
    shape = draw(shapes)
    return shape, draw(polygon(shape))


@st.composite
def sampling(draw, squares=(False,)):
    """Options for sampling polygons, common to all functions; `squares` is for all_touched."""
    return {
        "border_value": draw(border_values),
        "center": draw(booleans),
        "offset": draw(offsets),
        "watertight": draw(booleans),
    } | ({"all_touched": draw(st.sampled_from(squares))} if any(squares) else {})


@st.composite
def windows(draw, shape):
    """Pairs of slices of an image, with at least one sample each."""
    ends = [sorted(draw(st.tuples(*[st.integers(0, size)] * 2))) for size in shape]
    return tuple(
        slice(a, max(b, a + 1)) if a < size else slice(a - 1, a)
        for (a, b), size in zip(ends, shape, strict=True)
    )


@st.composite
def fans(draw, shape):
    """Tilings of a rectangle around an image by triangles with corners at halves."""
    rows, cols = shape
    left, top, right, bottom = -1.5, -2.5, cols + 0.5, rows + 1.5
    across = st.integers(-1, cols).map(lambda whole: whole + 0.5)
    down = st.integers(-2, rows + 1).map(lambda whole: whole + 0.5)
    inner = draw(st.tuples(across.filter(lambda x: x < right), down.filter(lambda y: y < bottom)))
    around = [
        *[(x, top) for x in sorted({left, right, *draw(st.lists(across, max_size=3))})],
        *[(right, y) for y in sorted({bottom, *draw(st.lists(down, max_size=3))} - {top})],
        *[(x, bottom) for x in sorted({left, *draw(st.lists(across, max_size=3))} - {right})][::-1],
        *[(left, y) for y in sorted(set(draw(st.lists(down, max_size=3))) - {top, bottom})][::-1],
    ]
    tiles = []
    for p, q in zip(around, around[1:] + around[:1], strict=True):
        turn, back = draw(st.integers(0, 2)), draw(booleans)
        tile = [inner, p, q]
        tile = tile[turn:] + tile[:turn]
        tiles.append(np.array(tile[::-1] if back else tile))
    return tiles


@st.composite
def meshes(draw, shape):
    """Tilings of an image by triangles between real vertices; edges run either way."""
    seed = draw(st.integers(0, 2**32))
    spread = draw(st.sampled_from([0.3, 1e-9]))
    cells = draw(st.integers(1, 4))
    return polygons.triangles(shape, cells, lambda r: r.uniform(-spread, spread), seed=seed)
