"""Placement of the keys of curves, without overlaps and with each key clearly at its curve.

The key of a curve that ends early is placed beside its end, if there is room and no other curve
ends nearby. All other keys are in a column at the right, after a piece of their curve. A line
connects a curve that ends at the right with its key.
"""

import itertools

import numpy as np

from ladder.report.charts import drawing

SIZE, LINE = 11, 14  # font size and line height, pixels
SWATCH = 20  # the width of the piece of a curve before its key in the column
GAP = 14  # between the curves and the column
NEAR = 18  # distance within which the end of another curve makes a key ambiguous
# Positions of a key beside the end of its curve: the part of the key at the end, and offsets.
SPOTS = ((0, 6, 0), (0, 2, LINE), (0, 2, -LINE), (0.5, 0, LINE), (1, -2, LINE))


def room(keys):
    """Return the width of the column at the right."""
    return GAP + SWATCH + 6 + max(drawing.width(key, SIZE) for key in keys)


def put(axes, curves):
    """Write the keys of `curves` (key to line) on axes whose limits and position are final."""
    from matplotlib.transforms import Affine2D

    pixels = Affine2D().scale(1 / drawing.INCH) + axes.figure.dpi_scale_trans
    look = {"transform": pixels, "clip_on": False}
    dots = {key: axes.transData.transform(line.get_xydata()) for key, line in curves.items()}
    frame = axes.get_window_extent()
    beside, column = place(dots, frame.extents)
    right = max(points[-1][0] for points in dots.values())
    for key, (x, y) in beside.items():
        axes.text(x, y, key, fontsize=SIZE, va="center_baseline", gid=f"key-{key}", **look)
    for key, y in column.items():
        line, (x, end) = curves[key], dots[key][-1]
        colour, dash = line.get_color(), line.get_linestyle()
        start = frame.x1 + GAP
        axes.plot([start, start + SWATCH], [y, y], dash, color=colour, linewidth=2, **look)
        if x == right:
            axes.plot([x + 3, start - 3], [end, y], color=colour, linewidth=0.6, **look)
        left = start + SWATCH + 4
        axes.text(left, y, key, fontsize=SIZE, va="center_baseline", gid=f"key-{key}", **look)


def place(dots, frame):
    """Find a place for each key of `dots`: key to the points of a curve, shape (N, 2).

    Positions are in pixels, upwards; `frame` is the left, bottom, right and top of the area of the
    curves. Return two dictionaries: the keys beside the ends of their curves, with the middle of
    their left side, and the keys in the column, with their heights, from the top down.
    """
    from matplotlib.transforms import Bbox

    ends = {key: points[-1] for key, points in dots.items()}
    along = np.linspace(0, 1, 24)[:, None]
    pieces = [a + along * (b - a) for p in dots.values() for a, b in itertools.pairwise(p)]
    ink = np.concatenate([*dots.values(), *pieces])
    right = max(x for x, _ in ends.values())
    beside, column = {}, []
    occupied = [Bbox([(right, frame[1]), (np.inf, frame[3])])]
    for key in sorted(ends, key=lambda key: (-ends[key][1], key)):
        if ends[key][0] == right:
            column.append(key)
            continue
        others = np.array([end for other, end in ends.items() if other != key]).reshape(-1, 2)
        width = drawing.width(key, SIZE)
        for part, dx, dy in SPOTS:
            x, y = ends[key] + (dx - part * width, dy)
            box = Bbox([(x, y - LINE / 2), (x + width, y + LINE / 2)])
            free = not any(map(box.fully_overlaps, occupied))
            free = free and frame[0] < x and frame[1] < box.y0 and box.y1 < frame[3]
            clutter = box.padded(1).count_contains(ink) + box.padded(NEAR).count_contains(others)
            if free and not clutter:
                beside[key] = (x, y)
                occupied.append(box)
                break
        else:
            column.append(key)
    heights = spread([ends[key][1] for key in column], frame[1] + LINE / 2, frame[3] - LINE / 2)
    return beside, dict(zip(column, heights, strict=True))


def spread(heights, low, high):
    """Move descending heights apart to a distance of a line, but no farther than necessary."""
    places = []
    for y in heights:
        places.append(min(y, places[-1] - LINE if places else high))
    limit = low
    for number in reversed(range(len(places))):
        places[number] = max(places[number], limit)
        limit = places[number] + LINE
    return places
