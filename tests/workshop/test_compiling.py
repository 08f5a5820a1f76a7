"""Answers compiled with Numba: what their environments observe and change."""

import pytest
from cases import says

pytest.importorskip("numba")

ARRAYS = "A, B = np.random.default_rng(3).normal(size=(2, 4, 5))\n"


@pytest.fixture
def error_of(run_check):
    """Check an answer to `saxpy`, which uses four Numba threads; return the message."""

    def run(text, check):
        text = "import numba\nimport numpy as np\n" + text
        return run_check("saxpy", ARRAYS + check, text=text, under={"compiled": {}}).message

    return run


KINDS = """
@numba.njit
def loop(a):
    return inner(a)

inner = numba.njit(parallel=True)(lambda a: a.sum())
ufunc = numba.vectorize(lambda a: -a)
by_threads = numba.vectorize(["f8(f8)"], target="parallel")(lambda a: -a)

@numba.guvectorize(["(f8[:], f8[:])"], "(n)->()", target="parallel")
def rows(a, out):
    out[0] = a.sum()

objects = numba.jit(forceobj=True)(lambda a: a.sum())

def kinds(a):
    return loop(a), inner(a), ufunc(a), by_threads(a), rows(a), objects(a)
"""


@pytest.mark.slow
def test_calls_from_python_are_read_from_the_compiled_module(error_of):
    check = """
_, facts = child.observe(answer.kinds, A)
assert [(n["decorator"], n["parallel"], n["nopython"]) for n in facts["compiled"]] == [
    ("njit", False, True),
    ("njit", True, True),
    ("vectorize", False, True),
    ("vectorize", True, True),
    ("guvectorize", True, True),
    ("njit", False, False),
]
assert np.isclose(answer.loop(A), A.sum())
compiling.check_exact()
"""
    assert error_of(KINDS, check) == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["empty", "zeros"])
def test_compiled_functions_may_make_arrays_where_those_of_numpy_are_guarded(name, run_check):
    text = f"""
import numba
import numpy as np

from polymask import contract


@numba.njit(parallel=True)
def fill(rows, cols):
    mask = np.{name}((rows, cols), np.uint8)
    mask[:] = 1
    return mask + np.{name}(cols, dtype=np.uint8) * 0


def make_mask(vertices, shape, border_value=True):
    return fill(*shape)
"""
    check = """
got, _ = child.observe(answer.make_mask, [(0, 0), (1, 0), (0, 1)], (3, 4))
np.testing.assert_array_equal(got, np.ones((3, 4), np.uint8))
"""
    under = {"guards": {}, "compiled": {}}
    assert run_check("njit", check, text=text, under=under).message == ""


@pytest.mark.slow
def test_types_that_leave_read_only_arrays_out_are_named(error_of):
    f = '@numba.njit("(f8[:, ::1],)")\ndef f(a):\n    return a.sum()\n'
    assert says(error_of(f, "A.flags.writeable = False\nanswer.f(A)"), "leave", "types")
