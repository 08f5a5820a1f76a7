"""Pass images and masks with several strides: views into larger arrays, so that nothing crashes."""

import numpy as np

from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed

VIEWS = {
    "image[:9, :12]": lambda a: a[:9, :12],
    "image[:9, :12].T": lambda a: a[:9, :12].T,
    "image[:9, :24:2]": lambda a: a[:9, :24:2],
    "image[9:0:-1, :12]": lambda a: a[9:0:-1, :12],
}
READS = "C reads on from the first pixel, without the strides. Which memory may it read like this?"
WRITES = "C wrote to a copy, or without the strides: raise ValueError for such a mask"


def check(answer, random):
    """Raise `CheckFailed` at the first mask that is wrong, or whose pixels lie elsewhere."""
    image = np.random.default_rng(random.randrange(10**6)).random((30, 40))
    image.flags.writeable = False
    for name, view in VIEWS.items():
        out, right = np.full(view(image).shape, 7, np.uint8), view(image) >= 0.5
        child.step(f"calling threshold({name}, 0.5, out)")
        try:
            answer.threshold(view(image), 0.5, out)
        except ValueError as error:
            order = (
                "`::1` must be the last dimension" if "Fortran" in str(error) else "give C a copy"
            )
            raise CheckFailed(f"{name} is refused: {error}: {order}, in C order") from None
        if n := np.count_nonzero(out != right):
            advice = "nothing was written to out: was it copied?" if (out == 7).all() else READS
            if 0 < np.count_nonzero(out == 7) == n < out.size:
                advice = "these are never written: is the number of pixels rows * columns?"
            raise CheckFailed(f"{name}: {n} of {out.size} pixels are wrong", advice=advice)
        of_out, whole = name.replace("image", "out"), np.full(image.shape, 7, np.uint8)
        child.step(f"calling threshold(image, 0.5, {of_out})")
        expected = whole.copy()
        try:
            answer.threshold(view(image), 0.5, view(whole))
            view(expected)[...] = right
        except ValueError:
            pass  # nothing may be written
        if n := np.count_nonzero(whole != expected):
            raise CheckFailed(f"{n} pixels of out are wrong, for {of_out}", advice=WRITES)
