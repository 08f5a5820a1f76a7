"""Run the pipeline with kernels that start late, and see whether the device has work meanwhile."""

from itertools import pairwise

import dpctl
import numpy as np

from ladder.devices import sycl
from ladder.workshop.concepts import QUEUE
from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed, same
from ladder.workshop.sandbox.environments import submitted

UNDER = {"submitted": {}}


def check(answer, random):
    """Raise `CheckFailed` unless all results are right, and host and device work at a time."""
    queue = dpctl.SyclQueue(sycl.device())
    child.switch("submitted", holds=0.1)
    for n in (3, 4):
        label = f"{n} frames, kernels that start late"
        child.step(label)
        frames, busy = np.array(random.sample(range(10**6), 30 * n), np.int32).reshape(n, 30), []

        def prepare(i, frames=frames, busy=busy):
            busy.append(bool(submitted.unfinished()))
            return frames[i]

        got, _ = child.observe(answer.brightened, queue, prepare, n, 30, 7)
        if any(np.shares_memory(one, other) for one, other in pairwise(got)):
            raise CheckFailed(f"{label}: the results share one memory: copy each of them")
        for i, (result, frame) in enumerate(zip(got, frames, strict=False)):
            if np.array_equal(result, frame):
                raise CheckFailed(f"{label}: result {i} was read before its kernel had run {QUEUE}")
        same(np.array(got), frames + np.int32(7), f"{label}: the results")
        if not all(busy[1:]):
            fact = f"{label}: the device is idle while the host prepares a frame"
            raise CheckFailed(f"{fact}: wait later")
