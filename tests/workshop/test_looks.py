"""How a check examines an answer's files, and explains its errors."""

import dataclasses
import re
import signal

import pytest
from cases import folded

from ladder.workshop import exercises
from ladder.workshop.sandbox import build, child_handle, compiler_hints, kernel
from ladder.workshop.sandbox.check_failed import CheckFailed
from ladder.workshop.student import messages

# Given files, and a watched file in place of one


def folder_of(exercise, folder, **changed):
    folder.mkdir()
    for name in exercise.files:
        text = exercise.solution(name)
        (folder / name).write_text(changed.get(name, text), encoding="utf-8")
    return folder


def test_a_changed_given_file_is_named_with_the_line(tmp_path):
    exercise = exercises.get("setup")
    original = exercise.solution("tuples.py")
    lines = original.splitlines()
    number = lines.index("    inside = False") + 1
    changed = [*lines[: number - 1], "    inside = 0", *lines[number:]], lines[: number - 1]
    for i, texts in enumerate(changed):
        folder = folder_of(exercise, tmp_path / str(i), **{"tuples.py": "\n".join(texts) + "\n"})
        message = rf"line {number} differs. Change only setup.py, and copy 0_python/tuples\.py"
        with pytest.raises(CheckFailed, match=message):
            build.snapshot(exercise, folder, tmp_path / "place")


def test_a_given_file_may_have_other_ends_of_lines(tmp_path):
    exercise = exercises.get("setup")
    text = exercise.solution("tuples.py")
    folder = folder_of(exercise, tmp_path / "own")
    (folder / "tuples.py").write_bytes(text.replace("\n", "\r\n").encode())
    build.snapshot(exercise, folder, tmp_path / "place")


def test_a_watched_file_includes_the_given_one(tmp_path):
    exercise = exercises.get("wrap")
    name = "points_inside_polygon.c"
    folder = folder_of(exercise, tmp_path / "own")
    digest = build.snapshot(exercise, folder, tmp_path / "place")
    built = (tmp_path / "place" / build.FOLDER / name).read_text(encoding="utf-8")
    assert exercise.solution(name) in built
    assert "polymask_held" in built
    assert f'#include "{name}"' not in built
    assert (folder / name).read_text(encoding="utf-8") == exercise.solution(name)
    unwatched = dataclasses.replace(exercise, watched={})
    assert digest != build.snapshot(unwatched, folder, tmp_path / "place")


# Messages


@folded(
    ("output", "cause"),
    [
        ("points.pyx:10:0: 'a/a.pxd' not found", "a.pxd does not declare"),
        ("points.pyx:10:0: 'a/b.pxd' not found", "a.pxd does not declare"),
        ("p.pyx:9:0: 'a.pxd' not found\np.pyx:9:0: 'a/b.pxd' not found", "a.pxd is missing"),
        ("p.pyx:9:0: 'some' not declared in module 'polygon'", "polygon.pxd does not declare"),
        (
            "p.pyx:9:0: Calling gil-requiring function not allowed without gil",
            "must be declared `nogil`",
        ),
        (
            "    cpdef void fill(self) nogil:\n    ^\n---\np.pyx:24:4: Discarding owned Python "
            "object not allowed without gil\n"
            "Calling gil-requiring function not allowed without gil",
            "leave out `nogil`",
        ),
        ("p.pyx:9:0: Coercion from Python not allowed without the GIL", "everything must be C"),
        ("p.pyx:6:8: Assignment of Python object not allowed without gil", "must be C"),
        ("p.pyx:8:12: Cannot read reduction variable in loop body", "`x = x + ...`"),
        ("p.pyx:12:13: cdef statement not allowed here", "above all loops"),
        ("cc1: error: argument to '-O' should be a non-negative integer", "a string for each"),
        ('[["gcc", "-O3 -fopenmp"]]', "a string for each"),
        ('[["gcc", "-O3", "-openmp"]]', "the flag is `-fopenmp`"),
        ("gcc: error: unknown floating point contraction style 'off-fopenmp'", "a comma is"),
        ("gcc: error: -E or -x required when input is from standard input", "flags are a list"),
        ("p.pyx:2:5: 'uint8_t' is not a type identifier", "libc.stdint cimport uint8_t`"),
        ("Cannot assign type 'const double *' to 'double *'", "add `const`"),
        ("Cannot take address of Python object", "make a typed memoryview"),
        ("fatal error: numpy/arrayobject.h: No such file or directory", "numpy.get_include()"),
        ("undeclared name not builtin: malloc", "`from libc.stdlib cimport malloc, free`"),
        ("undeclared name not builtin: edges", "edges was never declared"),
        (
            "p.pyx:9:17: undeclared name not builtin: prange\n"
            "Calling gil-requiring function not allowed without gil",
            "`from cython.parallel cimport prange`",
        ),
        ("Object of type 'Polygon' has no attribute 'fill'", "Polygon is declared without fill"),
        ("something else", ""),
    ],
)
def test_the_cause_of_a_failed_build_is_explained(output, cause):
    assert cause in compiler_hints.of(output)
    assert bool(compiler_hints.of(output)) == bool(cause)


CYTHON_ERROR = "Error compiling Cython file:\n---\nx = y\n---\np.pyx:{}:4: undeclared name '{}'\n"


def test_the_first_error_of_cython_is_shown_and_the_others_are_counted():
    errors = ((3, "y"), (4, "z"), (9, "w"))
    message = build.first_error("".join(CYTHON_ERROR.format(*error) for error in errors))
    assert "p.pyx:3:4: undeclared name 'y'\n... and 2 more errors" in message
    assert "p.pyx:4" not in message
    error = CYTHON_ERROR.format(3, "y")
    assert build.first_error(error) == error


