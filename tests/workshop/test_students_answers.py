"""Answers that students wrote: each gets the message that names its mistake, or passes."""

import pytest

from ladder.workshop.sandbox import compiler_hints

INIT = """
    def __cinit__(self, vertices):
        pass

    def __init__(self, vertices):"""
EMPTIED = """while costs:
        loads[loads.index(min(loads))] += sum(costs[:chunk])
        del costs[:chunk]
    for first in ():"""
LOOP = "for first in range(0, len(costs), chunk):"
CALL = (
    "    points_inside_polygon(points, len(points), vertices, len(vertices), border_value, result)"
)
UNTYPED = """
    a, b, c = points.ctypes.data, vertices.ctypes.data, result.ctypes.data
    address = ctypes.c_void_p
    points_inside_polygon.argtypes = [address, SIZE, address, SIZE, INT, address]
    points_inside_polygon(a, len(points), b, len(vertices), border_value, c)"""
SHARED = 'for b in prange(blocks, nogil=True, schedule="static", num_threads=threads):'
DIRECTIVES = "# cython: boundscheck=False, wraparound=False, cdivision=True\n"

ROWS = "    for y in numba.prange(mask.shape[0]):"
WHOLE = """    for member in numba.prange(numba.get_num_threads()):
        for y in range(mask.shape[0]):
            for x in range(mask.shape[1]):
                mask[y, x] = rule(x, y, vertices, border_value)
    for y in range(0):"""
FETCH = "    cl.enqueue_copy(queue, h_sum, d_sum)\n"
RATE = '1e-9 * n_bytes / phases(event)["running"]'
INVERSE = '1e9 * phases(event)["running"] / n_bytes'
NARROW = ", (np := __import__('numpy')) and np.int32(len(bound)))"
SQUARE, WAIT = "    second.invoke(library.square", "    second.wait(tripled)\n"
ABC = "    abc = np.empty((m, p))\n"
ONCE = "inside[start] ^= True\n        inside[np.append(start, stop)] ^= True"
XOR = "np.logical_xor.accumulate(inside, out=inside)"
FIRST = "math.floor(min(y1, y2)) + 1, row)"
CORNER = "    (rows, cols), (row, col) = shape, corner\n"
CUT = """    if row or col:
        return make_mask(vertices, (row + rows, col + cols), (0, 0))[row:, col:].copy()
"""

