"""Pictures of wrong pixels: characters for the terminal."""

from dataclasses import dataclass
from string import ascii_uppercase

import numpy as np

ROWS, COLS = 20, 60
LEGEND = "# inside   . outside   - should be inside   + should be outside   ? neither 0 nor 1"
VERTEX, VERTEX_LEGEND = "V", "V a vertex (the nearest pixel), unless its pixel is wrong"
TENS = 10  # columns between two numbers above the picture
SIGNS = np.array(list(".#-+?"))


@dataclass(frozen=True, eq=False)
class WrongMask:
    """A mask that an answer returned, and the right one."""

    got: np.ndarray
    expected: np.ndarray
    vertices: list | None = None  # the polygon as pairs x, y; None if the check does not have one

    def classes(self):
        """Return a number per pixel: 0 outside, 1 inside, 2 missing, 3 too many, 4 no mask's."""
        kinds = self.expected.astype(int)
        kinds[(self.expected == 1) & (self.got == 0)] = 2
        kinds[(self.expected == 0) & (self.got == 1)] = 3
        kinds[(self.got != 0) & (self.got != 1)] = 4
        return kinds

    def vertex_pixels(self):
        """Return which pixels are nearest to a vertex, as an array of booleans."""
        marked = np.zeros(self.expected.shape, bool)
        points = np.array(self.vertices or [], float).reshape(-1, 2)
        points = points[np.abs(points).max(axis=1) < sum(marked.shape)]  # not 1e300
        cols, rows = np.rint(points).astype(int).T
        inside = (rows >= 0) & (rows < marked.shape[0]) & (cols >= 0) & (cols < marked.shape[1])
        marked[rows[inside], cols[inside]] = True
        return marked


def text(wrong):
    """Return numbered lines of a small mask, or of the part around the first wrong pixel."""
    kinds, marked = wrong.classes(), wrong.vertex_pixels()
    row, col = (int(i) for i in np.argwhere(kinds >= 2)[0])
    top = 0 if kinds.shape[0] <= ROWS else min(max(row - ROWS // 2, 0), kinds.shape[0] - ROWS)
    left = 0 if kinds.shape[1] <= COLS else min(max(col - COLS // 2, 0), kinds.shape[1] - COLS)
    part = np.s_[top : top + ROWS, left : left + COLS]
    signs = np.where(marked & (kinds < 2), VERTEX, SIGNS[kinds])[part]
    width = len(str(top + len(signs) - 1))
    lines = [f"{' ' * width} {line}" for line in ruler(left, signs.shape[1])]
    lines += [f"{top + i:{width}} {''.join(line)}" for i, line in enumerate(signs)]
    where = f"shown from row {top}, column {left}; " if signs.shape != kinds.shape else ""
    lines.append(LEGEND)
    if marked[part].any():
        lines.append(VERTEX_LEGEND)
    lines.append(f"{where}the first wrong pixel is in row {row}, column {col}")
    return "\n".join(f"    {line}".rstrip() for line in lines)


def tiles(shape, tile):
    """Return a letter per tile of an image, a block or work-group; `.` lies beyond it."""
    rows, cols = (np.arange(-(-n // side) * side) for n, side in zip(shape, tile, strict=True))
    numbers = rows[:, None] // tile[0] * (len(cols) // tile[1]) + cols // tile[1]
    letters = np.array(list(ascii_uppercase))[numbers % len(ascii_uppercase)]
    letters[shape[0] :], letters[:, shape[1] :] = ".", "."
    return "\n".join(f"    {''.join(line)}" for line in letters)


def ruler(first, count):
    """Return two lines above columns: every tenth number, and the last digit of all numbers."""
    numbers = range(first, first + count)
    tens = [f"{number:<{TENS}}" for number in numbers if number % TENS == 0]
    return " " * (-first % TENS) + "".join(tens), "".join(str(number % 10) for number in numbers)
