"""Calls to an answer's function with a known result: the steps that many checks repeat.

The arguments should differ in each call, so that leftovers of an earlier one in memory are wrong.
`judge(got, expected, label)` raises `CheckFailed` unless both results agree.
"""

import numpy as np

from ladder.workshop.sandbox import child, compiling, device, garbage
from ladder.workshop.sandbox.check_failed import CheckFailed, same


def check_call(function, arguments, expected, label, judge=same):
    """Check a call, with garbage in new memory, and its arguments afterwards; return its facts."""
    child.step(f"checking {label}")
    garbage.fill_new_arrays((np.asarray(expected).nbytes,))
    got, facts = child.observe(function, *arguments)
    try:
        judge(got, expected, label)
    except CheckFailed as failure:
        device.check_types(facts, label)
        alike = np.shape(got) == np.shape(expected)
        if not (advice := device.unlaunched(facts, got, expected) if alike else ""):
            raise
        raise CheckFailed(failure.fact, failure.got, failure.expected, advice) from None
    child.check_arguments(facts, label)
    device.check_margins(facts, label)
    return facts


def check_opencl(function, arguments, expected, label, kernel_class="Kernel", judge=same):
    """Check a call whose result a class of OpenCL kernels must compute; return its facts."""
    facts = check_call(function, arguments, expected, label, judge)
    device.check_launched(facts, label, kernel_class)
    return facts


def check_numba(function, arguments, expected, label, decorator="njit", judge=same):
    """Check a call whose result a function compiled with Numba must compute; return its facts."""
    facts = check_call(function, arguments, expected, label, judge)
    compiling.check_called(facts, label, decorator)
    return facts


def check_cuda(function, arguments, expected, label, judge=same):
    """Check a call that one CUDA kernel must compute; return its blocks and threads per block."""
    facts = check_call(function, arguments, expected, label, judge)
    return compiling.check_launched(facts, label)
