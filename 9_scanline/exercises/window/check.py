"""Compare windows with the same pixels of the mask of a large image."""

import numpy as np

import polymask
from ladder.workshop.sandbox import cases, child, process_stats
from ladder.workshop.sandbox.check_failed import CheckFailed, advising, same_kind, same_mask

LARGE, SHAPE, MOST = (300, 400), (31, 47), 2e6  # bytes, far more than any work on a window


def check(answer, random):
    """Raise `CheckFailed` unless each window is a part of the large image's mask, to the byte."""
    box = [(70.5, 60.5), (330.5, 60.5), (330.5, 240.5), (70.5, 240.5)]
    left, on_rows = [(x - 100, y) for x, y in box], [(x, y + 0.5) for x, y in box]
    for label, advice, vertices, corner in (
        ("a box left of the window", "an edge to the left toggles no pixel", left, (100, 300)),
        ("a box that ends in the window", "is the corner (row, col)?", left, (100, 200)),
        ("a box around the window", "an edge to the right toggles all pixels", box, (100, 150)),
        ("a box that begins in the window", "which row and column begin it?", box, (50, 60)),
        ("a box on rows", "which of its ends does an edge include?", on_rows, (50, 60)),
    ):
        compare(answer, vertices, corner, label, advice)
    peak = process_stats.peak_bytes(answer.make_mask, box, SHAPE, (3000, 4000))
    if peak > MOST:
        raise CheckFailed(f"a call takes {peak / 1e6:.0f} MB: draw the window, not the large image")
    for _ in range(9):
        corner = tuple(random.randrange(n - m) for n, m in zip(LARGE, SHAPE, strict=True))
        advice = "is a coordinate minus an integer exact, or rounded?"
        vertices = cases.through_pixels(random, LARGE, 99)
        compare(answer, vertices, corner, f"edges through pixels, corner {corner}", advice)


def compare(answer, vertices, corner, label, advice):
    """Raise `CheckFailed` unless a window is right; the message ends with `advice`."""
    child.step(f"making a mask: {label}")
    (row, col), (rows, cols) = corner, SHAPE
    whole = polymask.polygon_mask(vertices, LARGE, border_value=None).view(np.uint8)
    right = whole[row : row + rows, col : col + cols].copy()
    try:
        got = answer.make_mask(vertices, SHAPE, corner)
    except IndexError as error:
        error.args = (f"{error}: x (y) is still that of the large image: subtract col (row)",)
        raise
    same_kind(got, right, label)
    with advising(cause(got, right) or advice):
        same_mask(got, right, label)


def cause(got, right):
    """Return the mistake that the pattern of the wrong pixels shows, or an empty text."""
    wrong = got != right
    if not got.any() and not right.all():
        return "no row was drawn: move first and last by `row`"
    if wrong[1::2].all() and not wrong[::2].any():
        return "two toggles of one pixel must cancel: `^=`, not `=`"
    if wrong.any(axis=0).sum() == wrong.all(axis=0).sum() == 1:  # one column
        at_first = "an edge to the left of the window toggles nothing"
        return at_first if wrong[0, 0] else "the toggle belongs after the last pixel: + 1"
    return ""