@folded(
    "command",
    [
        "error: command '/usr/bin/g++' failed with exit code 1",
        "CompileError: Command '['g++', '-c', 'p.cpp']' returned non-zero exit status 1.",
    ],
)
def test_the_command_of_the_compiler_is_left_out(command):
    output = f"p.cpp:1:9: error: expected ';'\n{command}\n"
    assert build.about_the_student(output, "/a/source") == "p.cpp:1:9: error: expected ';'"


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        ("const uint8 *a, uint8 *out", "`uchar`"),
        ("global int16* sums", "`short`"),
        ("const uchar *a, uint4 *out", ""),  # a vector, but not a NumPy name
        ("np.uint8, uint8(a * b)", ""),
    ],
)
def test_a_numpy_type_that_is_a_vector_in_opencl_c_is_explained(source, cause):
    assert cause in compiler_hints.of_vector(source)
    assert bool(compiler_hints.of_vector(source)) == bool(cause)


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("mask[y, x] = 1;", "in C, mask[y, x] is mask[x]"),
        ("mask[y * rows + x] = 1;", "row y begins at y * cols"),
        ("mask[y * cols + x] = 1; // not mask[y, x]", ""),
    ],
)
def test_a_wrong_index_of_a_pixel_is_explained(line, cause):
    found = compiler_hints.of_table(compiler_hints.INDICES, f"// a kernel\n{line}\n")
    assert cause in found
    assert bool(found) == bool(cause)


@pytest.mark.parametrize(
    ("message", "advice"),
    [
        ("Kernel.set_arg failed: INVALID_VALUE - when processing arg#1 (1-based): x", "np.int32"),
        ("Kernel.set_arg failed: INVALID_VALUE - invalid kernel argument", "np.int32"),
        ("clSetKernelArg failed: INVALID_ARG_SIZE - when processing arg#3", "argument 3"),
        ("unknown type 'float32'", "write `float`"),
        ("The truth value of an array with more than one element is ambiguous", "write `&`"),
        ("ufunc 'bitwise_and' not supported for the input types", "put each comparison in"),
        ("Buffer dtype mismatch, expected 'float' but got 'double'", "float64 is `double`"),
        ("clEnqueueReadBuffer failed: INVALID_VALUE", "takes its size in bytes"),
        ("Cannot cast ufunc 'add' output from dtype('int64') to dtype('bool')", "toggle them"),
        ("'Event' object is not iterable", "takes a list of events"),
        ("int() argument must be a string or a real number, not 'Array'", "`get... fetches it"),
        ("Untyped global name 'prange': Cannot determine", "prange was .* `numba.prange`"),
        ("Unknown attribute 'check' of type Module(<module", "compile only the loops"),
        ("'numpy.ndarray' object has no attribute 'queue'", "PyOpenCL takes arrays of the device"),
        ("tid=[2, 0, 0] ctaid=[1, 0, 0]: index 9 is out of bounds for axis 1", "thread .2, 0."),
    ],
)
def test_an_argument_that_a_kernel_rejects_is_explained(message, advice):
    error = {"type": "LogicError", "bases": [], "message": message, "lines": [("a.py", 7)]}
    assert re.match(
        f"a.py, line 7: .*{advice}", messages.describe_exception(error, exercises.get("vector_add"))
    )


def test_a_place_inside_a_macro_is_that_of_the_generated_kernel():
    text = "In file\n/a/b.cl:40:21 <Spelling=/a/b.cl:3:39>: error: x\n"
    assert kernel.compiler_lines(text) == "line 40 of the kernel's source, column 21: error: x"


NOT_YET = 'raise NotImplementedError("the conditions of one edge, for the arrays x and y")'


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda text: text, "not written yet: the conditions of one edge"),
        (lambda text: "# a comment\n" + text, "replace that line with your code"),
        (
            lambda text: text.replace(NOT_YET, "inside ^= x > x1\n        " + NOT_YET),
            "the starter's line still follows your code: delete it (read docs/concepts/",
        ),
        (
            lambda text: text.replace(NOT_YET, "raise NotImplementedError('holes')"),
            "NotImplementedError: holes",
        ),
    ],
)
def test_the_starters_message_is_distinguished_from_others(change, expected, tmp_path):
    exercise = exercises.get("vectorize")
    text = change(exercise.starter(exercise.main))
    (tmp_path / exercise.main).write_text(text, encoding="utf-8")
    number = text[: text.index("raise NotImpl")].count("\n") + 1
    message = "holes" if "holes" in text else NOT_YET.split('"')[1]
    error = {"type": "NotImplementedError", "bases": ["NotImplementedError"], "message": message}
    description = messages.describe_exception(
        error | {"lines": [[exercise.main, number]]}, exercise, tmp_path
    )
    assert description.startswith(f"{exercise.main}, line {number}: ")
    assert expected in description
    assert ("not written yet" in description) == (message != "holes" and "x > x1" not in text)


def test_a_double_free_is_distinguished_from_an_overwritten_heap():
    ended = child_handle.Ended(-signal.SIGABRT, "free(): double free detected in tcache 2\n", False)
    message = messages.describe_end(
        child_handle.Stopped(ended, "making a mask", 9.0), exercises.get("buffer")
    )
    assert message.endswith("Aborted (signal 6): memory was freed twice")
