"""Known ways to look right and be wrong: `verify` proves that each is found in every exercise."""

import inspect

import numpy as np

from polymask.ladder import workload


def zeros(make_mask):
    """A mask of zeros."""
    return lambda vertices, shape, border_value=True: np.zeros(shape, np.uint8)


def transposed(make_mask):
    """The mask with x and y exchanged."""

    def answer(vertices, shape, border_value=True):
        return np.ascontiguousarray(make_mask(vertices, shape[::-1], border_value).T)

    return answer


def mirrored(make_mask):
    """A mask of the right shape, its vertices' columns exchanged."""
    return lambda vertices, shape, border_value=True: make_mask(
        np.asarray(vertices)[:, ::-1], shape, border_value
    )


def nan(make_mask):
    """A mask of NaN."""
    return lambda vertices, shape, border_value=True: np.full(shape, np.nan)


def leftovers(make_mask):
    """Memory that nobody wrote to."""
    return lambda vertices, shape, border_value=True: np.empty(shape, np.uint8)


def random_bytes(make_mask):
    """Random zeros and ones."""
    rng = np.random.default_rng(0)
    return lambda vertices, shape, border_value=True: rng.integers(0, 2, shape, np.uint8)


def cached(make_mask):
    """The first mask of that shape, again and again."""
    known = {}

    def answer(vertices, shape, border_value=True):
        if shape not in known:
            known[shape] = make_mask(vertices, shape, border_value)
        return known[shape].copy()

    return answer


def cached_by_identity(make_mask):
    """The mask that was right when this array, or list, was first seen."""
    known = {}

    def answer(vertices, shape, border_value=True):
        key = id(vertices), shape, border_value
        if key not in known:  # with the array itself, so that no other gets its number
            known[key] = vertices, make_mask(vertices, shape, border_value)
        return known[key][1].copy()

    return answer


def cached_by_rounding(make_mask):
    """The mask that was right for vertices which are nearly these."""
    known = {}

    def answer(vertices, shape, border_value=True):
        right = make_mask(vertices, shape, border_value)
        key = np.round(np.array(vertices, float), 1).tobytes(), shape, border_value
        return known.setdefault(key, right).copy()

    return answer


def kept(make_mask):
    """The right masks, but the same array for the same question."""
    known = {}

    def answer(vertices, shape, border_value=True):
        key = np.array(vertices).tobytes(), shape, border_value
        if key not in known:
            known[key] = make_mask(vertices, shape, border_value)
        return known[key]

    return answer


def two_buffers(make_mask):
    """The right masks, by turns in two arrays of a shape."""
    known = {}

    def answer(vertices, shape, border_value=True):
        right = make_mask(vertices, shape, border_value)
        turns = known.setdefault(shape, [np.empty(shape, np.uint8) for _ in range(2)])
        turns.reverse()
        turns[0][...] = right
        return turns[0]

    return answer


def small_only(make_mask):
    """The right mask of small images, zeros for others."""

    def answer(vertices, shape, border_value=True):
        right = make_mask(vertices, shape, border_value)
        return right if right.size < 10_000 else np.zeros(shape, np.uint8)

    return answer


def one_buffer(make_mask):
    """The right mask, but all of a shape in one array."""
    known = {}

    def answer(vertices, shape, border_value=True):
        buffer = known.setdefault(shape, np.empty(shape, np.uint8))
        buffer[...] = make_mask(vertices, shape, border_value)
        return buffer

    return answer


def default_only(make_mask):
    """The default polygon's mask, whatever the vertices are."""
    return lambda vertices, shape, border_value=True: make_mask(
        workload.polygon(shape=shape), shape
    )


def no_border_value(make_mask):
    """The right mask, but for `border_value`."""
    return lambda vertices, shape, border_value=True: make_mask(vertices, shape, True)


def unchecked(make_mask):
    """The right mask, and one of zeros for what is no polygon or no image."""

    def answer(vertices, shape, border_value=True):
        try:
            return make_mask(vertices, shape, border_value)
        except (ValueError, TypeError):
            return np.zeros((9, 13), np.uint8)

    return answer


WAYS = {name: way for name, way in [*vars().items()] if inspect.isfunction(way)}  # all of them
