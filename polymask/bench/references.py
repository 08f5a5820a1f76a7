"""Lines beside the rungs: what a reader would otherwise ask for."""

import functools
from dataclasses import replace

import numpy as np

import polymask
from polymask import contract
from polymask.ladder.work import PER_PIXEL, SCANLINE
from polymask.python import tuples

NUMBA = "reference.numba"
NUMBA_TITLE = "plain loop in Numba, one thread"
API_FRESH, API_OUT = "api.fresh", "api.out"
WORK = {NUMBA: replace(PER_PIXEL, last_edge_first=False), API_FRESH: SCANLINE, API_OUT: SCANLINE}


@functools.cache  # a sweep measures many times, and compiles once
def numba_loop():
    """The plain loop over the pixels, one thread, compiled by Numba; returns `make_mask`.

    The rule is the function of python.tuples, handed a NumPy array. A version with its text
    rewritten for arrays (`vertices[i, 0]`) ran as fast (within 1 %, AMD EPYC Zen 4, 2026-11-21).
    """
    try:
        import numba
    except ImportError:
        raise contract.Unavailable(
            "the package numba is not installed", "pip install 'polymask[bench]'"
        ) from None

    inside_polygon = numba.njit(tuples.inside_polygon)

    @numba.njit(nogil=True)
    def fill(mask, vertices, border_value):
        for y in range(mask.shape[0]):
            for x in range(mask.shape[1]):
                mask[y, x] = inside_polygon(x, y, vertices, border_value)

    def make_mask(vertices, shape, border_value=True):
        vertices, shape, border_value = contract.check(vertices, shape, border_value)
        mask = np.empty(shape, np.uint8)
        fill(mask, vertices, border_value)
        return mask

    return make_mask


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
