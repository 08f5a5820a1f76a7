"""How an answer works: what its launches, threads and processes did, as checks see it."""

import random
import re
from types import SimpleNamespace

import judge
import numpy as np
import pytest
from cases import folded

from polymask.workshop import exercises
from polymask.workshop.sandbox import cases, device, examine, in_bytes, masks
from polymask.workshop.sandbox.failures import Failed
from polymask.workshop.sandbox.wrong import Wrong
from polymask.workshop.student import words


def check_of(name):
    """Return the module check.py of an exercise."""
    return examine.own(exercises.get(name))


# Launches: of what kind, of which size, in part, and what the buffers held

KINDS = """
import pyopencl.array
from pyopencl.reduction import ReductionKernel

def kinds(h_a):
    d_a = cl.array.to_device(queue, h_a)
    d_a + d_a
    cl.array.sum(d_a)
    ReductionKernel(context, np.float32, "0", "a + b", "x[i]", "const float *x")(d_a)
    assert isinstance(cl.Buffer(context, cl.mem_flags.READ_WRITE, 4), cl.Buffer)
    return add(h_a, h_a)
"""


@pytest.mark.proof(*judge.JUDGE)
def test_a_launch_is_told_by_who_asked_for_it(answer_of):
    _, facts = answer_of("vector_add", KINDS).observe("kinds", np.ones(65, np.float32))
    kinds = [launch["kind"] for launch in facts["found"]["launches"]]
    assert kinds == ["PyOpenCL", "PyOpenCL", "ReductionKernel", "Kernel"]
    (own,) = device.launches(facts)
    assert (own["size"], own["group"]) == ((128,), (64,))


@pytest.mark.parametrize(
    ("part", "where"), [("first", slice(64)), ("rest", slice(64, 150)), ("item", slice(1))]
)
def test_a_part_of_a_launch_does_a_part_of_the_work(part, where, answer_of):
    given, a = answer_of("vector_add"), np.arange(1, 151, dtype=np.float32)
    given.switch("launches", part=part)
    done = given.add(a, a) == 2 * a
    assert done[where].all()
    assert not np.delete(done, where).any()


def test_buffers_are_looked_at_before_and_after_a_launch(answer_of):
    given = answer_of("vector_add")
    a, b = np.arange(40, dtype=np.float32).reshape(2, 20) + 0.5
    given.switch("launches", looks=True)
    _, facts = given.observe("add", a, b)
    (launch,) = device.launches(facts)
    assert sum(device.holds(held, a) for held in launch["before"]) == 1
    assert not any(device.holds(held, a + b) for held in launch["before"])
    assert any(device.holds(held, a + b) for held in launch["after"])


def test_numbers_are_found_in_whatever_type_they_lie():
    bits = np.array([[0, 1, 1], [1, 0, 0]], np.uint8)
    assert device.holds(b"rubbish" + bits.tobytes(), bits)
    assert device.holds(bits.astype(np.int32).tobytes(), bits)
    assert device.holds((bits + 2 * (1 - bits)).astype(np.int64).tobytes(), bits)  # 1 and 2
    assert not device.holds((1 - bits).tobytes(), bits)
    halves = np.array([0.5, 1.5], np.float32)
    assert device.holds(halves.astype(np.float64).tobytes(), halves)
    assert not device.holds(halves.astype(np.int32).tobytes(), halves)


def test_numbers_are_exchanged_wherever_they_lie_in_whatever_type():
    a, b, other = np.random.default_rng(5).integers(0, 2, (3, 64)).astype(np.uint8)
    held = b"before" + a.tobytes() + b.astype(np.int32).tobytes() + a.tobytes() + b"after"
    wanted = b"before" + b.tobytes() + other.astype(np.int32).tobytes() + b.tobytes() + b"after"
    assert in_bytes.exchanged(held, [(a, b), (b, other)]) == wanted
    assert in_bytes.exchanged(held, [(other, a)]) == held


CARRIED = """
by = add
def add(h_a, h_b):
    return by(h_a + h_b, np.zeros_like(h_b))
"""
MENDED = """
KERNEL, by = KERNEL.replace("+ b", "- b"), add
def add(h_a, h_b):
    return by(h_a, h_b) + 2 * h_b
"""


SENT = """
text = KERNEL.replace("const float *b,", "const float *b, global const float *c,")
text = text.replace("a[i] + b[i]", "c[i]")
def add(h_a, h_b):
    d_a, d_b, d_c = (
        cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=h) for h in (h_a, h_b, h_a + h_b)
    )
    d_sum, h_sum = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, h_a.nbytes), np.empty_like(h_a)
    size = (-(-len(h_a) // GROUP) * GROUP,)
    kernel = cl.Program(context, text).build().add
    kernel(queue, size, (GROUP,), np.int32(len(h_a)), d_a, d_b, d_c, d_sum)
    cl.enqueue_copy(queue, h_sum, d_sum)
    return h_sum
"""