ANSWERS = {  # exercise, changes of its solution (file, old, new), and a part of the message
    "a result converted back": (
        "declared",
        [
            ("vectors.pyx", "double hypot(", "int hypot("),
            ("vectors.pyx", "result = hypot", "cdef double result = hypot"),
        ],
        "declare `double hypot(...)`",
    ),
    "__init__ stores": (
        "class",
        [("polygon.pyx", "\n    def __cinit__(self, vertices):", INIT)],
        "check in __cinit__",
    ),
    "an int for the number of points": (
        "wrap",
        [("points_inside_polygon.pxd", "ptrdiff_t n_points", "int n_points")],
        "declares `int n_points`",
    ),
    "an int for the number of bytes": (
        "buffer",
        [("buffer.pyx", "cdef size_t bytes", "cdef int bytes")],
        "bytes has 32 bits",
    ),
    "lines of the header": (
        "declared",
        [
            (
                "vectors.pyx",
                "hypot(double x, double y)\n",
                "hypot(double x, double y);  /* root */\n",
            )
        ],
        "this is C, which differs from Cython: comments begin with `#`",
    ),
    "a method of the header": (
        "cpp",
        [("polygon.pxd", "bool border_value)\n", "bool border_value) const noexcept;\n")],
        "leave out `const noexcept`",
    ),
    "untyped pointers": (
        "argtypes",
        [("by_ctypes.py", CALL, UNTYPED)],
        "a float32 array is accepted",
    ),
    "a pixel in single precision": (
        "type",
        [("typed.pyx", "inside_polygon(double x, double y,", "inside_polygon(float x, float y,")],
        "coordinates are doubles",
    ),
    "directives below the docstring": (
        "type",
        [("typed.pyx", DIRECTIVES, ""), ("typed.pyx", "import numpy", DIRECTIVES + "import numpy")],
        "must stand above the docstring",
    ),
    "no directives": ("type", [("typed.pyx", DIRECTIVES, "")], "the directives are not in effect"),
    "only the names in the declaration are exchanged": (
        "declared",
        [("vectors.pyx", "result = atan2(y, x)", "result = atan2(x, y)")],
        "the names in a declaration",
    ),
    "one thread adds the blocks in order": (
        "sum_order",
        [("total.pyx", SHARED, "for b in range(blocks):")],
        "one thread does all the work",
    ),
    "the quotient of Python": (
        "division",
        [("division.pyx", '"-7 // 2": -3', '"-7 // 2": -4')],
        "-7 // 2: it is not -4",
    ),
    "the middle is a whole pixel": (
        "division",
        [("division.pyx", "/ 2.0", "/ 2")],
        "drops the fraction",
    ),
    "a number of doubles for bytes": (
        "buffer",
        [("buffer.pyx", "v.shape[0] * 2 * sizeof(double)", "v.shape[0] * 2")],
        "malloc and memcpy count bytes",
    ),
    "n counts numbers": (
        "wrap",
        [("points.pyx", "v.shape[0]", "2 * v.shape[0]")],
        "n = 6, but the polygon has 3 vertices",
    ),
    "a team of the default size": (
        "prange",
        [("prange.pyx", ", num_threads=team)", ")")],
        "by `num_threads=team`",
    ),
    "an emptied list": (
        "schedules",
        [("schedules.py", LOOP, EMPTIED)],
        "the list of costs was changed",
    ),
    "an array of loads": (
        "schedules",
        [("schedules.py", "return loads", "import numpy\n    return numpy.array(loads)")],
        "",
    ),
    "both flags in one string": (
        "setup",
        [("setup.py", '"-O3", "-ffp', '"-O3 -ffp')],
        "write a string for each flag",
    ),
    "flags that are not a list": (
        "setup",
        [("setup.py", '["-O3", "-ffp-contract=off"]', '"-O3 -ffp-contract=off"')],
        'flags are a list: extra_compile_args=["-O3", ...]',
    ),
    "a toggle in place of which a pixel is set": (
        "vectorize",
        [("vectorized.py", "inside ^= crosses", "inside[crosses] = True")],
        "an edge must toggle a pixel",
    ),
    "an index that occurs twice": (
        "rows",
        [
            ("rows.py", "inside[stop] ^= True", ""),
            ("rows.py", "inside[start] ^=", "inside[np.concatenate((start, stop))] ^="),
        ],
        "two toggles of one pixel must cancel",
    ),
    "vertices in a local variable": (
        "class",
        [
            ("polygon.pyx", "self.vertices = c", "points = c"),
            ("polygon.pyx", "self.vertices.s", "points.s"),
        ],
        "Polygon has a field vertices, but nothing is stored in it",
    ),
    "numbers in place of vertices": (
        "class",
        [("polygon.pyx", "self.vertices.shape[0]", "self.vertices.size")],
        "the number of vertices is too large: each has two coordinates",
    ),
    "x first": (
        "class",
        [("polygon.pyx", "mask[y, x] =", "mask[x, y] =")],
        "past the end of an array of 247 bytes (bytes changed: 46); x and y are swapped",
    ),
    "two indices in C++": (
        "cpp",
        [("polygon.cpp", "mask[y * cols + x]", "mask[y, x]")],
        "in polygon.cpp: in C, mask[y, x] is mask[x]: write mask[y * cols + x]",
    ),
    "the number of rows as the pitch": (
        "cpp",
        [("polygon.cpp", "mask[y * cols + x]", "mask[y * rows + x]")],
        "in polygon.cpp: row y begins at y * cols, not at y * rows",
    ),
    "the size of a vector": (
        "cpp",
        [("polygon.cpp", "vertices, n, b", "vertices, vertices_.size(), b")],
        "in polygon.cpp: size() counts coordinates",
    ),
    "no self": (
        "cpp",
        [("cpp.pyx", "self.polygon = new", "polygon = new")],
        "Polygon has a field polygon, but nothing is stored in it",
    ),
    "no extension is built": (
        "setup",
        [("setup.py", ", ext_modules=cythonize([extension])", "")],
        "pass the result of cythonize to `setup` as `ext_modules`",
    ),
    "another name": (
        "setup",
        [("setup.py", 'Extension("tuples"', 'Extension("tuple"')],
        "but 'tuple': correct the first argument of Extension",
    ),
}

