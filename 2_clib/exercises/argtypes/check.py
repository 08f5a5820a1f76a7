"""Call both functions with known results, then with arrays that C cannot read."""

import ctypes

import numpy as np

from ladder.registry import reference, workload
from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed, same

SIZES = "ptrdiff_t", ctypes.c_ssize_t, ctypes.c_size_t
INTS = "int", ctypes.c_int, ctypes.c_uint, ctypes.c_long, ctypes.c_bool


def check(answer, random):
    """Raise `CheckFailed` at a wrong result, or if C reads an array of the wrong kind."""
    n = random.randrange(1, 50)
    if (got := answer.length(1.5 * n, 2.0 * n)) != 2.5 * n:
        advice = "declare arguments and result as in the header, as double"
        if isinstance(got, int):
            advice = "without its restype, ctypes takes the result for an int"
        fact = f"length({1.5 * n}, {2.0 * n}): expected {2.5 * n}, got {got}"
        raise CheckFailed(fact, advice=advice)
    types = getattr(answer.points_inside_polygon, "argtypes", None) or ()
    for number, right in (1, SIZES), (3, SIZES), (4, INTS):
        if len(types) > number and types[number] not in right:
            fact = f"argument {number + 1} is declared as {types[number].__name__}"
            raise CheckFailed(f"points_inside_polygon: {fact}, but in the header as {right[0]}")
    if getattr(answer.points_inside_polygon, "restype", None) is not None:
        raise CheckFailed("points_inside_polygon returns void: declare its restype as None")
    y, x = np.indices((9, 14), dtype=np.float64)
    points = np.stack((x.ravel(), y.ravel()), axis=-1)
    vertices = np.array(workload.polygon(12, y.shape, random.randrange(10**6)))
    mask = reference.mask(vertices, y.shape).ravel()
    child.step("passing arrays to C (without argtypes, an address loses half of its bits)")
    same(answer.inside(points, vertices), mask, "inside(points, vertices)")
    twice = np.concatenate([points, points])  # so that C may read beyond the first half
    reversed_rows, single = twice[len(points) - 1 :: -1], twice.astype(np.float32)[: len(points)]
    flat = points.ravel()[: len(points)]  # so that C may read as many pairs
    others = (
        ("a float32 array", single, mask, "an address tells no type: declare np.float64"),
        ("an array of reversed rows", reversed_rows, mask[::-1], 'declare flags="C_CONTIGUOUS"'),
        ("an array of one dimension", flat, mask[: len(points) // 2], "declare ndim=2"),
    )
    for label, other, right, advice in others:
        child.step(f"calling it with {label}")
        try:
            got = answer.inside(other, vertices)
        except (ctypes.ArgumentError, TypeError, ValueError):
            continue
        if not np.array_equal(got, right):  # right if it was converted before
            raise CheckFailed(f"{label} is accepted, but C misreads it", advice=advice)
