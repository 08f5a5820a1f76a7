"""Compare windows with the same pixels of the mask of a large image."""

import numpy as np

import polymask
from ladder.workshop.sandbox import cases, child, process_stats
from ladder.workshop.sandbox.check_failed import CheckFailed, advising, same_mask

LARGE, SHAPE, MOST = (300, 400), (31, 47), 2e6  # bytes, far more than any work on a window


def check(answer, random):
    """Raise `CheckFailed` unless each window is a part of the large image's mask, to the byte."""
    box = [(70.5, 60.5), (330.5, 60.5), (330.5, 240.5), (70.5, 240.5)]
    left, on_rows = [(x - 68, y) for x, y in box], [(x, y + 0.5) for x, y in box]
    for label, advice, vertices, corner in (
        ("a box left of the window", "an edge to the left toggles no pixel", left, (100, 300)),
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
    with advising(advice):
        got = answer.make_mask(vertices, SHAPE, corner)
        same_mask(got, whole[row : row + rows, col : col + cols].copy(), label)
