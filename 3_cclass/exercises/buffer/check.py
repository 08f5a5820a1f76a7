"""Change the caller's array, search for memory that is not freed, and exhaust the memory."""

import re
import signal

import numpy as np

from ladder.workshop.sandbox import classes, memory
from ladder.workshop.sandbox.check_failed import CheckFailed, same_mask
from ladder.workshop.sandbox.translated import Translated

SHAPE = (12, 17)
NOT_TESTED = (
    "malloc returned NULL because no memory was left, but the vertices were copied there anyway. "
    "Test the pointer before the copy, and raise MemoryError"
)
CALLS = {  # the C function that each method must call, of any family, and a message
    "__cinit__": (r"alloc\(", "allocates no memory: put the copy in memory from malloc"),
    "__dealloc__": (r"free\(", "frees no memory: pass the pointer from malloc to free"),
}

ALIVE = []  # a polygon that is never freed, so that a wrong `free` crashes only after its message


def first(answer, random):
    """Raise `CheckFailed` if a polygon keeps a part of its vertices: C would read beyond them."""
    ALIVE.append(answer.Polygon(np.array([(0.0, 0.0), (5.0, 0.0), (0.0, 5.0)])))
    c_code, n = Translated(), 40_000
    for name, (call, message) in CALLS.items():
        pattern = re.compile(rf"(?<![.>])\b(PyMem_\w*|[mcre]*){call}", re.I)
        if not any(pattern.search(function.body) for function in c_code.reached(name)):
            raise CheckFailed(f"{name} of Polygon {message}")
    share = memory.measure_growth(answer.Polygon, 100, n) / (100 * n * memory.VERTEX)
    if 0.4 < share < 0.6:
        raise CheckFailed("C reads beyond the memory: a vertex has two doubles, 16 bytes")
    if 0 < share < 0.15:  # an eighth or less; 0 if the system does not tell
        fact = "too little is copied: malloc and memcpy count bytes"
        raise CheckFailed(f"{fact}, and memcpy writes to its first argument")


def check(answer, random):
    """Raise `CheckFailed` if the polygon owns no copy, or does not free its memory."""
    classes.check_extension_type(answer, "Polygon")
    classes.check_always_made(answer, "Polygon")
    check_bytes(Translated().reached("__cinit__"))
    vertices = np.array([(1.0, 1.0), (15.0, 2.0), (4.0, 10.0)])
    polygon = answer.Polygon(vertices)
    kept = polygon.mask(SHAPE)
    vertices[...] = 0
    same_mask(polygon.mask(SHAPE), kept, "after the caller changed the array of the vertices")
    memory.check_given_back(answer.Polygon, "does __dealloc__ free it?")
    crashes = {signal.SIGSEGV: NOT_TESTED}
    memory.check_exhausted(answer.Polygon, "malloc returned NULL", crashes)


def check_bytes(functions):
    """Raise `CheckFailed` if a number of bytes is an int, which shows only beyond 2 GB."""
    for function in functions:
        for name in re.findall(r"alloc\(\(*(__pyx_v_(\w+))\)", function.body, re.I):
            if re.search(rf"\b(int|short) {name[0]};", function.body):
                raise CheckFailed(
                    f"{name[1]} has 32 bits, too few for the bytes of many vertices: declare it "
                    "as size_t, the type of malloc's argument"
                )
