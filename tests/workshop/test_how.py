"""How an answer works: what its launches, threads and processes did, as checks see it."""

import random
import re
from types import SimpleNamespace

import judge
import numpy as np
import pytest
from cases import folded

from polymask.workshop import exercises
from polymask.workshop.sandbox import cases, known_wrong_masks, masks
from polymask.workshop.sandbox.wrong import Wrong

DEVICE = {"buffers": {}, "launches": {}}


def check_of(name):
    """Return the module check.py of an exercise."""
    return exercises.get(name).own_check()


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
def test_a_launch_is_told_by_who_asked_for_it(checked):
    check = """
_, facts = child.observe(answer.kinds, np.ones(65, np.float32))
kinds = [launch["kind"] for launch in facts["launches"]]
assert kinds == ["PyOpenCL", "PyOpenCL", "ReductionKernel", "Kernel"]
(own,) = device.launches(facts)
assert (own["size"], own["group"]) == ((128,), (64,))
"""
    assert checked("vector_add", check, KINDS, under=DEVICE).message == ""


@pytest.mark.proof(*judge.JUDGE)
def test_a_part_of_a_launch_does_a_part_of_the_work(checked):
    check = """
a = np.arange(1, 151, dtype=np.float32)
for part, where in ("first", slice(64)), ("rest", slice(64, 150)), ("item", slice(1)):
    child.switch("launches", part=part)
    done = answer.add(a, a) == 2 * a
    assert done[where].all()
    assert not np.delete(done, where).any()
"""
    assert checked("vector_add", check, under=DEVICE).message == ""


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
def test_a_mask_is_noted_in_whatever_child_it_is_made(method, used, checked):
    solution = exercises.get("fork").solution("fork.py")
    check = f"""
from polymask.openmp import prange

vertices = np.array([(1.0, 1.0), (17.0, 3.0), (5.0, 11.0)])
prange.make_mask(vertices, (13, 19), threads=2)
found, facts = child.observe(answer.mask_in_a_child, vertices, (13, 19), 3)
seen = facts["family"]
made = [{{"process": found[1], "asked": 3, "used": {used}, "shape": [13, 19]}}]
assert seen["made"] == made
assert seen["this"] != found[1]
"""
    text = solution.replace('"spawn"', f'"{method}"')
    under = {"family": {"module": "polymask.openmp.prange"}}
    assert checked("fork", check, text=text, under=under).message == ""


# Threads: who worked


def threads(alone, shared, of_python=0, of_openmp=True):
    """Threads that are busy for so long, alone and in a team."""
    inside = {
        "threads_of_python": lambda *arguments: of_python,
        "of_openmp": lambda *arguments: of_openmp,
    }
    return SimpleNamespace(alone=alone, shared=shared, inside=inside)


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
    own = check_of("prange")
    vars(own).update(answer.inside)
    own.busy = lambda _, vertices, threads: answer.alone if threads == 1 else answer.shared
    if message is None:
        assert own.check(None, random.Random(1)) is None
        return
    with pytest.raises(Wrong, match=message):
        own.check(None, random.Random(1))


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


def test_a_mask_that_is_kept_for_vertices_nearby_is_found(answer_here):
    kept = known_wrong_masks.cached_by_rounding(answer_here().make_mask)
    with pytest.raises(Wrong, match=r"moved.*wrong"):
        masks.check_masks(SimpleNamespace(make_mask=kept), masks.with_masks(cases.fixed()))


def test_a_launch_that_is_not_rounded_up_is_told_by_its_cause(checked):
    solution = exercises.get("vector_add").solution("vector_add.py")
    text = solution.replace("-(-n // GROUP) * GROUP", "n")
    check = "a = np.ones(65, np.float32)\nanswer.add(a, a)"
    said = checked("vector_add", check, text=text).message
    assert re.match(r"vector_add.py, line \d+: .* multiple of it .*INVALID_WORK_GROUP_SIZE", said)
