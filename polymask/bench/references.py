"""Lines beside the rungs: what a user of the library gets."""

import numpy as np

import polymask
from polymask.ladder.work import SCANLINE

API_FRESH, API_OUT = "api.fresh", "api.out"
WORK = {API_FRESH: SCANLINE, API_OUT: SCANLINE}


def api_fresh():
    """Return the `make_mask` of a user of `polygon_mask`: a new array, one thread."""
    polygon_mask = polymask.polygon_mask
    return lambda vertices, shape: polygon_mask(vertices, shape, dtype=np.uint8, threads=1)


def api_out():
    """Return the same into one array that is there already, of the shape asked for first."""
    polygon_mask, out = polymask.polygon_mask, None

    def make_mask(vertices, shape):
        nonlocal out
        if out is None:
            out = np.full(shape, 255, np.uint8)  # a byte left out would be a wrong one
        return polygon_mask(vertices, shape, out=out, threads=1)

    return make_mask


API = (
    # key, title, where the mask goes, loader
    (API_FRESH, "polygon_mask, a new array", "fresh", api_fresh),
    (API_OUT, "polygon_mask, out=", "out", api_out),
)
