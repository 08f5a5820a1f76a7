"""Test the predictions, and call the two functions with random masks."""

import numpy as np

from ladder.workshop.sandbox.check_failed import CheckFailed, same_mask

SHAPE = (6, 9)


def check(answer, random):
    """Raise `CheckFailed` at the first wrong prediction or result."""
    mask = np.zeros(SHAPE, np.uint8)
    for text, predicted in answer.SHARES.items():
        shares = np.shares_memory(mask, eval(text, {"mask": mask}))
        kind = "still None: predict it" if predicted is None else "a view" if shares else "a copy"
        if isinstance(predicted, str):
            raise CheckFailed(f"SHARES: write True or False, not {predicted!r}")
        if predicted != shares:
            raise CheckFailed(f"SHARES: {text} is {kind}")
    pixels = [random.sample([1] * n + [0] * (54 - n), 54) for n in (15, 40, 27)]
    masks = [np.array(values, np.uint8).reshape(SHAPE) for values in pixels]
    got = answer.largest([lambda out, m=mask: np.copyto(out, m) for mask in masks], SHAPE)
    if np.array_equal(got, masks[-1]):
        raise CheckFailed("largest: it returns the last mask: `best` and `mask` share their memory")
    same_mask(got, masks[1], "largest")
    rows, cols = random.sample(range(6), 3), random.sample(range(9), 3)
    mask, right, pairs = np.ones((3, *SHAPE), np.uint8)
    answer.erase(mask, rows, cols)
    right[np.ix_(rows, cols)] = pairs[rows, cols] = 0
    if mask.all():
        raise CheckFailed("erase: the mask has not changed: the zeros were written into a copy")
    if np.array_equal(mask, pairs):
        raise CheckFailed("erase: this pairs the lists: 3 pixels were set to 0 instead of 9")
    same_mask(mask, right, f"erase, rows {rows}, columns {cols}")
