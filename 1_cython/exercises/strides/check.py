"""Test the predicted strides, and invert views of a larger image."""

import numpy as np

from ladder.workshop.sandbox.check_failed import CheckFailed, advising, same_mask

VIEWS = ("image", "image[:, 2:5]", "image.T", "image[::2, ::-1]", "image[1:3].T", "image[:0]")


def check(answer, random):
    """Raise `CheckFailed` at the first wrong prediction, or pixel of a view or beside it."""
    image = np.zeros((4, 6), np.uint8)
    for text, predicted in answer.STRIDES.items():
        if not np.array_equal(predicted, eval(text, {"image": image}).strides):
            kind = "wrong" if predicted else "still None"
            raise CheckFailed(f"STRIDES: {text} is {kind}: how far are the next row and column?")
    rng = np.random.default_rng(random.randrange(10**6))
    for text in VIEWS:
        image = rng.integers(0, 2, (4, 6), np.uint8)
        before, right = image.copy(), image.copy()
        eval(text, {"image": right})[...] ^= 1
        try:
            answer.invert(eval(text, {"image": image}))
        except ValueError as error:
            advice = "`::1` allows no other strides" if "contiguous" in str(error) else ""
            raise CheckFailed(f"invert({text}): {error}", advice=advice) from None
        advice = "an address needs the strides of the view"
        if np.array_equal(image, before):
            advice = "nothing has changed: was a copy inverted?"
        elif text == "image":
            advice = "y counts rows, shape[0], and x columns, shape[1]; 0 and 1 are exchanged"
        with advising(advice):
            same_mask(image, right, f"invert({text})")
