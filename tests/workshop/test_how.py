"""How an answer works: its launches, and cached masks."""

import re
from types import SimpleNamespace

import known_wrong_masks
import pytest

from ladder.workshop import exercises
from ladder.workshop.sandbox import cases, masks
from ladder.workshop.sandbox.check_failed import CheckFailed

DEVICE = {"buffers": {}, "launches": {}}


# Launches: their kinds and sizes

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


@pytest.mark.slow
def test_launches_are_recorded_with_their_callers(run_check):
    check = """
_, facts = child.observe(answer.kinds, np.ones(65, np.float32))
kinds = [launch["kernel_class"] for launch in facts["launches"]]
assert kinds == ["PyOpenCL", "PyOpenCL", "ReductionKernel", "Kernel"]
(own,) = device.launches(facts)
assert (own["size"], own["group"]) == ((128,), (64,))
"""
    assert run_check("vector_add", check, KINDS, under=DEVICE).message == ""


# Masks cached for vertices close to the current ones


def test_a_mask_cached_for_nearby_vertices_is_detected(load_answer):
    cached = known_wrong_masks.cached_by_rounding(load_answer().make_mask)
    with pytest.raises(CheckFailed, match=r"moved.*wrong"):
        masks.check_masks(SimpleNamespace(make_mask=cached), masks.with_masks(cases.fixed_cases()))


def test_a_launch_that_is_not_rounded_up_is_explained(run_check):
    solution = exercises.get("vector_add").solution("vector_add.py")
    text = solution.replace("-(-n // GROUP) * GROUP", "n")
    check = "a = np.ones(65, np.float32)\nanswer.add(a, a)"
    message = run_check("vector_add", check, text=text).message
    assert re.match(
        r"vector_add.py, line \d+: .* multiple of its size .*INVALID_WORK_GROUP_SIZE", message
    )
