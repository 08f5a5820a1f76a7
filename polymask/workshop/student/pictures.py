"""Pictures of wrong pixels: characters for the terminal, a PNG for a closer look."""

import numpy as np

from polymask.common import saving

ROWS, COLS = 20, 60
LEGEND = "# inside   . outside   - should be inside   + should be outside   ? neither 0 nor 1"
COLOURS = np.array(
    [(255, 255, 255), (60, 60, 60), (230, 60, 50), (50, 110, 230), (240, 180, 0)], np.uint8
)
SIGNS = np.array(list(".#-+?"))


def classes(got, expected):
    """Return a number per pixel: 0 outside, 1 inside, 2 missing, 3 too many, 4 neither 0 nor 1."""
    kinds = expected.astype(int)
    kinds[(expected == 1) & (got == 0)] = 2
    kinds[(expected == 0) & (got == 1)] = 3
    kinds[(got != 0) & (got != 1)] = 4
    return kinds


def text(got, expected):
    """Return lines of characters: a small mask, or the part around the first wrong pixel."""
    kinds = classes(got, expected)
    row, col = (int(i) for i in np.argwhere(kinds >= 2)[0])
    top = 0 if kinds.shape[0] <= ROWS else min(max(row - ROWS // 2, 0), kinds.shape[0] - ROWS)
    left = 0 if kinds.shape[1] <= COLS else min(max(col - COLS // 2, 0), kinds.shape[1] - COLS)
    part = SIGNS[kinds[top : top + ROWS, left : left + COLS]]
    where = f"shown from row {top}, column {left}; " if part.shape != kinds.shape else ""
    first = f"{where}the first wrong pixel is in row {row}, column {col}"
    return "\n".join(["    " + "".join(line) for line in part] + [f"    {LEGEND}", f"    {first}"])


def png(got, expected, file):
    """Write the picture to a PNG file, with pixels that are large enough to count.

    Raises `polymask.common.saving.NotWritten` if that fails, and leaves no partial file.
    """
    from PIL import Image

    pixels = COLOURS[classes(got, expected)]
    scale = max(1, 480 // max(pixels.shape[:2]))
    image = Image.fromarray(pixels.repeat(scale, axis=0).repeat(scale, axis=1))
    with saving.replacing(file, trusted=False) as unfinished:  # the answer's code has just run
        image.save(unfinished)
