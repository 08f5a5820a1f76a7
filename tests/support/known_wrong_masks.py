"""Known wrong masks, each of which the checks of masks must detect.

Each function takes the `make_mask` of a solution, and returns a wrong one.
"""

from types import SimpleNamespace

import numpy as np

from ladder.registry import workload
from ladder.workshop.sandbox import masks
from ladder.workshop.sandbox.check_failed import CheckFailed


def undetected(answer, seed):
    """Return the names of the known wrong masks that pass the checks: none in a good exercise."""
    passing = []
    for name, make_wrong in MUTATIONS.items():
        try:
            masks.check(SimpleNamespace(make_mask=make_wrong(answer.make_mask)), seed)
        except CheckFailed:
            continue
        passing.append(name)
    return passing


def ignoring_vertices(make):
    """Return a `make_mask` that ignores the vertices: `make` gets only the shape."""
    return lambda _: lambda vertices, shape, border_value=True: make(shape)


def random_bytes(make_mask):
    """Return random zeros and ones."""
    rng = np.random.default_rng(0)
    return lambda vertices, shape, border_value=True: rng.integers(0, 2, shape, np.uint8)


def transposed(make_mask):
    """Exchange x and y in the mask."""

    def answer(vertices, shape, border_value=True):
        return np.ascontiguousarray(make_mask(vertices, shape[::-1], border_value).T)

    return answer


def mirrored(make_mask):
    """Exchange x and y of the vertices."""
    return lambda vertices, shape, border_value=True: make_mask(
        np.asarray(vertices)[:, ::-1], shape, border_value
    )


def cached(key, copied=True):
    """Return the mask of the first call with the same `key` of vertices, shape and border value."""

    def way(make_mask):
        known = {}

        def answer(vertices, shape, border_value=True):
            right = make_mask(vertices, shape, border_value)
            # keeps the vertices alive, so that no others get their id
            mask, _ = known.setdefault(key(vertices, shape, border_value), (right, vertices))
            return mask.copy() if copied else mask

        return answer

    return way


cached_by_rounding = cached(lambda v, *rest: (np.round(np.array(v, float), 1).tobytes(), *rest))


def in_buffers(number):
    """Write the right masks into `number` arrays of each shape, in turn."""

    def way(make_mask):
        known = {}

        def answer(vertices, shape, border_value=True):
            right = make_mask(vertices, shape, border_value)
            turns = known.setdefault(shape, [np.empty(shape, np.uint8) for _ in range(number)])
            turns.append(turns.pop(0))
            turns[0][...] = right
            return turns[0]

        return answer

    return way


def small_only(make_mask):
    """Return right masks for small images, and zeros for others."""

    def answer(vertices, shape, border_value=True):
        right = make_mask(vertices, shape, border_value)
        return right if right.size < 10_000 else np.zeros(shape, np.uint8)

    return answer


def default_only(make_mask):
    """Return the default polygon's mask for any vertices."""
    return lambda vertices, shape, border_value=True: make_mask(
        workload.polygon(shape=shape), shape
    )


def no_border_value(make_mask):
    """Ignore `border_value`."""
    return lambda vertices, shape, border_value=True: make_mask(vertices, shape, True)


def unchecked(make_mask):
    """Return zeros for bad input instead of raising an error."""

    def answer(vertices, shape, border_value=True):
        try:
            return make_mask(vertices, shape, border_value)
        except (ValueError, TypeError):
            return np.zeros((9, 13), np.uint8)

    return answer


MUTATIONS = {
    "zeros": ignoring_vertices(lambda shape: np.zeros(shape, np.uint8)),
    "nan": ignoring_vertices(lambda shape: np.full(shape, np.nan)),
    "leftovers": ignoring_vertices(lambda shape: np.empty(shape, np.uint8)),
    "random_bytes": random_bytes,
    "transposed": transposed,
    "mirrored": mirrored,
    "cached": cached(lambda vertices, shape, border_value: shape),
    "cached_by_identity": cached(lambda vertices, *rest: (id(vertices), *rest)),
    "cached_by_rounding": cached_by_rounding,
    "kept": cached(lambda v, *rest: (np.array(v).tobytes(), *rest), copied=False),
    "one_buffer": in_buffers(1),
    "two_buffers": in_buffers(2),
    "small_only": small_only,
    "default_only": default_only,
    "no_border_value": no_border_value,
    "unchecked": unchecked,
}