@pytest.mark.proof(*judge.JUDGE)
@pytest.mark.parametrize(
    ("more", "message"),
    [
        (CARRIED, "never saw argument 1"),
        (MENDED, "no kernel has made it: it is in no buffer"),
        (SENT, "were given other contents before the launch"),
    ],
)
def test_work_that_the_host_did_before_or_after_is_found(more, message, answer_of):
    given, rng = answer_of("vector_add", more), np.random.default_rng(3)

    def drawn():
        return rng.random((2, 100), dtype=np.float32)

    with pytest.raises(Wrong, match=message):
        device.check_work(given, "add", drawn, np.add, "here")


def test_buffers_have_other_contents_from_a_launch_on(answer_of):
    given = answer_of("vector_add")
    (a, b), others = np.random.default_rng(4).random((2, 2, 100), dtype=np.float32)
    found = [device.with_others(given, "add", (a, b), others, spared) for spared in (0, 1)]
    assert np.array_equal(found[0], sum(others))
    assert np.array_equal(found[1], a + b)  # it launches once
    assert np.array_equal(given.add(a, b), a + b)


@pytest.mark.proof(*judge.JUDGE)
@pytest.mark.parametrize(("wait", "waits"), [(".wait()", True), ("", False)])
def test_whether_an_answer_waits_for_its_launch(wait, waits, answer_of):
    solution = exercises.get("rounding").solution("rounding.py")
    given = answer_of("rounding", text=solution.replace(".wait()", wait))
    given.switch("launches", holds=0.3)
    assert given.inside("waits", np.zeros((7, 9), np.uint8), (7, 9), 9, (2, 4)) is waits


# Processes: who made the mask


def family(process=7, used=2, asked=2, this=1):
    """What the environment saw of one mask."""
    return {"this": this, "made": [{"process": process, "used": used, "asked": asked}]}


@folded(
    ("seen", "number", "said", "message"),
    [
        (family(), 7, 2, None),
        (family(), np.int64(7), np.int64(2), None),
        (family(process=1), 7, 2, "made in this process"),
        (family(), 1, 2, "made in this process"),
        (family(), 8, 2, "process 8 has not made the mask, process 7 has"),
        (family(used=1), 7, 2, "asked for 2 threads and has 1: a forked process"),
        (family(used=1, asked=1), 7, 2, "with `threads=1`, 2 were asked for"),
        (family(), 7, 3, "the number of threads that the child has: expected 2, got 3"),
        ({"this": 1, "made": []}, 7, 2, "no child has called"),
    ],
)
def test_a_child_is_known_by_what_it_did(seen, number, said, message):
    check_family = check_of("fork").check_family
    if message is None:
        check_family(seen, number, said, 2)
        return
    with pytest.raises(Wrong, match=message):
        check_family(seen, number, said, 2)


@pytest.mark.proof(*judge.JUDGE)
@pytest.mark.parametrize(("method", "used"), [("spawn", 3), ("forkserver", 3), ("fork", 1)])
def test_a_mask_is_noted_in_whatever_child_it_is_made(method, used, answer_of):
    solution = exercises.get("fork").solution("fork.py")
    given = answer_of("fork", text=solution.replace('"spawn"', f'"{method}"'))
    vertices = np.array([(1.0, 1.0), (17.0, 3.0), (5.0, 11.0)])
    given.inside("start_team", vertices, (13, 19))
    found, facts = given.observe("mask_in_a_child", vertices, (13, 19), 3)
    seen = facts["found"]["family"]
    made = [{"process": found[1], "asked": 3, "used": used, "shape": [13, 19]}]
    assert seen["made"] == made
    assert seen["this"] != found[1]


# Threads: who worked


def threads(alone, shared, of_python=0, of_openmp=True):
    """An answer whose threads are busy for so long, alone and in a team."""
    inside = {"threads_of_python": of_python, "of_openmp": of_openmp}
    return SimpleNamespace(
        busy=lambda *arguments, threads, **more: (None, alone if threads == 1 else shared),
        inside=lambda name, *arguments: inside[name],
    )


