"""The registry: every rung of the ladder, once. All that asks for rungs reads it.

A new rung is one file and one entry here; CONTRIBUTING.md says how, and `polymask/ladder/rung.py`
what an entry can say. Its work is in terms of `polymask/ladder/work.py`.
"""

import difflib
from dataclasses import replace

from polymask.common.error_text import shown
from polymask.contract import Unavailable
from polymask.ladder.rung import Rung, Without
from polymask.ladder.work import (
    BRANCHES,
    COMING_LATE,
    CUDA_LAUNCH,
    DIVISION,
    INTERPRETED,
    LAUNCH,
    LIMITS,
    OFFLOAD,
    PER_PIXEL,
    PER_PIXEL_BY_TEAM,
    RULE,
    SCANLINE,
    SYCL_LAUNCH,
    TEAM,
    WAKING,
    Work,
    plus,
)

BASE = "python.tuples"  # the denominator of every speed-up
MOST_DIGITS = 640  # of a number: Python reads as many, however it is set


def whole_number(text):
    """Read a whole number, say 16."""
    digits = text.removeprefix("-")
    if not digits.isdecimal():
        raise ValueError(f"expected a whole number, like 16, got {shown(text)}")
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits is too large")
    return int(text)


def rows_by_cols(text):
    """Read ``ROWSxCOLS``, say 8x16, as (8, 16)."""
    rows, x, cols = text.lower().partition("x")
    if not (x and rows.isdecimal() and cols.isdecimal()):
        raise ValueError(f"expected ROWSxCOLS, like 8x16, got {shown(text)}")
    return whole_number(rows), whole_number(cols)


def kind_and_rows(text):
    """Read ``KIND[,ROWS]`` of a schedule, say dynamic,16, as ("dynamic", 16); no ROWS are 0."""
    kind, comma, rows = text.partition(",")
    if comma and not rows.isdecimal():
        raise ValueError(f"expected KIND or KIND,ROWS, like dynamic,16, got {shown(text)}")
    return kind, whole_number(rows or "0")


INTERPRETER = "the interpreter reads bytecode, looks names up and takes tuples apart besides"
SCALARS = "the interpreter's own work comes on top, and NumPy's scalars compare slower than floats"
ACCUMULATE = "`logical_xor.accumulate` takes a pixel at a time, and each waits for the one before"

ITEM_PER_PIXEL = Work(
    # A driver may put pixels side by side into vector registers.
    operations={"multiply_vector_s": RULE},
    divisions={"divide_vector_s": DIVISION},
    launch=LAUNCH,
    traffic={"pixels": 2},  # the copy to the host
    rest={
        "arithmetic": "the limit is that of vector registers full of pixels, which the rule's "
        "branches hinder"
    },
)
# The mask's copy to the host.
OFFLOADED = replace(PER_PIXEL_BY_TEAM, launch=OFFLOAD, traffic={"pixels": 2})

