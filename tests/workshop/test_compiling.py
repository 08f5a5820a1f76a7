"""Answers that Numba compiles: what their environments see, and what they change around them."""

import re

import judge
import numpy as np
import pytest
from cases import says

from polymask.workshop import exercises
from polymask.workshop.sandbox import compiling
from polymask.workshop.sandbox.failures import Failed
from polymask.workshop.sandbox.wrong import Wrong
from polymask.workshop.student import words

pytest.importorskip("numba")

A, B = np.random.default_rng(3).normal(size=(2, 4, 5))


@pytest.fixture
def compiles(answer_of):
    """Start an answer of `saxpy`, which has four threads of Numba's, with functions of its own."""
    return lambda text: answer_of("saxpy", text="import numba\nimport numpy as np\n" + text)


@pytest.fixture
def simulates(answer_of):
    """Start an answer of `matmul`, in Numba's CUDA simulator, with functions of its own."""
    head = "import numpy as np\nfrom numba import cuda\n"
    return lambda text: answer_of("matmul", text=head + text)


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
    _, facts = compiles(KINDS).observe("kinds", A)
    seen = [(n["kind"], n["parallel"], n["nopython"]) for n in facts["found"]["compiled"]]
    assert seen == [
        ("njit", False, True),
        ("njit", True, True),
        ("vectorize", False, True),
        ("vectorize", True, True),
        ("guvectorize", True, True),
        ("njit", False, False),
    ]


@pytest.mark.proof(*judge.JUDGE)
def test_idle_functions_do_nothing_until_they_are_switched_on(compiles):
    given = compiles(KINDS)
    given.switch("compiled", idle=True)
    assert list(given.kinds(A)) == [None] * 6
    given.switch("compiled")
    assert given.loop(A) == pytest.approx(A.sum())


PARTS = """
@numba.njit
def added(first, column, turned, single, numbers, x):
    return first.sum() + column.sum() + turned[0, 1] + single[0] + numbers[0][1] + x

def parts(a):
    numbers = [(0.0, a[3, 3]), (0.0, 0.0)]
    turned, single = np.asfortranarray(a).T, a[2].astype(np.float32)
    return added(a, a[:, 2], turned, single, numbers, a[1, 1])

@numba.njit
def doubled(a):
    a *= 2

def in_place(a):
    own = a.copy()
    doubled(own)
    return own

@numba.njit
def total(bits):
    return bits.sum()
"""


def sums(a):
    """What `parts` returns."""
    return a.sum() + a[:, 2].sum() + a[1, 0] + np.float32(a[2, 0]) + a[3, 3] + a[1, 1]


@pytest.mark.proof(*judge.JUDGE)
def test_numbers_are_exchanged_wherever_they_lie_among_the_arguments(compiles):
    given = compiles(PARTS)
    assert given.parts(A) == pytest.approx(sums(A), rel=1e-12)
    given.switch("compiled", exchanges=[(A, B)])
    assert given.parts(A) == pytest.approx(sums(B), rel=1e-6)  # one of them in single precision
    np.testing.assert_array_equal(given.in_place(A), 2 * B)


def test_integers_are_not_exchanged_for_what_numbers_would_be_rounded_to(compiles):
    old, new = np.array([1.5, 2.5]), np.array([7.0, 9.0])
    pairs, ones = [(old, new)], np.array([0, 1, 2], np.uint8)
    answer = compiles("@numba.njit\ndef same(ones):\n    return ones.copy()")
    answer.switch("compiled", exchanges=pairs)
    assert answer.same(ones).tolist() == [0, 1, 2]


@pytest.mark.proof(*judge.JUDGE)
def test_bits_are_exchanged_where_they_lie_one_behind_the_other(compiles):
    given = compiles(PARTS)
    bits, others = np.zeros(40, np.uint8), np.ones(40, np.uint8)
    bits[7] = 1
    given.switch("compiled", exchanges=[(bits, others)])
    assert given.total(bits) == 40
    assert given.total(others) == 40
    assert given.total(1 - bits) == 39  # these are not looked for


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


