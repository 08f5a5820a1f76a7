"""Compare the counts, then masks of polygons whose vertices lie on rows, but not on pixels."""

from ladder.registry import reference
from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import advising, check_predicted, same_mask

SHAPE = (13, 17)
CLOSED = {"through": 2, "both above": 2, "both below": 2}
HALF_OPEN = {"through": 1, "both above": 2, "both below": 0}
HINTS = {
    "closed": "each edge includes both of its ends: how many of the two edges reach the row?",
    "half_open": "for each of the two edges, is the vertex its end with the smaller y?",
}
POLYGONS = (  # what it shows, the advice, and the vertices
    ("a polygon whose outline passes through a vertex on row 6", "is the row toggled once there?",
     [(3.5, 2.7), (13.5, 6), (4.5, 10.3)]),
    ("a polygon with tips on rows 4 and 8", "is the row toggled twice there, or never?",
     [(1.5, 4), (6.5, 8), (9.5, 4), (14.5, 8), (15.5, 11.5), (1.5, 11.5)]),
    ("a box from row 3 to row 9", "an edge includes the end with the larger y, not the other",
     [(2.5, 3), (11.5, 3), (11.5, 9), (2.5, 9)]),
    ("a polygon that begins above the image", "a negative y must be rounded down, too",
     [(3.5, -1.5), (12.5, -0.5), (8.5, 7.5)]),
)  # fmt: skip


def check(answer, random):
    """Raise `CheckFailed` unless each vertex is counted as the even-odd rule needs it."""
    for name, right in (("closed", CLOSED), ("half_open", HALF_OPEN)):
        for kind, number in right.items():
            value = getattr(answer, name).get(kind)
            check_predicted(f"{name}[{kind!r}]", value, number, HINTS[name])
    move = random.randrange(3)
    for label, advice, vertices in POLYGONS:
        child.step(f"drawing {label}")
        moved = [(x + move, y) for x, y in vertices]
        with advising(advice):
            same_mask(answer.make_mask(moved, SHAPE), reference.mask(moved, SHAPE), label)
