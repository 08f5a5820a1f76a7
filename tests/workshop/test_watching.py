"""What a check counts and switches off in the C of Cython's, and what that leaves as it was."""

import judge
import numpy as np
import pytest

from polymask.ladder import reference
from polymask.workshop.sandbox import instrumented
from polymask.workshop.sandbox.watching import OFF, Watched

SHAPE = (7, 9)
TRIANGLE = np.array([(0.0, 0.0), (8.0, 1.0), (2.0, 6.0)])

C = """
static double __pyx_f_8workshop_5calls_half(double __pyx_v_x) {
  free(kept); self->free(p); std::free(p); __pyx_t = malloc(f(3));
}

static PyObject *__pyx_pf_8workshop_5calls_2total(PyObject *__pyx_self, long __pyx_v_n) {
  __pyx_t_1 = __pyx_f_8workshop_5calls_half(__pyx_v_n);
  __pyx_v_own->polygon->fill((&m[0]), rows);
  __pyx_v_r = __pyx_v_own->fill(rows);
}

static int __pyx_pf_8workshop_5calls_7Polygon___cinit__(struct p *__pyx_v_self, void (*f)(int)) {
}
"""


def test_only_what_python_calls_asks_whether_it_is_watched():
    made = instrumented.instrumented(C, ("fill",))
    half = made[made.index("static double __pyx_f_8workshop_5calls_half(") :]
    assert "polymask_watching" not in half[: half.index("}")]
    last = made[made.rindex("__pyx_pf_8workshop_5calls_2total(") :]
    first = last.splitlines()[1]
    assert first == (
        "  if (polymask_watching) return "
        "__pyx_pf_8workshop_5calls_2total_watched(__pyx_self, __pyx_v_n);"
    )
    assert "__pyx_t_1 = __pyx_f_8workshop_5calls_half_watched(__pyx_v_n);" in made
    assert "  if (!polymask_enter(0)) __pyx_v_own->polygon->fill((&m[0]), rows);" in made
    assert "__pyx_v_r = __pyx_v_own->fill(rows);" in made  # an expression is never left out


def test_memory_of_cs_own_functions_alone_is_counted():
    made = instrumented.instrumented(C)
    counted = "polymask_free(kept); self->free(p); std::free(p); __pyx_t = polymask_malloc(f(3));"
    assert counted in made


def test_a_function_with_arguments_that_are_hard_to_name_stays():
    assert "__cinit___watched" not in instrumented.instrumented(C)


@pytest.mark.proof(*judge.JUDGE)
def test_calls_are_counted_and_their_results_taken_away(answer_of):
    given = answer_of("calls")
    watched = Watched(given)
    halves = watched.made.named("half_cdef")
    assert watched.calls(halves, lambda: given.sum_cdef(50)) == (612.5, 50)
    assert watched.calls(halves, lambda: given.sum_cpdef(50)) == (612.5, 0)
    assert watched.off(halves, lambda: given.sum_cdef(50)) == 0
    assert given.sum_cdef(50) == 612.5


@pytest.mark.proof(*judge.JUDGE)
def test_an_answer_that_fails_without_a_function_is_told(answer_of):
    given = answer_of(
        "calls",
        "\ncdef long one() noexcept:\n    return 1\ndef inverse():\n    return 1 // one()\n",
    )
    watched = Watched(given)
    assert given.inverse() == 1
    assert watched.off(watched.made.named("one"), given.inverse) == OFF


@pytest.mark.proof(*judge.JUDGE)
@pytest.mark.parametrize(("name", "functions"), [("class", None), ("cpp", ["fill"])])
def test_methods_of_either_language_can_be_off(name, functions, answer_of):
    given = answer_of(name)
    watched, right = Watched(given), reference.mask(TRIANGLE, SHAPE)
    functions = functions or watched.made.methods("Polygon")
    mask, calls = watched.calls(functions, lambda: given.make_mask(TRIANGLE, SHAPE))
    assert (mask.tolist(), calls) == (right.tolist(), 1)
    left = watched.off(functions, lambda: given.make_mask(TRIANGLE + 1, SHAPE))
    assert not np.array_equal(left, reference.mask(TRIANGLE + 1, SHAPE))


@pytest.mark.proof(*judge.JUDGE)
def test_memory_is_counted_where_it_is_asked_for_and_given_back(answer_of):
    given = answer_of("buffer")
    watched = Watched(given)
    asked, gone, n_bytes = watched.memory()
    polygon = given.Polygon(TRIANGLE)
    assert watched.memory() == (asked + 1, gone, n_bytes + TRIANGLE.nbytes)
    del polygon
    assert watched.memory() == (asked + 1, gone + 1, n_bytes + TRIANGLE.nbytes)


GROWS = """
from libc.stdlib cimport calloc, realloc

def grow():
    cdef void *p = calloc(3, 8)
    free(realloc(p, 100))
"""


@pytest.mark.proof(*judge.JUDGE)
def test_bytes_are_counted_of_each_function_that_asks(answer_of):
    given = answer_of("buffer", GROWS)
    watched = Watched(given)
    before = watched.memory()
    given.grow()
    after = watched.memory()
    assert [b - a for a, b in zip(before, after, strict=True)] == [2, 2, 124]


@pytest.mark.proof(*judge.JUDGE)
def test_where_nothing_can_be_made_each_cinit_raises(answer_of):
    given = answer_of("attribute")
    watched = Watched(given)
    names = [one.name for one in watched.made.functions if one.name.endswith("__cinit__")]
    without = given.under("unmade", unmade={"file": watched.file, "names": names})
    with pytest.raises(RuntimeError, match="nothing is made now"):
        without.Named(3)
    assert given.Named(3).twice() == 6
