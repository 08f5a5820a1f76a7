"""Looks at what the wrapper owns, and what it makes of a C++ exception."""

import os
from pathlib import Path

import numpy as np

from polymask.workshop.compare import Wrong

MANY, LARGE = 2000, 5000  # polygons, vertices: 160 MB if none is deleted
MOST_BYTES = 40e6


def check(module, random):
    """Raise `Wrong` if C++ objects stay behind, or a bad polygon is taken."""
    large = np.random.default_rng(0).uniform(size=(LARGE, 2))
    module.Polygon(large)
    before = resident()
    for _ in range(MANY):
        module.Polygon(large)
    lost = resident() - before
    if lost > MOST_BYTES:
        raise Wrong(
            f"{MANY} polygons were made and deleted, and {lost / 1e6:.0f} MB did not come back: "
            "who deletes the C++ object?"
        )
    declared = Path("source/polygon.pxd")  # the check runs beside the copies that were built
    if declared.exists() and "except +" not in declared.read_text(encoding="utf-8"):
        raise Wrong(
            "polygon.pxd: the constructor may throw, and an exception of C++ that reaches Python "
            "ends the process: say `except +`"
        )


def resident():
    """Return the bytes of memory that the process has now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
