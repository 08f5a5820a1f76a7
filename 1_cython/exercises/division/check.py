"""Test the predictions, and call the functions; the polygon's array lies between rows of NaN."""

import itertools
import math

import numpy as np

from ladder.workshop.sandbox.check_failed import CheckFailed, check_predicted, same

DIVIDED = {"-7 / 2": -3, "-7 // 2": -3, "-7 % 2": -1}
LAST = 2**31 - 1  # the largest int


def check(answer, random):
    """Raise `CheckFailed` at the first wrong prediction or result."""
    for text, right in DIVIDED.items():
        hint = "C rounds the quotient towards zero"
        check_predicted(f"DIVIDED, {text}", answer.DIVIDED.get(text), right, hint)
    even = 2 * random.randrange(50)
    for left, right in itertools.product((even, even + 1), (150, 151)):
        label = f"middle({left}, {right}): C drops the fraction of a quotient of integers"
        same(answer.middle(left, right), (left + right) / 2, label)
    left, right = LAST - 1, LAST
    label = f"middle({left}, {right}): a sum of two ints is an int, which ends at {LAST}"
    same(answer.middle(left, right), (left + right) / 2, label)
    for n in range(3, 9):
        memory, angles = np.full((n + 2, 2), math.nan), np.arange(n) * 2 * math.pi / n
        memory[1:-1] = np.column_stack((np.cos(angles), np.sin(angles)))
        got, right = answer.area(memory[1:-1]), n / 2 * math.sin(2 * math.pi / n)
        if math.isnan(got):
            raise CheckFailed("area: it reads outside the array: which vertex is before vertex 0?")
        label = f"area of a regular polygon of {n} vertices"
        if math.isclose(got, right * (1 - 1 / n)):
            raise CheckFailed(f"{label}: the edge from the last vertex to the first is missing")
        same(got, right, label, rtol=1e-9)
