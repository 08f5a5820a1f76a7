"""Looks from inside whether a module is made of tuples.py, unchanged; in the answer's process."""

from fractions import Fraction


def generic(module):
    """Return what inside_polygon says of fractions, and of a border value that is a text.

    It is written for any numbers, and hands on any border value; a function with types is not.
    """
    half = Fraction(1, 2)
    corners = [(0 * half, 0 * half), (9 * half, 0 * half), (0 * half, 9 * half)]
    ask = module.inside_polygon
    return [ask(half, half, corners, "border"), ask(0 * half, 0 * half, corners, "border")]


def asked(module, vertices, shape):
    """Return how often make_mask asks inside_polygon, with a list of vertices, for a mask."""
    own, seen = module.inside_polygon, []

    def inside_polygon(x, y, vertices, border_value):
        seen.append(type(vertices))
        return own(x, y, vertices, border_value)

    module.inside_polygon = inside_polygon
    try:
        module.make_mask(vertices, shape)
    finally:
        module.inside_polygon = own
    return seen.count(list)
