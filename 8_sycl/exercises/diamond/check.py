"""Let each kernel in turn start late, and compare the products; look at the dependencies."""

import dpctl
import numpy as np

from ladder.devices import sycl
from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed, same_kind

UNDER = {"submitted": {}}
NAMES = ("square", "add_row", "add_col", "multiply")


def check(answer, random):
    """Raise `CheckFailed` if a kernel can start before its input is ready, or waits needlessly."""
    queue = dpctl.SyclQueue(sycl.device())
    for late, name in enumerate(NAMES):
        label = f"{name} starts late"
        child.step(label)
        child.switch("submitted", holds=0.1, only=late)
        shape = rows, cols = random.randrange(3, 9), random.randrange(9, 20)
        image = np.array(random.choices(range(100), k=rows * cols), np.int64).reshape(shape)
        squares = image**2
        got, facts = child.observe(answer.products, queue, image)
        notes = facts["submitted"]
        if len(notes) != len(NAMES):
            raise CheckFailed(f"{len(notes)} kernels were submitted, expected {len(NAMES)}")
        right = squares.sum(axis=1, keepdims=True) * squares.sum(axis=0)
        same_kind(got, right, label)
        if not np.array_equal(got, right):
            raise CheckFailed(
                f"{label}, and the products are wrong: a kernel, or the host, reads a result "
                f"before it is ready: what depends on {name}?"
            )
        if late == 0 and 0 not in notes[3]["unfinished"]:
            raise CheckFailed("the host waits between two kernels: let the queue wait, by dEvents=")
        if {1, 2} & {*notes[1]["after"], *notes[2]["after"]}:
            raise CheckFailed("add_row and add_col need not wait for each other: both only read")
