"""The likely cause of a wrong mask or number, from what the wrong pixels or digits have in common.

A wrong diagnosis is worse than none: each test admits only results that no other mistake explains.
"""

import numpy as np

from ladder.workshop import concepts
from ladder.workshop.sandbox import cases, known_mistakes
from ladder.workshop.sandbox.garbage import GARBAGE

ROUNDING = (
    "; all of them are where the rounding of a crossing decides, so the conditions may be right: "
    "compute coordinates and crossings in double precision (`double`, float64), not in single "
    f"precision, and with the operations of the rule in their order {concepts.EXACT}"
)
VERTEX_ROWS = (
    "; all of them are in rows with a vertex, where an edge includes its end with the larger y, "
    f"but not the other {concepts.RULE}"
)
ON_VERTICES = f"; all of them are vertices, whose value is border_value {concepts.RULE}"
ON_EDGES = f"; all of them are on the border, where the conditions decide {concepts.RULE}"
UNWRITTEN = "; the last pixels are never written: pixel x of row y is element y * cols + x"
TOLERANCE = 1e-9  # relative, and in pixels
LAST_BITS, SINGLE = 2.0**-45, 2.0**-20  # largest relative differences, of float64 and of float32


def of_mask(got, expected):
    """Return what is wrong with a mask as a whole, or an empty text."""
    strange, wrong, n = ~np.isin(got, (0, 1)), got != expected, min(expected.shape)
    square = expected[:n, :n]
    is_symmetric = n < 3 or np.array_equal(square, square.T)
    if not is_symmetric and np.array_equal(got[:n, :n], square.T):
        return "; x and y are swapped: a pixel is mask[y, x], a vertex (x, y)"
    if strange.any():
        cause, rest = "", strange.ravel()[np.argmax(strange) :]
        if strange.all() and (got[0, 0] == got).all():
            cause = ": no pixel was written"
        elif np.isin(got[strange], (GARBAGE, 255 - GARBAGE)).all():
            cause = unreached(strange) or (UNWRITTEN if rest.all() else ": is every pixel written?")
        elif (got[strange] == 255).all():
            cause = "; a pixel inside is 1, and -1 in uint8 is 255"
        elif (got % 2 == expected).all():
            cause = "; these are counts, not their parity: `^` instead of `+`"
        return f"; one is {got[strange][0]}, but a mask has only 0 and 1{cause}"
    if not got.any():
        return "; yours is all zeros"
    if wrong.all() and expected.any() and not expected.all():
        return "; yours is the inverse"
    if len(set(expected.shape)) > 1 and np.array_equal(got.ravel(), expected.T.ravel()):
        return "; these are the right pixels, but column after column: write element y * cols + x"
    return ""


def unreached(wrong):
    """Name the last columns or rows of an image if exactly their pixels are wrong."""
    names = ("columns", "x", "first"), ("rows", "y", "second")
    for (lines, index, place), image in zip(names, (wrong, wrong.T), strict=True):
        first = image.shape[1] - np.count_nonzero(image.any(axis=0))
        if first and image[:, first:].all() and not image[:, :first].any():
            if first == image.shape[1] - 1:
                return (
                    f"; {lines[:-1]} {first}, the last, is never written: is the range too short?"
                )
            text = f"; {lines} {first} to {image.shape[1] - 1} are never written: {index} must"
            return f"{text} count {lines} (in a launch, it is the {place} number)"
    return ""


def of_values(got, expected):
    """Return how numbers, one or an array, resemble the right ones, or an empty text."""
    for bits in (8, 16, 32):
        if isinstance(expected, int) and got != expected and got == expected % 2**bits:
            return f"; that is {expected} modulo {2**bits}, as in a type of {bits} bits"
    got, expected = np.asarray(got), np.asarray(expected)
    if not {got.dtype.kind, expected.dtype.kind} <= {*"iuf"}:
        return ""
    for byte in (GARBAGE, 255 - GARBAGE) if got.itemsize > 1 else ():
        fill = np.full(got.itemsize, byte, np.uint8).view(got.dtype)[0]
        if np.any(got == fill):
            return f"; {np.count_nonzero(got == fill)} of them, {fill}, were never written"
        if got.dtype.kind == "i" and np.array_equal(got - fill, expected):
            return "; the memory was not set to 0 before"
    for power in (3, 6, 9):
        if np.any(expected) and np.allclose(got, expected * 10.0**power, 1e-6, 0.0):
            return f"; 1e{power} times as much as expected: in which unit?"
    if got.size > 1 and np.array_equal(np.sort(got, None), np.sort(expected, None)):
        return "; these are the right numbers, in another order"
    if got.size == 1 and abs(got - expected) < 1 < abs(expected) and got % 1 == 0 < expected % 1:
        return "; yours is a whole number: compute it, do not count or round"
    with np.errstate(all="ignore"):  # garbage may overflow
        is_inverse = np.all(expected != 0) and np.allclose(got * expected, 1.0, 1e-9, 0.0)
    if is_inverse and np.any(expected != 1):
        return "; that is 1 / expected: which number is divided by which?"
    if got.dtype.kind == "f" and expected.dtype == float and np.isfinite(got).all():
        largest = np.abs(expected).max()
        if np.allclose(got, expected, LAST_BITS, LAST_BITS * largest):
            return "; only the last bits differ: keep all operations in order, without fastmath"
        is_single = np.array_equal(got, got.astype(np.float32))
        if is_single and np.allclose(got, expected, SINGLE, SINGLE * largest):
            return "; they agree to 7 digits, as in single precision (float, float32)"
    if got.ndim == 2 and got.shape == expected.T.shape:
        other, own = (np.allclose(got, each, 1e-9, 0.0) for each in (expected.T, expected))
        if other and not own:
            return "; rows and columns are exchanged"
    return ""


def of(case, got, expected):
    """Return what the wrong pixels of a mask have in common, or an empty text."""
    vertices, (rows, cols) = np.array(case.vertices, float), np.nonzero(got != expected)
    if of_mask(got, expected):
        return ""
    if mistake := known_mistakes.of(case, got):
        return f"; {mistake}"
    if set(zip(cols, rows, strict=True)) <= set(map(tuple, vertices)):
        return ON_VERTICES
    if np.isin(rows, vertices[:, 1]).all() and not np.isin(np.arange(len(got)), rows).all():
        return VERTEX_ROWS
    if not on_edges(vertices, rows, cols):
        return ""
    return ROUNDING if case.label.startswith(cases.ROUNDING) else ON_EDGES


def on_edges(vertices, rows, cols):
    """Return whether each pixel lies on an edge."""
    (x1, y1), (x2, y2) = vertices.T[..., None], np.roll(vertices, -1, axis=0).T[..., None]
    with np.errstate(over="ignore", invalid="ignore"):  # huge coordinates
        products = (cols - x1) * (y2 - y1), (rows - y1) * (x2 - x1)
        is_on_line = np.isclose(*products, TOLERANCE, TOLERANCE) & np.isfinite(products[0])
    is_beside = (np.minimum(x1, x2) <= cols) & (cols <= np.maximum(x1, x2))
    is_beside &= (np.minimum(y1, y2) <= rows) & (rows <= np.maximum(y1, y2))
    return (is_on_line & is_beside).any(axis=0).all()