@folded(
    ("answer", "message"),
    [
        (threads([1.0], [0.3, 0.25, 0.25, 0.2]), None),
        (threads([1.0], [0.3, 0.3, 0.3, 0.3, 0.001]), None),
        (threads([1.0], [1.0, 0.001, 0.001]), "of `threads=4` one does it all"),
        (threads([1.0], [0.5, 0.5]), "of `threads=4` only 2 work .*: 50%, 50%"),
        (threads([0.5, 0.5], []), "`threads=1` was asked for, and 2 threads worked"),
        (threads([1.0], [1.0] * 4), "4 threads work 4.0 times as long as one"),
        (threads([1.0], [0.25] * 4, of_python=4), "4 threads of Python were started"),
        (threads([1.0], [0.25] * 4, of_openmp=False), "OpenMP has not started them"),
    ],
)
def test_threads_are_known_by_what_they_did(answer, message):
    check = check_of("prange").check
    if message is None:
        assert check(answer, random.Random(1)) is None
        return
    with pytest.raises(Wrong, match=message):
        check(answer, random.Random(1))


@folded(
    ("loads", "calls", "message"),
    [
        ([0.05, 0.02], 1, None),
        (np.array([0.05, 0.02]), 1, None),
        ((np.float64(0.05), 0.02), 1, None),
        ([0.035, 0.035], 1, r"busy for \[0.05, 0.02\] s, measured gives \[0.035, 0.035\]"),
        ([0.07], 1, "busy for"),
        ([0.05, 0.02], 2, "made the call 2 times"),
        ([0.02, 0.05], 1, "the largest load first"),
        ([0.5, 0.2], 1, "the process was busy for 0.070 s, measured gives 0.700 s"),
    ],
)
def test_loads_are_held_against_each_threads_own(loads, calls, message):
    checked = check_of("schedules").checked
    if message is None:
        assert checked(loads, calls, [0.05, 0.02], "here") == pytest.approx([0.05, 0.02])
        return
    with pytest.raises(Wrong, match=message):
        checked(loads, calls, [0.05, 0.02], "here")


# Times that wander are not the student's fault


@pytest.mark.parametrize(
    ("before", "after", "note"),
    [
        (lambda p: 1e-5 + 2e-7 * p, lambda p: 1e-3 + 1e-8 * p, "seen: .* at 72 x 72.*72 x 72"),
        (lambda p: 1e-5 + 2e-7 * p, lambda p: 1e-3 + 3e-7 * p, "at no size .* at no size"),
        (lambda p: 1e-3 if p > 10**4 else 2e-3, lambda p: 1.5e-3, "at no size by the clock"),
    ],
)
def test_a_prediction_is_that_of_the_lines_however_times_wander(before, after, note, monkeypatch):
    check = check_of("crossover")
    solution = {"__name__": "crossover"}
    exec(exercises.get("crossover").solution("crossover.py"), solution)
    times = {check.BEFORE: before, check.AFTER: after}
    monkeypatch.setattr(check, "stopwatch", lambda key, n: times[key])
    answer = SimpleNamespace(line=solution["line"], crossover=solution["crossover"])
    found = check.predicted(answer, 24)
    monkeypatch.setattr(check, "predicted", lambda *arguments: found)
    assert re.search(note, check.check(answer, random.Random(1)))


# Masks that were kept for vertices beside those of now


def test_a_mask_that_is_kept_for_vertices_nearby_is_found(answer_of):
    given, drawn = answer_of("vectorize"), cases.fixed()
    given.begun().ask("wrap", way="cached_by_rounding")
    with pytest.raises(Wrong, match=r"moved.*wrong"):
        masks.check_masks(given, drawn, examine.expected(drawn))


# What is not there, and whose fault that is


def test_a_rung_that_is_hidden_is_not_the_machines_fault(answer_of):
    more = """
def finished():
    return registry.get("scanline.rows").load()
"""
    given = answer_of("crossover", more)
    with pytest.raises(ImportError, match=r"exercise.*work") as error:
        given.finished()
    said = words.raised(error.value.said, exercises.get("crossover"))
    assert re.match(r"crossover\.py, line \d+: this exercise is your own work", said)


def test_a_kernel_that_does_not_compile_is_told_as_the_compiler_does():
    said = {"type": "Wrong", "bases": ["Exception"], "message": "no:\nmask.cl:11", "lines": []}
    assert words.raised(said, exercises.get("kernel")) == "no:\nmask.cl:11"


def test_a_launch_that_is_not_rounded_up_is_told_by_its_cause(answer_of):
    a = np.ones(65, np.float32)
    solution = exercises.get("vector_add").solution("vector_add.py")
    given = answer_of("vector_add", text=solution.replace("-(-n // GROUP) * GROUP", "n"))
    with pytest.raises(Failed) as error:
        given.add(a, a)
    said = words.raised(error.value.said, exercises.get("vector_add"))
    assert re.match(r"vector_add.py, line \d+: .* multiple of it .*INVALID_WORK_GROUP_SIZE", said)
