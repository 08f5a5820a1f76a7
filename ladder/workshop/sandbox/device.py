"""Checks of a device's work, based on notes of environments: launches and margins."""

from ladder.workshop import concepts
from ladder.workshop.sandbox.check_failed import CheckFailed

UNDER = {"buffers": {}, "launches": {}}
INSTEAD = "PyOpenCL has a function for it, which was called: write the {} yourself"


def words(kernel_class):
    """Return the name of a kernel's class in messages."""
    return "kernel" if kernel_class == "Kernel" else kernel_class


def check_margins(facts, label):
    """Raise `CheckFailed` if a kernel wrote beyond a buffer, according to `buffers`."""
    for size, n, where in facts.get("buffers", ()):
        raise CheckFailed(
            f"{label}: the kernel wrote at least {n} bytes {where} of a buffer of {size} bytes",
            advice=f"which items have no element, and what stops them? {concepts.GUARD}",
        )


def launches(facts, kernel_class="Kernel"):
    """Return the launches of a class of kernel, as noted by the environment `launches`."""
    return [launch for launch in facts["launches"] if launch["kernel_class"] == kernel_class]


def check_launched(facts, label, kernel_class="Kernel"):
    """Raise `CheckFailed` if no kernel of that class was launched, according to `launches`."""
    if launches(facts, kernel_class):
        return
    name = words(kernel_class)
    if launches(facts, "PyOpenCL"):
        raise CheckFailed(f"{label}: the answer is right, but {INSTEAD.format(name)}")
    raise CheckFailed(
        f"{label}: the answer is right, but no {name} was launched: the host computed it"
    )