EXCHANGES = [  # exercise, file, old, new, and a part of the message
    ("prange", "setup.py", 'extra_link_args=["-f', 'extra_link_args=["-', "the flag is `-fopenmp`"),
    ("parallel", "prange.py", ROWS, WHOLE, "times as long as one"),
    ("kernel", "mask.cl", "[y * cols + x]", "[y, x]", "in mask.cl: in C, mask[y, x] is mask[x]"),
    ("vector_add", "vector_add.py", FETCH, "", "are both vectors sent, the sum fetched"),
    ("vector_add", "vector_add.py", "d_b, h_b)", "d_b, h_a)", "this is only h_a"),
    ("vector_add", "vector_add.py", "(i < n)", "(i < n and i >= 0)", "in C: && for `and`"),
    ("elementwise", "elementwise.py", "d_out.get()", "d_out", "which is still on the device"),
    (
        "elementwise",
        "elementwise.py",
        "    kernel(d_a, d_b, d_out)\n",
        "",
        "no kernel was launched",
    ),
    ("area", "area.py", "uchar *mask", "int *mask", "the array is uint8: declare `uchar *mask`"),
    ("area", "area.py", 'map_expr="mask[i]"', 'map_expr="1"', "the value of pixel i"),
    ("sweep", "sweep.py", "table, min(table, key=table.get)", "table, 1e-3", "must be a shape"),
    ("scan", "scan.py", "? b : (a ^ b)", "? (a ^ b) : b", "must join `a` and `b`"),
    ("scan", "scan.py", "np.int32(cols))", "np.int32(rows))", "a row has `cols`"),
    ("scan", "scan.py", "(a ^ b)", "(a | b)", "parity changes at each toggle"),
    ("events", "events.py", RATE, INVERSE, "that is 1 / expected"),
    ("sum_order", "total.pyx", "np.zeros(blocks)", "np.ones(blocks)", "a sum that begins at 0"),
    ("matmul", "matmul.py", "c[row, col] = ", "c[col, row] = ", "rows and columns are exchanged"),
    ("matmul", "matmul.py", "cuda.blockIdx.x * cuda.blockDim.x + ", "", "no thread wrote"),
    ("double_it", "double_it.py", "bound, len(bound))", "bound)", "all of its arguments"),
    ("double_it", "double_it.py", ", len(bound))", NARROW, "np.int32 has fewer bytes"),
    ("find_bug", "dgemm.c", "*alpha, PYMIC", "*alpha PYMIC", "dgemm.c cannot be compiled"),
    ("shuffle", "shuffle.py", "a.nbytes // 2, a.", "len(a) // 2, a.", "to the device, not"),
    ("two_streams", "two_streams.py", SQUARE, WAIT + SQUARE, "waits before its first kernel"),
    ("chain", "chain.py", ABC, "    return a @ b @ c\n" + ABC, "no kernel was invoked"),
    ("rows", "rows.py", "[start] ^= True", "[start] = True", "two toggles of one pixel must"),
    ("rows", "rows.py", XOR, "inside = np.cumsum(inside) > 0", "what counts is the parity"),
    ("rows", "rows.py", "y[toggles] * cols", "y[toggles] * rows", "row y begins at y * cols"),
    ("rows", "rows.py", "inside[stop] ^= True", ONCE, "each index only once in a statement"),
    (
        "window",
        "window.py",
        FIRST,
        "math.ceil(min(y1, y2)), row)",
        "which of its ends does an edge",
    ),
    ("window", "window.py", CORNER, CORNER + CUT, "draw the window, not the large image"),
]
ANSWERS |= {
    f"{exercise}: {says}": (exercise, [(file, old, new)], says)
    for exercise, file, old, new, says in EXCHANGES
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_gets_a_message_about_its_mistake(name, run_check):
    exercise, edits, message = ANSWERS[name]
    outcome = run_check(exercise, edits=edits)
    assert message in outcome.message
    assert outcome.correct == (not message)


AT = "...\n{0}\n     ^\n-----\nx.pyx:3:5: {1}"  # Cython's message about a line
C_VARIABLE = "Syntax error in C variable declaration"
CONSTANT = "Not allowed in a constant expression"


@pytest.mark.parametrize(
    ("error", "hint"),
    [
        ("undeclared name not builtin: prange", "add `from cython.parallel cimport prange`"),
        (AT.format("void fill(int x) const noexcept;", C_VARIABLE), "leave out `const noexcept`"),
        (AT.format("    int f(int x);  /* twice x */", C_VARIABLE), "comments begin with `#`"),
        (AT.format("        f(x, n)", "undeclared name not builtin: n"), "or assigned"),
        (AT.format("  g(self.x, n)", "undeclared name not builtin: n"), "a field, `self.n`?"),
        (
            AT.format("class P:\n\n    cdef int n", "cdef statement not allowed here"),
            "`cdef class P`",
        ),
        (AT.format("p = &self.v[0]", "Cannot take address of Python object"), "v has no C type"),
        (AT.format("    p = P(3)", "Cannot assign type 'P' to 'P *'"), "from `new P(...)`"),
        (
            AT.format("    self.f()", "Discarding owned Python object not allowed without gil"),
            "must be C",
        ),
        (AT.format("    // twice x", "Expected an identifier, found '//'"), "begin with `#`"),
        (AT.format("P(std::ptrdiff_t n)", "Expected an identifier or literal"), "`ptrdiff_t`, not"),
        (AT.format("cdef int n m = a // b", C_VARIABLE), ""),
        (AT.format("cdef noexcept int f(int x):", C_VARIABLE), "`noexcept` stands after the `)`"),
        (AT.format("cdef int f() except OSError:", CONSTANT), "but not a class"),
        (AT.format("        cdef double self.x = 1", C_VARIABLE), "in the body of the class"),
        (AT.format("        cdef self.n = 1", "Empty declarator"), "in the body of the class"),
        ("Cannot assign type 'const double[:, ::1]' to 'const double *'", "`&view[0, 0]`"),
        ("Cannot take address of memoryview slice", "`&view[0, 0]`"),
        ("Cannot assign type 'void *' to 'double *'", "`<double *>malloc(...)`"),
        ("Invalid types for 'is' (double *, Python object)", "with NULL, not with None"),
        ("Deletion of non-Python, non-C++ object", "by `free(p)`, not"),
        ("Calling gil-requiring function not allowed without gil", "must be declared `nogil`"),
    ],
)
def test_a_message_of_cython_is_explained(error, hint):
    assert hint in compiler_hints.of(error)
    assert hint or not compiler_hints.of(error)
