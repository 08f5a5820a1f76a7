"""Changes what the caller owns, and counts the memory that does not come back."""

import os
from pathlib import Path

import numpy as np

from polymask.workshop.compare import Wrong, same_mask

SHAPE = (12, 17)
MANY, LARGE = 2000, 5000  # polygons, vertices: 160 MB if none is given back
MOST_BYTES = 40e6


def check(module, random):
    """Raise `Wrong` if the polygon does not own a copy, or keeps its memory."""
    vertices = np.array([(1.0, 1.0), (15.0, 2.0), (4.0, 10.0)])
    polygon = module.Polygon(vertices)
    kept = polygon.mask(SHAPE)
    vertices[:] = 0
    same_mask(polygon.mask(SHAPE), kept, "after the caller changed the array of the vertices")
    large = np.random.default_rng(0).uniform(size=(LARGE, 2))
    module.Polygon(large)
    before = resident()
    for _ in range(MANY):
        module.Polygon(large)
    lost = resident() - before
    if lost > MOST_BYTES:
        raise Wrong(
            f"{MANY} polygons were made and deleted, and {lost / 1e6:.0f} MB did not come back: "
            "what does __dealloc__ do?"
        )


def resident():
    """Return the bytes of memory that the process has now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