RUNGS = (
    Rung(
        "python.tuples",
        "0_python/tuples.py",
        "Python, list of tuples",
        "profile before anything else",
        style="loop",
        course_seconds=36,
        work=replace(INTERPRETED, rest={"calls": INTERPRETER, "arithmetic": INTERPRETER}),
    ),
    Rung(
        "python.scalars",
        "0_python/scalars.py",
        "Python, NumPy array of vertices",
        "an array is not faster by itself",
        style="loop",
        before="python.tuples",
        changes="library",
        course_seconds=450,
        work=replace(
            INTERPRETED,
            calls=INTERPRETED.calls | {"item_s": {"visited": 4}},
            rest={"calls": SCALARS, "arithmetic": SCALARS},
        ),
    ),
    Rung(
        "python.vectorized",
        "0_python/vectorized.py",
        "NumPy, vectorized",
        "move the loop into C by arrays; memory traffic",
        style="array",
        before="python.tuples",
        changes="library",
        course_seconds=0.238,
        # Each operator runs over the whole image: on doubles, eight times as many bytes as on
        # Booleans, which are not counted. Lesson 0 has the bytes in a table.
        work=Work(
            operations={
                "multiply_vector_s": {"edge_pixels": 2, "sloping_pixels": 3, "slanted_pixels": 4}
            },
            divisions={"divide_vector_s": {"slanted_pixels": 1}},
            calls={"array_call_s": {"once": 2, "edges": 4, "sloping": 6, "slanted": 6}},
            traffic={"pixels": 48, "edge_pixels": 24, "sloping_pixels": 36, "slanted_pixels": 84},
            rest={
                "memory": "its arrays take eight bytes a pixel, and pass through slower memory "
                "than a mask does"
            },
            last_edge_first=False,
        ),
    ),
    Rung(
        "cython.compiled",
        "0_python/tuples.py",
        "Cython, nothing but compiled",
        "what compiling alone gives",
        style="loop",
        lesson="1_cython",
        before="python.tuples",
        changes="language",
        compiled="Cython",
        course_seconds=9,
        work=Work(
            operations={"object_operation_s": plus(RULE, divided=1)},
            calls={"compiled_call_s": {"pixels": 1}},
            rest={
                "arithmetic": "each number is an object, looked up in a tuple and its references "
                "counted"
            },
            last_edge_first=False,
        ),
    ),
    Rung(
        "cython.typed",
        "1_cython/typed.pyx",
        "Cython, typed",
        "remove the yellow; then see the calls and buffers that are left",
        style="loop",
        before="cython.compiled",
        changes="language",
        compiled="Cython",
        without=Without("cclass.polygon", "a Python call and of a buffer for each pixel"),
        course_seconds=3.6,
        work=replace(
            PER_PIXEL,
            calls={"compiled_call_s": {"pixels": 1}, "buffer_s": {"pixels": 1}},
            rest={"calls": "the rule itself, which is C now, comes on top"},
            last_edge_first=False,
        ),
    ),
    Rung(
        "clib.points",
        "2_clib/points.pyx",
        "Cython + C library",
        "wrap C; the cost of building the points",
        style="loop",
        before="cython.typed",
        changes="library",
        compiled="Cython",
        course_seconds=0.270,
        work=replace(
            PER_PIXEL,
            traffic={"pixels": 64},  # 16 each: written as x and y, read and written as points, read
            rest={"arithmetic": f"the points have to be built first; and {BRANCHES}"},
        ),
    ),
    Rung(
        "cclass.polygon",
        "3_cclass/polygon.pyx",
        "Cython class",
        "keep state in C, cross the border once",
        style="loop",
        before="clib.points",
        changes="language",
        compiled="Cython",
        course_seconds=0.118,
        work=PER_PIXEL,
    ),
    Rung(
        "cclass.cpp",
        "3_cclass/cpp.pyx",
        "C++ class, wrapped",
        "libcpp, except +, ownership",
        style="loop",
        before="cclass.polygon",
        changes="language",
        compiled="Cython",
        work=PER_PIXEL,
    ),
    Rung(
        "openmp.prange",
        "4_openmp/prange.pyx",
        "OpenMP",
        "the GIL, nogil, schedules, when threads pay",
        style="loop",
        before="cclass.polygon",
        changes="threads",
        compiled="Cython",
        openmp=True,
        options={"threads": whole_number, "schedule": kind_and_rows},
        first_call="starts the threads, which stay",
        course_seconds=0.020,
        work=PER_PIXEL_BY_TEAM,
    ),
    Rung(
        "openmp.simd",
        "4_openmp/simd.pyx",
        "OpenMP, eight pixels at a time",
        "vector units; what the compiler needs to see",
        style="loop",
        before="openmp.prange",
        changes="language",
        compiled="Cython",
        openmp=True,
        options={"threads": whole_number},
        first_call="starts the threads, which stay",
        # An edge's rows are asked for once for eight pixels; five operations take all eight.
        work=Work(
            operations={
                "multiply_s": {"edge_blocks": 3, "above_blocks": 2, "crossing_blocks": 7},
                "multiply_vector_s": {"crossing_blocks": 5 * 8},
            },
            divisions={"divide_s": {"crossing_blocks": 1}},
            calls=TEAM,
            rest={
                "arithmetic": "a branch tests the rows of each edge, anew for each eight pixels",
                "calls": WAKING,
            },
        ),
    ),
    Rung(
        "opencl.pixels",
        "5_opencl/pixels.py",
        "PyOpenCL, an item per pixel",
        "contexts, queues, buffers, work-groups, event times",
        style="kernel",
        before="openmp.prange",
        changes="device",
        device="opencl",
        kernel="mask.cl",
        extra="opencl",
        options={"work_group": rows_by_cols},
        first_call="finds a device, makes a context and builds the kernel",
        course_seconds=0.003,
        work=ITEM_PER_PIXEL,
    ),
    Rung(
        "numba.njit",
        "6_numba/njit.py",
        "Numba, the plain loop",
        "compile Python while it runs; types, and what the first call costs",
        style="loop",
        before="python.tuples",
        changes="library",
        jit="numba",
        extra="numba",
        first_call="infers types, and compiles the loop and the rule for this processor",
        work=replace(PER_PIXEL, last_edge_first=False),
    ),
    Rung(
        "numba.prange",
        "6_numba/prange.py",
        "Numba, rows shared among threads",
        "a parallel loop without a compiler's flag; who shares the rows",
        style="loop",
        before="numba.njit",
        changes="threads",
        jit="numba",
        extra="numba",
        options={"threads": whole_number},
        first_call="starts the threads, and compiles the loop and the rule for this processor",
        work=replace(PER_PIXEL_BY_TEAM, last_edge_first=False),
    ),
    Rung(
        "numba.guvectorize",
        "6_numba/guvectorize.py",
        "Numba, a kernel per row",
        "write one row; NumPy's broadcasting calls it for all",
        style="kernel",
        before="numba.prange",
        changes="library",
        jit="numba",
        extra="numba",
        options={"target": str},
        first_call="compiles the kernel for this processor",
        work=replace(PER_PIXEL_BY_TEAM, last_edge_first=False),
    ),
    Rung(
        "numba.vectorize",
        "6_numba/vectorize.py",
        "Numba, a ufunc per edge",
        "fuse a dozen passes into one; when parallel is slower",
        style="kernel",
        before="python.vectorized",
        changes="library",
        jit="numba",
        extra="numba",
        options={"target": str},
        first_call="compiles the kernel for this processor",
        work=replace(
            PER_PIXEL,
            calls={"array_call_s": {"once": 4, "edges": 1}},
            # For each edge a byte of every pixel is read and written; at last, vertices are found.
            traffic={"edge_pixels": 2, "pixels": 2},
            last_edge_first=False,
        ),
    ),
    Rung(
        "numba.cuda",
        "6_numba/gpu.py",
        "Numba, a thread per pixel on a GPU",
        "a kernel in Python: grids, blocks, streams, device arrays",
        style="kernel",
        named="polymask.numba.gpu",
        before="numba.prange",
        changes="device",
        jit="numba",
        device="cuda",
        packages=("numba", "numba_cuda"),
        extra="cuda",
        options={"work_group": rows_by_cols},
        first_call="finds a device, and compiles the kernel for it",
        work=replace(ITEM_PER_PIXEL, launch=CUDA_LAUNCH, last_edge_first=False),
    ),
    Rung(
        "numba.linked",
        "6_numba/linked.py",
        "Numba, linked with a rule in C",
        "two languages in one kernel: declarations, and a linker that inlines",
        style="kernel",
        before="numba.cuda",
        changes="language",
        jit="numba",
        device="cuda",
        packages=("numba", "numba_cuda", "cffi"),
        extra="cuda",
        options={"work_group": rows_by_cols},
        first_call="finds a device, compiles rule and kernel for it, and links them",
        work=replace(ITEM_PER_PIXEL, launch=CUDA_LAUNCH),
    ),
    Rung(
        "offload.copy",
        "7_offload/copied.py",
        "offload, plain arrays copied",
        "what an offload runtime is: devices, streams, kernels",
        style="kernel",
        named="polymask.offload.masks.copied",
        before="openmp.prange",
        changes="library",
        device="offload",
        batch=True,
        options={"device": whole_number},
        first_call="finds the device, and compiles the kernel unless that has been done",
        work=replace(OFFLOADED, traffic={"pixels": 4}),  # the mask's copies in and out
    ),
    Rung(
        "offload.bound",
        "7_offload/bound.py",
        "offload, bound arrays",
        "what is copied when, and what is waited for",
        style="kernel",
        named="polymask.offload.masks.bound",
        before="offload.copy",
        changes="library",
        device="offload",
        batch=True,
        options={"device": whole_number},
        first_call="finds the device, and compiles the kernel unless that has been done",
        work=OFFLOADED,
    ),
    Rung(
        "offload.stream",
        "7_offload/streamed.py",
        "offload, pointers and two streams",
        "copies beside kernels: a batch keeps both busy",
        style="kernel",
        named="polymask.offload.masks.streamed",
        before="offload.bound",
        changes="library",
        device="offload",
        batch=True,
        options={"device": whole_number},
        first_call="finds the device, and compiles the kernel unless that has been done",
        work=OFFLOADED,
    ),
    Rung(
        "sycl.kernel",
        "8_sycl/kernel.py",
        "dpctl, an item per pixel",
        "queues, unified shared memory; one kernel, two compilers",
        style="kernel",
        before="opencl.pixels",
        changes="library",
        device="sycl",
        kernel="mask.cl",
        extra="sycl",
        packages=("dpctl",),
        options={"memory": str},
        first_call="finds a device, makes a queue and builds the kernel",
        work=replace(ITEM_PER_PIXEL, launch=SYCL_LAUNCH),
    ),
    Rung(
        "sycl.native",
        "8_sycl/native.pyx",
        "dpctl, submitted in Cython",
        "objects of Python have an interface in C",
        style="kernel",
        before="sycl.kernel",
        changes="language",
        compiled="Cython",
        device="sycl",
        kernel="mask.cl",
        extra="sycl",
        packages=("dpctl",),
        first_call="finds a device, makes a queue and builds the kernel",
        work=replace(ITEM_PER_PIXEL, launch=SYCL_LAUNCH, traffic={}),  # nothing is copied
    ),
    Rung(
        "sycl.array",
        "8_sycl/dpnp_array.py",
        "dpnp, NumPy on a SYCL device",
        "compute follows data: an array says where it is",
        style="array",
        named="polymask.sycl.dpnp_array",
        before="python.vectorized",
        changes="device",
        device="sycl",
        extra="dpnp",
        packages=("dpctl", "dpnp"),
        first_call="finds a device, and loads a kernel for each operator",
    ),
    Rung(
        "scanline.rows",
        "9_scanline/rows.py",
        "scanline in NumPy",
        "crossings per row, then parity: the algorithm beats the machine",
        style="array",
        before="python.vectorized",
        changes="algorithm",
        work=Work(
            operations={"multiply_s": {"pixels": 1}, "multiply_vector_s": {"crossings": 9}},
            divisions={"divide_vector_s": {"crossings": 1}},
            calls={"array_call_s": {"once": 2, "crossing_edges": 12}},
            traffic={"pixels": 2, "crossings": 261},
            rest={
                "arithmetic": ACCUMULATE,
                "memory": ACCUMULATE,
                "calls": "each edge makes small arrays of its rows, and picks from them by index",
            },
        ),
    ),
    Rung(
        "scanline.engine",
        "9_scanline/engine.pyx",
        "scanline in C++, one thread",
        "crossings per row, bits, parity: one write per pixel",
        style="loop",
        before="scanline.rows",
        changes="language",
        compiled="Cython",
        work=replace(SCANLINE, terms=("pixels", "crossings")),
    ),
    Rung(
        "scanline.threads",
        "9_scanline/threads.pyx",
        "scanline in C++, threads",
        "bands: what fits the cache is the unit of work",
        style="loop",
        before="scanline.engine",
        changes="threads",
        compiled="Cython",
        options={"threads": whole_number},
        first_call="starts the threads, which stay",
        work=replace(SCANLINE, rest=dict.fromkeys(LIMITS, COMING_LATE)),
    ),
    Rung(
        "scanline.opencl",
        "9_scanline/opencl.py",
        "scanline in PyOpenCL, groups of rows",
        "local memory, atomics, barriers, wide stores",
        style="kernel",
        before="opencl.pixels",
        changes="algorithm",
        device="opencl",
        extra="opencl",
        options={"work_group": rows_by_cols},
        first_call="finds a device, makes a context and builds the kernel",
        work=Work(
            operations={
                "multiply_s": {"edge_rows": 3, "above_rows": 2, "crossings": 9},
                "multiply_vector_s": {"pixels": 1},
            },
            divisions={"divide_s": {"crossings": 1}},
            launch=LAUNCH,
            traffic={"pixels": 2},
        ),
    ),
)

BY_KEY = {rung.key: rung for rung in RUNGS}


def get(key):
    """Return the rung of that key; a KeyError's text names the nearest keys."""
    if key not in BY_KEY:
        raise KeyError(f"no rung is called {shown(key)}{nearest(key, BY_KEY)}")
    return BY_KEY[key]


def chain(rung):
    """Return a rung and all that it builds on: the one before it, the one before that, ..."""
    return [rung, *chain(get(rung.before))] if rung.before else [rung]


def other_algorithm(rung):
    """Return whether a rung, or one that it builds on, changes the algorithm."""
    return any(one.changes == "algorithm" for one in chain(rung))


def unavailable(ask=Rung.load):
    """Try all rungs; return those that cannot run here: key to the `Unavailable` that says why.

    `Rung.look` in the place of `Rung.load` is faster, and believes in compilers that it sees.
    """
    found = {}
    for rung in RUNGS:
        try:
            ask(rung)
        except Unavailable as missing:
            found[rung.key] = missing
    return found


def nearest(name, names):
    """Return words like "; did you mean 'a' or 'b'?", or where nothing is near, all names."""
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    if close:
        return f"; did you mean {' or '.join(map(repr, close))}?"
    return f"; there are {', '.join(names)}"
