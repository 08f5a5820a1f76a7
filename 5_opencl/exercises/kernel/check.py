"""Launches a kernel in work-groups that jut out of the image, and where no image is at all."""

import numpy as np

from polymask.ladder import reference, workload
from polymask.workshop.sandbox.wrong import same_mask

from .items import GROUP, check_alone, check_outside, launched, say_beyond

SMALL = 9, 13  # an image of which one item makes all pixels soon, if it has a loop over them


def first(answer, random):
    """Raise `Wrong` if one item has many pixels: with a loop in each item masks take minutes."""
    check_alone(answer, workload.polygon(9, SMALL, random.randrange(10**6)), SMALL)


def check(answer, random):
    """Raise `Wrong` if items beyond the image show."""
    check_beyond(answer, random)
    rows, cols = (random.randrange(9, 40, 4) + 1, random.randrange(9, 40, 8) + 1)
    vertices = workload.polygon(9, (rows, cols), random.randrange(10**6))
    check_outside(answer, vertices, (rows, cols))
    got = answer.make_mask(vertices, (rows, cols), work_group=GROUP)
    label = f"{rows} x {cols} pixels in work-groups of {GROUP[0]} x {GROUP[1]}"
    same_mask(got, reference.mask(vertices, (rows, cols)), label)


def check_beyond(answer, random):
    """Raise `Wrong` if items beyond an image write: of one row, where all of that shows."""
    shape = 1, random.randrange(9, 40, 8) + 1
    vertices = np.array([(-1.0, -1.0), (shape[1] + 1.0, -1.0), (shape[1] / 2, 7.0)])
    items = GROUP[0], -(-shape[1] // GROUP[1]) * GROUP[1]
    memory = launched(answer, vertices, shape, items, GROUP)
    same_mask(
        memory[: shape[1]].reshape(shape), reference.mask(vertices, shape), f"an image of {shape}"
    )
    say_beyond(memory[shape[1] :], f"the items beyond an image of {shape}", shape[1])
