"""Delay a kernel, move polygons, and compare each mask with those of this and the last place."""

from unittest import mock

import numpy as np
import pyopencl as cl

from ladder.registry import reference, workload
from ladder.workshop import concepts
from ladder.workshop.sandbox import child, device
from ladder.workshop.sandbox.check_failed import CheckFailed, same_mask
from ladder.workshop.sandbox.environments import launches

UNDER = device.UNDER
SHAPE, HELD_S = (31, 47), 0.1  # the delay is much longer than a kernel takes


def check(answer, random):
    """Raise `CheckFailed` if a mask is fetched too early, or is the mask of an earlier place."""
    place = workload.polygon(9, SHAPE, random.randrange(10**6))
    child.step("fetching the mask of a late kernel")
    moving, copy, events = answer.Moving(place.copy(), SHAPE), cl.enqueue_copy, []

    def noted(*arguments, **keywords):
        event = copy(*arguments, **keywords)
        if not keywords.get("is_blocking", True):
            events.append(event)  # the deletion of the last reference to it would wait
        return event

    with child.switched("launches", holds=HELD_S), mock.patch.object(cl, "enqueue_copy", noted):
        mask, facts = child.observe(moving.mask)
        pending = any(event.command_execution_status != cl.command_execution_status.COMPLETE
                      for event in events)  # fmt: skip
        has_begun = launches.release()
    device.check_launched(facts, "the first mask")
    if pending and not has_begun:
        raise CheckFailed(
            "the copy does not block, so mask may return before the mask has arrived: leave out "
            f"`is_blocking=False`, or wait for the event of the copy {concepts.QUEUE}"
        )
    if not has_begun:
        fact = "mask returned before its kernel had run: the queues do not wait for each other"
        raise CheckFailed(f"{fact}. Which event should the copy wait for? {concepts.QUEUE}")
    child.step("making masks of a polygon that moves")
    masks = [(mask, reference.mask(place, SHAPE))]
    same_mask(*masks[0], "before the first move")
    for dx, dy in ((random.randrange(2, 6), 1.5), (-9, random.randrange(2, 6))):
        label, place = f"after a move by {dx}, {dy}", place + (dx, dy)
        moving.move(dx, dy)
        masks.append((moving.mask(), reference.mask(place, SHAPE)))
        if np.array_equal(masks[-1][0], masks[-2][1]):
            raise CheckFailed(f"{label}: still the last mask: which vertices does the device have?")
        same_mask(*masks[-1], label)
