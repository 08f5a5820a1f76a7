"""Checks of a device's work, based on notes of environments: launches and margins."""

import math

import numpy as np

from ladder.workshop import concepts
from ladder.workshop.sandbox import compiler_hints
from ladder.workshop.sandbox.check_failed import CheckFailed

UNDER = {"buffers": {}, "launches": {}}


def check_margins(facts, label):
    """Raise `CheckFailed` if a kernel wrote beyond a buffer, according to `buffers`."""
    for size, n, where in facts.get("buffers", ()):
        check_types(facts, label)
        fact = f"{label}: the kernel wrote at least {n} bytes {where} of a buffer of {size} bytes"
        advice = f"which items have no element, and what stops them? {concepts.GUARD}"
        raise CheckFailed(fact, advice=advice)


def check_types(facts, label):
    """Raise `CheckFailed` if a kernel that PyOpenCL wrote reads an array as of another type."""
    for name, declared, given in [t for note in facts.get("launches", ()) for t in note["types"]]:
        c_type, right = (compiler_hints.OPENCL_C.get(kind, kind) for kind in (declared, given))
        item = f"`{c_type}` ({np.dtype(declared).itemsize} bytes)"
        fact = f"{label}: the kernel's argument `{name}` is {item}, but the array is {given}"
        raise CheckFailed(fact, advice=f"declare `{right} *{name}`")


def launches(facts, kernel_class="Kernel"):
    """Return the launches of a class of kernel, as noted by the environment `launches`."""
    return [launch for launch in facts["launches"] if launch["kernel_class"] == kernel_class]


def unlaunched(facts, got, expected):
    """Tell how many items were launched, if none or if just the elements of more are wrong."""
    if facts.get("launches") == []:
        return "no kernel was launched"
    items = sum(math.prod(launch["size"]) for launch in facts.get("launches", ()))
    wrong = np.ravel(np.not_equal(got, expected))
    if facts.get("launches") and 0 < wrong.size - items == wrong[items:].sum() == wrong.sum():
        return f"{items} items were launched: round up to whole groups"
    return ""


def check_launched(facts, label, kernel_class="Kernel"):
    """Raise `CheckFailed` if no kernel of that class was launched, according to `launches`."""
    if launches(facts, kernel_class):
        return
    name = "kernel" if kernel_class == "Kernel" else kernel_class
    if launches(facts, "PyOpenCL"):
        instead = f"PyOpenCL has a function for it, which was called: write the {name} yourself"
        raise CheckFailed(f"{label}: the answer is right, but {instead}")
    fact = f"{label}: the answer is right, but no {name} was launched"
    raise CheckFailed(fact, advice="the host computed it")
