"""The entries of the course's lessons, 0 to 5; `ladder/registry/rung.py` describes the fields."""

from dataclasses import replace
from functools import partial

from ladder.registry import work
from ladder.registry.rung import Rung
from ladder.registry.work import Work
from polymask.common.error_text import quote
from polymask.common.option_values import rows_by_cols, whole_number

INTERPRETER = "the interpreter also reads bytecode, looks up names and unpacks tuples"
SCALARS = "the interpreter's own work is added, and NumPy's scalars compare more slowly than floats"
cython = partial(Rung, compiled="Cython")


def kind_and_rows(text):
    """Read a schedule ``KIND[,ROWS]``, such as dynamic,16, as ("dynamic", 16); ROWS may be 0."""
    kind, comma, rows = text.partition(",")
    if comma and not rows.isdecimal():
        raise ValueError(f"expected KIND or KIND,ROWS, like dynamic,16, got {quote(text)}")
    return kind, whole_number(rows or "0")


RUNGS = (
    Rung(
        "python.tuples",
        "0_python/tuples.py",
        "Python, list of tuples",
        "profile before anything else",
        course_seconds=36,
        work=replace(work.INTERPRETED, rest={"calls": INTERPRETER, "arithmetic": INTERPRETER}),
    ),
    Rung(
        "python.scalars",
        "0_python/scalars.py",
        "Python, NumPy array of vertices",
        "an array is not faster by itself",
        before="python.tuples",
        changes="data",
        course_seconds=450,
        work=replace(
            work.INTERPRETED,
            calls=work.INTERPRETED.calls | {"item_s": {"visited": 4}},
            rest={"calls": SCALARS, "arithmetic": SCALARS},
        ),
    ),
    Rung(
        "python.vectorized",
        "0_python/vectorized.py",
        "NumPy, vectorized",
        "move the loop into C with arrays; memory traffic",
        before="python.tuples",
        changes="library",
        course_seconds=0.238,
        # Each operator runs over the whole image. Booleans, with an eighth of the bytes of
        # doubles, are not counted. Lesson 0 has the bytes in a table.
        work=Work(
            operations={
                "multiply_vector_s": {"edge_pixels": 2, "sloping_pixels": 3, "slanted_pixels": 4}
            },
            divisions={"divide_vector_s": {"slanted_pixels": 1}},
            calls={"array_call_s": {"once": 2, "edges": 4, "sloping": 6, "slanted": 6}},
            traffic={"pixels": 48, "edge_pixels": 24, "sloping_pixels": 36, "slanted_pixels": 84},
            rest={
                "memory": "its arrays take eight bytes per pixel, and pass through slower memory "
                "than a mask"
            },
            last_edge_first=False,
        ),
    ),
    cython(
        "cython.compiled",
        "0_python/tuples.py",
        "Cython, nothing but compiled",
        "the gain from compiling alone",
        lesson="1_cython",
        before="python.tuples",
        changes="language",
        course_seconds=9,
        work=Work(
            operations={"object_operation_s": work.plus(work.RULE, divided=1)},
            calls={"compiled_call_s": {"pixels": 1}},
            rest={
                "arithmetic": "each number is an object, which is looked up in a tuple and whose "
                "references are counted"
            },
            last_edge_first=False,
        ),
    ),
    cython(
        "cython.typed",
        "1_cython/typed.pyx",
        "Cython, typed",
        "remove the yellow; then find the remaining calls and buffers",
        before="cython.compiled",
        changes="language",
        without="cclass.polygon",
        price="a Python call and of a buffer for each pixel, and of a remainder for each edge",
        course_seconds=3.6,
        work=replace(
            work.PER_PIXEL,
            calls={"compiled_call_s": {"pixels": 1}, "buffer_s": {"pixels": 1}},
            rest={"calls": "the rule itself, which is now C, is added"},
            last_edge_first=False,
        ),
    ),
    cython(
        "clib.points",
        "2_clib/points.pyx",
        "Cython + C library",
        "wrap C; the cost of building the points",
        before="cython.typed",
        changes="library",
        course_seconds=0.270,
        work=replace(
            work.PER_PIXEL,
            traffic={"pixels": 64},  # 16 each: written as x and y, read and written as points, read
            rest={
                "arithmetic": "the points have to be built first, and the loads, the branches and "
                "the loop are not counted"
            },
        ),
    ),
    cython(
        "cclass.polygon",
        "3_cclass/polygon.pyx",
        "Cython class",
        "keep state in C, cross the border once",
        before="clib.points",
        changes="language",
        course_seconds=0.118,
        work=work.PER_PIXEL,
    ),
    cython(
        "cclass.cpp",
        "3_cclass/cpp.pyx",
        "C++ class, wrapped",
        "libcpp, except +, ownership",
        before="cclass.polygon",
        changes="language",
        work=work.PER_PIXEL,
    ),
    cython(
        "openmp.prange",
        "4_openmp/prange.pyx",
        "OpenMP",
        "the GIL, nogil, schedules, when threads pay",
        before="cclass.polygon",
        changes="threads",
        openmp=True,
        options={"threads": whole_number, "schedule": kind_and_rows},
        first_call="starts the threads, which stay",
        course_seconds=0.020,
        work=work.PER_PIXEL_BY_TEAM,
    ),
    cython(
        "openmp.simd",
        "4_openmp/simd.pyx",
        "OpenMP, eight pixels at a time",
        "vector units; what the compiler needs to see",
        before="openmp.prange",
        changes="vectors",
        openmp=True,
        options={"threads": whole_number},
        first_call="starts the threads, which stay",
        # An edge's rows are tested once for eight pixels; five operations handle all eight.
        work=Work(
            operations={
                "multiply_s": {"edge_blocks": 3, "above_blocks": 2, "crossing_blocks": 7},
                "multiply_vector_s": {"crossing_blocks": 5 * 8},
            },
            divisions={"divide_s": {"crossing_blocks": 1}},
            calls=work.TEAM,
            rest={
                "arithmetic": "a branch tests the rows of each edge again for every eight pixels",
                "calls": work.WAKING,
            },
        ),
    ),
    Rung(
        "opencl.pixels",
        "5_opencl/pixels.py",
        "PyOpenCL, an item per pixel",
        "contexts, queues, buffers, work-groups, event times",
        before="openmp.prange",
        changes="device",
        device="opencl",
        extra="opencl",
        packages=("pyopencl",),
        options={"work_group": rows_by_cols},
        first_call="finds a device, makes a context and builds the kernel",
        course_seconds=0.003,
        work=work.ITEM_PER_PIXEL,
    ),
)
