"""The polygons and images that test a student's masks; some are not known beforehand."""

import math
import random
from dataclasses import dataclass

import numpy as np

from ladder.registry import reference, workload

BOX = ((2, 1), (9, 1), (9, 7), (2, 7))
# Six corners, by which known_mistakes.py can tell mistakes apart, and what C may read behind them.
CORNERS = np.array([(0, 8), (0, 2.5), (7, 3), (17, 3), (12, 8), (12, 11),
                    (17, 11), (11, 10), (12, 7), (9, 7), (1, 2), (1, 9)])  # fmt: skip
NEAR = (2.0**-5, 2.0**-10, 2.0**-20)  # small offsets that change which pixels are inside
LONG = 70_001  # pixels: more than a 16-bit integer can count
ROUNDING = "edges through pixels"  # the label of cases that depend on rounding


@dataclass(frozen=True, eq=False)
class Case:
    """A polygon and an image, with a label for the difficulty."""

    label: str
    vertices: object
    shape: tuple[int, int]
    border_value: bool = True


def random_mask(random, shape, vertices=9):
    """Return a random polygon, and its mask."""
    polygon = workload.polygon(vertices, shape, random.randrange(10**6))
    return polygon, reference.mask(polygon, shape)


def read_only(array):
    """Return the array, made read-only."""
    array.flags.writeable = False
    return array


def long_polygon():
    """Return a polygon that crosses a long row near both of its ends."""
    return [(-4.0, -3.0), (LONG - 9.5, -3.0), (LONG - 5.0, 5.0), (3.0, 6.0)]


def through_pixels(r, shape, edges=24):
    """Return vertices of edges through pixels, with ends at thirds of pixels.

    The crossings are whole numbers except for rounding errors, which depend on the order and the
    precision of the computation.
    """
    rows, cols = shape
    points = []
    for _ in range(edges):
        x, y = r.randrange(cols), r.randrange(rows)
        dx = r.choice([-7, -5, -3, -2, -1, 1, 2, 3, 5, 7])
        dy = r.choice([-7, -5, -3, 3, 5, 7, 9, 11])
        for side in (-1, 1):
            t = side * r.randrange(1, 30) / 3
            points.append((x + dx * t, y + dy * t))
    return points


def fixed_cases():
    """Return the cases that are the same in each check: details of the contract."""
    box, singles = list(BOX), read_only(np.repeat(np.array(BOX, np.float32), 2, axis=0)[::2])
    return [
        Case("six corners", CORNERS[:6], (13, 19)),
        Case("a box with horizontal and vertical edges", box, (9, 13)),
        Case("the box, with pixels on vertices outside", box, (9, 13), False),
        Case("the box in reverse order", box[::-1], (13, 11)),
        Case("the box, with its first vertex repeated at the end", [*box, box[0]], (9, 13), False),
        Case("two edges that cross", [(1, 1), (14, 9), (14, 1), (1, 9)], (11, 17)),
        Case("vertices between the pixels", [(1.5, 1.5), (11.5, 2.5), (6.5, 7.5)], (9, 14)),
        Case("a polygon that leaves the image", [(-5, -3), (30, 4), (6, 40)], (12, 21)),
        Case("a polygon outside the image", [(50, 50), (60, 50), (55, 60)], (7, 12)),
        Case("a polygon around the image", [(-9, -9), (99, -9), (99, 99), (-9, 99)], (6, 11)),
        Case("an image of one row", [(0, 0), (9, 0), (4, 3)], (1, 12)),
        Case("an image of one column", [(0, 0), (9, 5), (0, 9)], (12, 1)),
        Case("an image of one long row", long_polygon(), (1, LONG)),
        Case("an image of one long column", [(y, x) for x, y in long_polygon()], (LONG, 1)),
        Case("an image without rows", box, (0, 7)),
        Case("an image without columns", box, (7, 0)),
        Case(ROUNDING, through_pixels(random.Random(0), (31, 47)), (31, 47)),
        Case("huge coordinates", [(-1e300, -1e300), (1e300, 3.0), (2.0, 1e300)], (9, 14)),
        Case("integer vertices in Fortran order", np.asfortranarray(np.array(box)), (9, 13)),
        Case("read-only vertices", read_only(np.array(box, float)), (9, 13)),
        Case("read-only, strided vertices in single precision", singles, (9, 13)),
        *(Case(f"the box moved by {by:g} pixels", np.array(box) - by, (9, 13)) for by in NEAR),
    ]


def refused():
    """Return bad polygons and images, which the contract rejects before any loop."""
    triangle = [(1.0, 1.0), (7.0, 2.0), (3.0, 6.0)]
    shape = (9, 13)
    return [
        Case("a NaN among the vertices", [*triangle, (math.nan, 4.0)], shape),
        Case("an infinite coordinate", [*triangle, (4.0, -math.inf)], shape),
        Case("two vertices", triangle[:2], shape),
        Case("no vertices", np.empty((0, 2)), shape),
        Case("vertices with three coordinates", np.eye(3), shape),
        Case("complex vertices", [(1j, 1.0), (7.0, 2.0), (3.0, 6.0)], shape),
        Case("a shape of three numbers", triangle, (9, 13, 1)),
        Case("a negative shape", triangle, (-9, -13)),
    ]


def random_cases(seed):
    """Return the cases for a seed: two polygons per shape, so that a cached mask is detected."""
    r = random.Random(seed)
    cases = [Case("the course's polygon", workload.polygon(24, (61, 83)), (61, 83))]
    for shape in ((31, 47), (31, 47), (64, 23), (37, 111), (61, 83)):
        rows, cols = shape
        n = r.randrange(3, 40)
        points = [(r.randrange(-5, cols + 6), r.randrange(-5, rows + 6)) for _ in range(n)]
        border = bool(r.randrange(2))
        cases.append(Case(f"{n} vertices on pixels, seed {seed}", points, shape, border))
        points = [(r.uniform(-5, cols + 5), r.uniform(-5, rows + 5)) for _ in range(n)]
        cases.append(Case(f"{n} vertices anywhere, seed {seed}", points, shape))
    points = through_pixels(r, (37, 53))
    cases.append(Case(f"{ROUNDING}, seed {seed}", points, (37, 53)))
    many = workload.polygon(300, (29, 43), seed)
    cases.append(Case(f"300 vertices, seed {seed}", many, (29, 43)))
    large = r.randrange(260, 300), r.randrange(310, 520)
    cases.append(Case(f"a larger image, seed {seed}", workload.polygon(9, large, seed), large))
    return cases
