"""A call of an answer's function whose result is known: the steps that many checks repeat.

`draw` returns the arguments of a call and the right result: others each time, so that leftovers of
an earlier call in memory are wrong. `judge(got, right, label)` raises `CheckFailed` unless both
agree.
"""

import numpy as np

from polymask.workshop.sandbox import child, compiling, device, garbage
from polymask.workshop.sandbox.check_failed import same


def check_call(function, draw, label, judge=same):
    """Call a function in memory full of garbage; return facts of the call.

    Raises `CheckFailed` unless the result is right, and the arguments are what they were.
    """
    child.step(f"checking {label}")
    arguments, right = draw()
    garbage.fill_new_arrays((np.asarray(right).nbytes,))
    got, facts = child.observe(function, *arguments)
    judge(got, right, label)
    child.check_arguments(facts, label)
    device.check_margins(facts, label)
    return facts


def check_opencl(function, draw, label, kind="Kernel", judge=same):
    """Return facts of a right call whose OpenCL launches, of a kind, computed the result."""
    facts = check_call(function, draw, label, judge)
    device.check_launched(facts, label, kind)
    return facts


def check_numba(function, draw, label, kind="njit", judge=same):
    """Return facts of a right call whose result a function that Numba compiled has computed."""
    facts = check_call(function, draw, label, judge)
    compiling.check_called(facts, label, kind)
    return facts


def check_cuda(function, draw, label, judge=same):
    """Return blocks and threads of a block of a right call that one CUDA kernel has computed."""
    facts = check_call(function, draw, label, judge)
    return compiling.check_launched(facts, label)
