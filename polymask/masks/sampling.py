"""The sampling options that the public functions share, checked in one place."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from polymask.common.error_text import nearest, quote
from polymask.contract import NOT_PAIRS, check_flag, check_threads

if TYPE_CHECKING:
    from typing import SupportsIndex

    from polymask.hints import Flag, Pair, Touched

NO_OFFSET = (0, 0)
MOST_OFFSET = 2**53  # integers up to here are exact in binary64


class Sampling(NamedTuple):
    """Checked sampling options: a tuple, because a frozen dataclass would cost a microsecond.

    Attributes
    ----------
    border_value : bool or None
        The value of a sample on a vertex; if None, the edges decide.
    center : bool
        Whether samples lie half a pixel from the integers.
    offset : tuple of int
        Row and column of the first sample.
    watertight : bool
        Whether crossings are computed from the end of an edge with the smaller y.
    squares : {"closed", "open"} or None
        The kind of squares that the polygon may touch; if None, samples are tested instead.
    threads : int
        The number of threads, or 0 for the fastest number.
    """

    border_value: bool | None = True
    center: bool = False
    offset: tuple[int, int] = NO_OFFSET
    watertight: bool = False
    squares: Literal["closed", "open"] | None = None
    threads: int = 0


DEFAULT = Sampling()


def check_sampling(
    shape: tuple[int, int] | None,
    *,
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = NO_OFFSET,
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
    **unknown: object,
) -> Sampling:
    """Check options and return them as a `Sampling`; defaults take no time."""
    if unknown:
        name, names = next(iter(unknown)), [*check_sampling.__kwdefaults__, "order", "transform"]
        raise TypeError(f"there is no option {name!r}{nearest(name, names)}")
    if (
        border_value is True
        and center is False
        and offset is NO_OFFSET
        and watertight is False
        and all_touched is False
        and threads is None
    ):
        return DEFAULT
    # Defaults are not checked: a call to a check takes as long as some rows of a small mask.
    if border_value is not True and border_value is not None:
        border_value = check_flag(border_value, "border_value", "True, False or None")
    if center is not False:
        center = check_flag(center, "center")
    if offset is not NO_OFFSET:
        offset = check_offset(offset)
        check_samples(shape, offset, center)
    if watertight is not False:
        watertight = check_flag(watertight, "watertight")
    squares = None if all_touched is False else check_all_touched(all_touched)
    threads = 0 if threads is None else check_threads(threads)
    options = border_value, center, offset, watertight, squares, threads
    return tuple.__new__(Sampling, options)  # in half the time of Sampling(*options)


def check_on_map(grid, options):
    """Check options of an image on a MapGrid, whose samples are the centres of pixels."""
    if not check_flag(options.get("center", True), "center"):
        raise ValueError("center=False excludes transform: samples are then the centres of pixels")
    options = {"border_value": None, "watertight": True, **options, "center": grid.center}
    return check_sampling(grid.shape, **options)


def check_offset(offset):
    """Convert `offset` to (row, column), two Python ints up to 2**53."""
    try:
        if isinstance(offset, NOT_PAIRS):
            raise TypeError
        row, col = (operator.index(number) for number in offset)
    except (TypeError, ValueError):
        text = f"offset must be two integers (row, column), got {quote(offset)}"
        raise ValueError(text) from None
    if max(abs(row), abs(col)) > MOST_OFFSET:
        raise ValueError(f"offset {quote((row, col))} is beyond 2**53: samples would not be exact")
    return row, col


def check_samples(shape, offset, center):
    """Refuse a window whose samples are not exact doubles: neighbours would coincide."""
    (rows, cols), (row, col) = shape, offset
    limit = 2**52 if center else 2**53
    if -limit <= row <= limit - rows and -limit <= col <= limit - cols:
        return
    if rows and cols:
        limit_name = "2**52, the limit for pixel centres" if center else "2**53"
        raise ValueError(
            f"offset {quote(offset)} plus the shape {quote(shape)} is beyond {limit_name}: samples "
            "would not be exact, so move the window and the polygons towards 0"
        )


def check_all_touched(all_touched):
    """Return the kind of squares to test, "closed" or "open", or None for samples."""
    if isinstance(all_touched, (bool, np.bool_)):
        return "closed" if all_touched else None
    if isinstance(all_touched, str) and all_touched in ("closed", "open"):
        return all_touched
    raise ValueError(
        f'all_touched must be False, True, "closed" or "open", got {quote(all_touched)}'
    )
