"""Call both functions with known results, then with arrays that C cannot read."""

import ctypes

import numpy as np

from ladder.registry import reference, workload
from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed, same

RESULT = 6  # after six arguments
COUNT, INT = (ctypes.c_ssize_t, ctypes.c_size_t), (ctypes.c_int, ctypes.c_uint)
HEADER = {
    1: ("ptrdiff_t", COUNT),
    3: ("ptrdiff_t", COUNT),
    4: ("int", INT),
    RESULT: ("void", [None]),
}


def check(answer, random):
    """Raise `CheckFailed` at a wrong result, or if C reads an array of the wrong kind."""
    n = random.randrange(1, 50)
    label = f"length({1.5 * n}, {2.0 * n})"
    try:
        got = answer.length(1.5 * n, 2.0 * n)
    except ctypes.ArgumentError as error:
        raise CheckFailed(f"{label}: {error}", advice="declare hypot.argtypes") from None
    if got != 2.5 * n:
        fact = f"{label}: expected {2.5 * n}, got {got}"
        raise CheckFailed(fact, advice="without its restype, ctypes takes the result for an int")
    y, x = np.indices((9, 14), dtype=np.float64)
    points = np.stack((x.ravel(), y.ravel()), axis=-1)
    vertices = np.array(workload.polygon(12, y.shape, random.randrange(10**6)))
    mask = reference.mask(vertices, y.shape).ravel()
    child.step("passing arrays to C (without argtypes, an address loses half of its bits)")
    same(answer.inside(points, vertices), mask, "inside(points, vertices)")
    twice = np.concatenate([points, points])  # so that C may read beyond the first half
    reversed_rows, single = twice[len(points) - 1 :: -1], twice.astype(np.float32)[: len(points)]
    flat = twice.ravel()[: len(points)]
    others = {
        "a float32 array": single,
        "an array of reversed rows": reversed_rows,
        "an array of one dimension": flat,
    }
    for label, other in others.items():
        child.step(f"calling it with {label}")
        try:
            got = answer.inside(other, vertices)
        except (ctypes.ArgumentError, TypeError, ValueError):
            continue
        right = {id(single): mask, id(reversed_rows): mask[::-1]}.get(id(other))
        if right is None or not np.array_equal(got, right):
            advice = (
                "an address tells neither type, nor dimensions, nor strides: declare all of them"
            )
            raise CheckFailed(f"{label} is accepted, but its bytes are misread", advice=advice)
    check_declared(answer.points_inside_polygon)


def check_declared(function):
    """Raise `CheckFailed` if a type differs from the header's, though the results were right."""
    own = [*(getattr(function, "argtypes", None) or ()), getattr(function, "restype", None)]
    if len(own) <= RESULT:
        return  # declared elsewhere
    for number, (header, types) in HEADER.items():
        if own[number] not in types:
            which = "the result" if number == RESULT else f"argument {number + 1}"
            name = getattr(own[number], "__name__", own[number])
            raise CheckFailed(
                f"{which} of points_inside_polygon is declared as {name}, but its type in the "
                f"header is {header}: the results are right by luck"
            )