def test_fastmath_is_seen_wherever_it_is_asked_for(compiles):
    given = compiles(FAST)
    assert given.loop(A) == pytest.approx(A.sum())
    assert given.found("compiled") == ["loop", "<lambda>", "rows"]
    with pytest.raises(Wrong, match=r"<lambda>.*compiled.*`fastmath`"):
        compiling.check_exact(given)
    compiling.check_exact(compiles(KINDS))


def test_an_exercise_says_how_many_threads_numba_has(compiles):
    assert compiles("def threads():\n    return numba.get_num_threads()").threads() == 4


@pytest.mark.proof(*judge.JUDGE)
@pytest.mark.parametrize("name", ["empty", "zeros"])
def test_compiled_functions_may_make_arrays_where_those_of_numpy_are_guarded(name, answer_of):
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
    given = answer_of("njit", text=text)
    got, _ = given.observe("make_mask", [(0, 0), (1, 0), (0, 1)], (3, 4))
    np.testing.assert_array_equal(got, np.ones((3, 4), np.uint8))


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
@pytest.mark.parametrize(("name", "arrays"), [("temporary", 1), ("none", 0), ("by_numpy", 1)])
def test_arrays_in_between_are_seen_be_they_numbas_or_numpys(name, arrays, compiles):
    a, given = np.ones(100_000), compiles(PEAKS)
    taken = given.ours("peaks", "peak", getattr(given, name), a)
    assert taken / a.nbytes == pytest.approx(arrays, abs=0.1)


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


def test_launches_are_noted_and_calls_within_kernels_are_not(simulates):
    got, facts = simulates(KERNEL).observe("doubled", A)
    np.testing.assert_array_equal(got, 2 * A)
    assert facts["found"]["simulated"] == [{"grid": [2, 2, 1], "block": [3, 2, 1]}]


@pytest.mark.parametrize("name", ["doubled", "there"])
def test_a_part_of_a_launch_makes_a_part_of_the_result(name, simulates):
    given = simulates(KERNEL)
    given.switch("simulated", block=(1, 1, 0))
    np.testing.assert_array_equal(
        np.argwhere(getattr(given, name)(A)), [[2, 3], [2, 4], [3, 3], [3, 4]]
    )
    given.switch("simulated", block=(1, 1, 0), thread=(0, 1, 0))
    np.testing.assert_array_equal(np.argwhere(getattr(given, name)(A)), [[3, 3]])
    given.switch("simulated", idle=True)
    assert not getattr(given, name)(A).any()
    given.switch("simulated", exchanges=[(A, B)])
    np.testing.assert_array_equal(getattr(given, name)(A), 2 * B)


@pytest.mark.proof(*judge.JUDGE)
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return undefined(a)", "Numba cannot compile it: .*NameError: name 'undefined'"),
        ("return a.nothing", "Numba cannot compile it: Unknown attribute 'nothing'"),
    ],
)
def test_what_numba_cannot_compile_is_said_in_a_line(body, said, compiles):
    given = compiles(f"\n\n@numba.njit\ndef f(a):\n    {body}\n")
    with pytest.raises(Failed) as failed:
        given.f(A)
    message = words.raised(failed.value.said, exercises.get("saxpy"))
    assert re.search(said, message)
    assert "\n" not in message


@pytest.mark.proof(*judge.JUDGE)
def test_types_that_leave_read_only_arrays_out_are_named(compiles):
    given = compiles('@numba.njit("(f8[:, ::1],)")\ndef f(a):\n    return a.sum()\n')
    a = A.copy()
    a.flags.writeable = False
    with pytest.raises(Failed) as failed:
        given.f(a)
    assert says(words.raised(failed.value.said, exercises.get("saxpy")), "leave", "types")
