"""Test the predicted strides, and invert views of a larger image."""

import numpy as np

from ladder.workshop.sandbox.check_failed import CheckFailed

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
            raise CheckFailed(f"invert({text}): {error}: `::1` allows no other strides") from None
        if not np.array_equal(image, right):
            fact = "wrong pixels have changed: an address needs the strides of the view"
            if np.array_equal(image, before):
                fact = "nothing has changed: was a copy inverted?"
            raise CheckFailed(f"invert({text}): {fact}", image, right)
