"""Many polygons with difficult crossings at once, as ragged arrays."""

import numpy as np
import strategies

from polymask.forms.ragged import Ragged

MANY_VERTICES = 300  # edges of such polygons are compared in chunks


def offsets(counts):
    return np.concatenate([[0], np.cumsum(counts)])


def coordinates(rng, count, top):
    """Numbers of six kinds around an image, in a random mixture."""
    whole = rng.integers(-3, top + 4, count).astype(float)
    kinds = [
        whole,
        whole + 0.5,
        rng.integers(-20, 8 * (top + 3), count) / 8,
        rng.uniform(-4, top + 4, count),
        np.nextafter(whole, rng.choice([-np.inf, np.inf], count)),
        rng.choice(strategies.HOSTILE, count),
    ]
    return np.choose(rng.choice(len(kinds), count, p=rng.dirichlet([0.5] * len(kinds))), kinds)


def features(rng, shape, count):
    """Features of one or two polygons, each of one to three rings, as ragged arrays."""
    polygons = rng.integers(1, 3, count)
    rings = rng.integers(1, 4, polygons.sum())
    sizes = rng.integers(3, 10, rings.sum())
    sizes[rng.random(len(sizes)) < 0.002] = MANY_VERTICES
    xy = [coordinates(rng, sizes.sum(), top) for top in shape[::-1]]
    return Ragged(np.stack(xy, axis=1), offsets(sizes), offsets(rings), offsets(polygons))


def sampling(rng):
    """Options of a mask."""
    return {
        "border_value": rng.choice([True, False, None]),
        "center": rng.choice([True, False]),
        "watertight": rng.choice([True, False]),
        "offset": tuple(rng.integers(-4, 5, 2)),
    }
