"""Shared by the tests of every rung: small polygons, and the check of a mask."""

import numpy as np
import pytest
from cases import folded

from ladder import registry

TINY = 5e-324  # the smallest denormal
HUGE = 1.7e308  # the difference of two such numbers is infinite
SQUARE = [(2.0, 2.0), (2.0, 8.0), (8.0, 8.0), (8.0, 2.0)]
TRIANGLE = np.array([(1.0, 2.0), (9.0, 4.0), (3.0, 8.0)])  # not symmetric in x and y
SHAPE = (11, 16)

# Entries only: nothing is loaded.
each_rung = folded("rung", registry.RUNGS)


def assert_mask(mask, expected):
    """Check that `mask` meets the contract and that every byte is as expected."""
    assert type(mask) is np.ndarray
    assert mask.dtype == np.uint8
    assert mask.shape == expected.shape
    assert mask.flags.c_contiguous
    assert mask.flags.writeable
    wrong = np.argwhere(mask != expected)
    assert len(wrong) == 0, f"{len(wrong)} wrong pixels, the first at [y, x] = {wrong[0].tolist()}"


def small_or_larger(rung, small, larger):
    """Return the image for this rung: pure Python takes over a microsecond per pixel and edge."""
    return small if rung.interpreted else larger


def rungs_where(condition):
    """Run a test over some rungs only."""
    chosen = [rung for rung in registry.RUNGS if condition(rung)]
    return pytest.mark.parametrize("rung", chosen, indirect=True, ids=lambda rung: rung.key)


def load(rung):
    """Return `make_mask` and None, or None and the error if the rung cannot run here."""
    try:
        return rung.load(), None
    except registry.Unavailable as error:
        return None, error
