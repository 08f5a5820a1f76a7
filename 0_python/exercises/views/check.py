"""Test the predictions, and call the two functions with random masks."""

import numpy as np

from ladder.workshop.sandbox.check_failed import CheckFailed, advising, same_mask

SHAPE = (6, 9)


def check(answer, random):
    """Raise `CheckFailed` at the first wrong prediction or result."""
    mask = np.zeros(SHAPE, np.uint8)
    for text, predicted in answer.SHARES.items():
        shares = np.shares_memory(mask, eval(text, {"mask": mask}))
        kind = "still None: predict it" if predicted is None else "a view" if shares else "a copy"
        if predicted != shares:
            raise CheckFailed(f"SHARES: {text} is {kind}")
    pixels = [random.sample([1] * n + [0] * (54 - n), 54) for n in (15, 40, 27)]
    masks = [np.array(values, np.uint8).reshape(SHAPE) for values in pixels]
    outs = []
    draws = [lambda out, m=mask: np.copyto(out, m) or outs.append(out) for mask in masks]
    got = answer.largest(draws, SHAPE)
    if np.array_equal(got, masks[-1]):
        is_shared = np.shares_memory(got, outs[-1])
        cause = "`best` and `mask` share their memory" if is_shared else "is `most` updated?"
        raise CheckFailed(f"largest: it returns the last mask: {cause}")
    same_mask(got, masks[1], "largest")
    rows, cols = random.sample(range(6), 3), random.sample(range(9), 3)
    mask, right, pairs = np.ones((3, *SHAPE), np.uint8)
    answer.erase(mask, rows, cols)
    right[np.ix_(rows, cols)] = pairs[rows, cols] = 0
    if mask.all():
        raise CheckFailed("erase: the mask has not changed: the zeros were written into a copy")
    if np.array_equal(mask, pairs):
        raise CheckFailed("erase: this pairs the lists: 3 pixels were set to 0 instead of 9")
    with advising("a pixel becomes 0 if its row is in the list, and its column is, too"):
        same_mask(mask, right, f"erase, rows {rows}, columns {cols}")
