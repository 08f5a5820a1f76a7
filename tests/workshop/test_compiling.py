"""Answers that Numba compiles: what their environments see, and what they change around them."""

import re

import judge
import pytest
from cases import says

pytest.importorskip("numba")

ARRAYS = "A, B = np.random.default_rng(3).normal(size=(2, 4, 5))\n"


@pytest.fixture
def compiles(checked):
    """Check an answer of `saxpy`, which has four threads of Numba's; return what is wrong."""

    def run(text, check):
        text = "import numba\nimport numpy as np\n" + text
        return checked("saxpy", ARRAYS + check, text=text, under={"compiled": {}}).message

    return run


@pytest.fixture
def simulates(checked):
    """Check an answer of `matmul`, in Numba's CUDA simulator; return what is wrong."""

    def run(text, check):
        text = "import numpy as np\nfrom numba import cuda\n" + text
        return checked("matmul", ARRAYS + check, text=text, under={"simulated": {}}).message

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


@pytest.mark.proof(*judge.JUDGE)
def test_calls_from_python_are_told_by_what_was_compiled(compiles):
    check = """
_, facts = child.observe(answer.kinds, A)
assert [(n["kind"], n["parallel"], n["nopython"]) for n in facts["compiled"]] == [
    ("njit", False, True),
    ("njit", True, True),
    ("vectorize", False, True),
    ("vectorize", True, True),
    ("guvectorize", True, True),
    ("njit", False, False),
]
child.switch("compiled", idle=True)
assert list(answer.kinds(A)) == [None] * 6
child.switch("compiled")
assert np.isclose(answer.loop(A), A.sum())
compiling.check_exact()
"""
    assert compiles(KINDS, check) == ""


FAST = """
@numba.njit(fastmath=True)
def loop(a):
    return inner(a)

inner = numba.njit(fastmath={"nnan"})(lambda a: a.sum())
exact = numba.njit(fastmath=False)(lambda a: a.sum())
none = numba.njit(fastmath=set())(lambda a: a.sum())

@numba.guvectorize(["(f8[:], f8[:])"], "(n)->()", fastmath=True)
def rows(a, out):
    out[0] = a.sum()
"""


@pytest.mark.proof(*judge.JUDGE)
def test_fastmath_is_seen_wherever_it_is_asked_for(compiles):
    check = """
assert np.isclose(answer.loop(A), A.sum())
assert child.environments["compiled"].fast == ["loop", "<lambda>", "rows"]
assert answer.numba.get_num_threads() == 4  # as the exercise says
compiling.check_exact()
"""
    assert re.search(r"<lambda>.*compiled.*`fastmath`", compiles(FAST, check))


@pytest.mark.proof(*judge.JUDGE)
@pytest.mark.parametrize("name", ["empty", "zeros"])
def test_compiled_functions_may_make_arrays_where_those_of_numpy_are_guarded(name, checked):
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
    assert checked("njit", check, text=text, under=under).message == ""


PEAKS = """
@numba.njit
def temporary(a):
    return (a + 1.0).sum() + (a * 2.0).sum()

@numba.njit
def none(a):
    total = 0.0
    for x in a:
        total += x + 1.0
    return total

by_numpy = lambda a: (a + 1.0).sum()
"""


@pytest.mark.proof(*judge.JUDGE)
def test_arrays_in_between_are_seen_be_they_numbas_or_numpys(compiles):
    check = """
a = np.ones(100_000)
for name, arrays in ("temporary", 1), ("none", 0), ("by_numpy", 1):
    assert abs(peaks.peak(getattr(answer, name), a) / a.nbytes - arrays) < 0.1
"""
    assert compiles(PEAKS, check) == ""


KERNEL = """
@cuda.jit(device=True)
def twice(x):
    return 2 * x

@cuda.jit
def kernel(a, out):
    x, y = cuda.grid(2)
    if x < out.shape[1] and y < out.shape[0]:
        out[y, x] = twice(a[y, x])

def doubled(a):
    out = np.zeros_like(a)
    kernel[(2, 2), (3, 2)](a, out)
    return out

def there(a):
    out = cuda.to_device(np.zeros_like(a))
    kernel[(2, 2), (3, 2)](cuda.to_device(a), out)
    return out.copy_to_host()
"""


def test_a_part_of_a_launch_makes_a_part_of_the_result(simulates):
    check = """
got, facts = child.observe(answer.doubled, A)
np.testing.assert_array_equal(got, 2 * A)
assert facts["simulated"] == [{"grid": [2, 2, 1], "block": [3, 2, 1]}]  # not calls within kernels
for function in answer.doubled, answer.there:
    child.switch("simulated", block=(1, 1, 0))
    where = [[2, 3], [2, 4], [3, 3], [3, 4]]
    np.testing.assert_array_equal(np.argwhere(function(A)), where)
    child.switch("simulated", block=(1, 1, 0), thread=(0, 1, 0))
    np.testing.assert_array_equal(np.argwhere(function(A)), [[3, 3]])
    child.switch("simulated", idle=True)
    assert not function(A).any()
"""
    assert simulates(KERNEL, check) == ""


@pytest.mark.proof(*judge.JUDGE)
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return undefined(a)", "Numba cannot compile it: .*NameError: name 'undefined'"),
        ("return a.nothing", "Numba cannot compile it: Unknown attribute 'nothing'"),
    ],
)
def test_what_numba_cannot_compile_is_said_in_a_line(body, said, compiles):
    message = compiles(f"\n\n@numba.njit\ndef f(a):\n    {body}\n", "answer.f(A)")
    assert re.search(said, message)
    assert "\n" not in message


@pytest.mark.proof(*judge.JUDGE)
def test_types_that_leave_read_only_arrays_out_are_named(compiles):
    f = '@numba.njit("(f8[:, ::1],)")\ndef f(a):\n    return a.sum()\n'
    assert says(compiles(f, "A.flags.writeable = False\nanswer.f(A)"), "leave", "types")
