"""The reference itself: masks worked out by hand, and the computation by rows against by pixels."""

import random

import numpy as np
import pytest
from cases import folded

from ladder.registry import reference, workload

# Worked out by hand from the contract: an edge toggles the pixels from the left up to itself, in
# the rows below its upper end down to its lower end. A square's left and upper sides are therefore
# outside, its right and lower sides inside. Vertices (v) have the border value.
SQUARE = """
. . . . . . .
. v . . v . .
. . # # # . .
. . # # # . .
. v # # v . .
. . . . . . .
"""
TRIANGLE = """
v . . . .
. # . . .
. # # . .
. # # # .
v # # # v
"""
# The two diagonals cross at (4, 3), and toggle the same pixels of that row: all pixels between the
# vertical sides, at 1 and at 7, are inside.
FIGURE_EIGHT = """
. . . . . . . .
. v . . . . . v
. . # . . . # #
. . # # # # # #
. . # . . . # #
. v . . . . . v
. . . . . . . .
"""
# Between the pixels: the left edge is at 2.25, 1.75 and 1.25 in rows 1 to 3, the right at 3.5.
BETWEEN = """
. . . . . .
. . . # . .
. . # # . .
. . # # . .
. . . . . .
"""
# The crossing of the edge between the two huge vertices is inf / inf, not a number: it toggles
# nothing. The edge to the lower left toggles row 4, up to the 2 of (2, 3). The third edge toggles
# up to 2 in row 3 and up to 3 in row 2; above, its product overflows, and it toggles whole rows.
OVERFLOW = """
# # # # # #
# # # # # #
# # # # . .
# # v . . .
# # # . . .
"""
BY_HAND = {
    "square": ([(1, 1), (4, 1), (4, 4), (1, 4)], SQUARE),
    "triangle": ([(0, 0), (4, 4), (0, 4)], TRIANGLE),
    "figure eight": ([(1, 1), (7, 5), (7, 1), (1, 5)], FIGURE_EIGHT),
    "between pixels": ([(2.5, 0.5), (3.5, 0.5), (3.5, 3.5), (1, 3.5)], BETWEEN),
    "overflow": ([(1.7e308, -1.7e308), (-1.7e308, 1.7e308), (2, 3)], OVERFLOW),
}


@folded("border_value", [True, False])
@folded("compute", [reference.by_rule, reference.mask])
@folded("name", BY_HAND)
def test_masks_worked_out_by_hand(name, compute, border_value):
    vertices, picture = BY_HAND[name]
    values = {".": 0, "#": 1, "v": int(border_value)}
    expected = [[values[sign] for sign in row.split()] for row in picture.split("\n")[1:-1]]
    mask = compute(vertices, (len(expected), len(expected[0])), border_value)
    assert mask.dtype == np.uint8
    assert mask.flags.c_contiguous
    assert mask.tolist() == expected


def coordinate(r, kind, length):
    """Draw one coordinate around 0..length."""
    if kind == "integer":
        return r.randint(-2, length + 2)
    if kind == "half-integer":
        return r.randint(-2, length + 2) + 0.5
    if kind == "real":
        return r.uniform(-3, length + 3)
    return r.choice(
        [r.randint(0, length), r.uniform(0, length), -0.0, 5e-324, -5e-324, 2.3e-308]
        + [sign * size for sign in (1, -1) for size in (1e15, 2.0**63, 1e300, 1.7e308)]
    )


@pytest.mark.parametrize("kind", ["integer", "half-integer", "real", "hostile"])
def test_the_mask_equals_that_by_rule(kind):
    r = random.Random(kind)
    for _ in range(1000):
        shape = rows, cols = r.randint(0, 7), r.randint(0, 9)
        vertices = [
            (coordinate(r, kind, cols), coordinate(r, kind, rows)) for _ in range(r.randint(3, 8))
        ]
        border_value = r.choice([True, False, None])
        expected = reference.by_rule(vertices, shape, border_value)
        rows_mask = reference.mask(vertices, shape, border_value)
        assert rows_mask.dtype == np.uint8
        assert rows_mask.tolist() == expected.tolist(), (vertices, shape, border_value)


@pytest.mark.parametrize("compute", [reference.by_rule, reference.mask])
def test_input_is_checked_and_left_alone(compute):
    vertices = np.array([(1.0, 2.0), (9.0, 4.0), (3.0, 8.0)])
    before = vertices.copy()
    compute(vertices, (5, 6))
    assert np.array_equal(vertices, before)
    with pytest.raises(ValueError, match="vertex 0 is not finite"):
        compute([(np.nan, 1), (2, 3), (3, 3)], (5, 6))


def test_the_courses_image():
    """1024 x 1024, 24 vertices: a hundred random pixels are compared with the rule."""
    vertices = workload.polygon()
    mask = reference.mask(vertices, workload.SHAPE)
    assert mask.shape == (1024, 1024)
    assert set(np.unique(mask)) == {0, 1}
    assert 0.2 < mask.mean() < 0.8
    points = [tuple(vertex) for vertex in vertices]
    edges = list(zip(points, points[1:] + points[:1], strict=True))
    r = random.Random(0)
    for _ in range(100):
        x, y = r.randrange(1024), r.randrange(1024)
        if (x, y) not in points:
            inside = sum(reference.toggles(x, y, p1, p2) for p1, p2 in edges) % 2
            assert mask[y, x] == inside
    for x, y in points:  # some vertices are one beyond the last pixel
        if x < 1024 and y < 1024:
            assert mask[int(y), int(x)] == 1
