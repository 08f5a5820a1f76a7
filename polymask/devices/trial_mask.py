"""The small mask that a device has to make before it is used: polygon, image, and what is right."""

from importlib import resources

import numpy as np

SHAPE = (24, 40)  # rows and columns
# Its edges pass through pixels: a quotient that is off in its last bit shows.
POLYGON = np.array([(0.0, 0.0), (39.0, 13.0), (19.0, 23.0), (4.0, 18.0)])
# The right mask, eight pixels a byte: devices know of no reference, which the ladder has.
RIGHT = bytes.fromhex(
    "800000000070000000007e000000007fc00000007ff80000003fff0000003fffe000003ffffc0000"
    "3fffff80001ffffff0001ffffffe001fffffffc01ffffffff81fffffffff0ffffffffc0ffffffff0"
    "0fffffffc00fffffff000ffffffc0000fffff000001fffc0000003ff000000007c00000000100000"
)


def with_rule(kernel):
    """Return the text of a kernel; the text of the rule takes the line that includes it."""
    rule = (resources.files("polymask.csrc") / "inside_polygon.h").read_text("utf-8")
    return kernel.replace('#include "inside_polygon.h"', rule)


def what_is_wrong(mask):
    """Return what is wrong with a device's mask, in one line; an empty text if nothing is."""
    expected = np.unpackbits(np.frombuffer(RIGHT, np.uint8)).reshape(SHAPE)
    wrong = int(np.count_nonzero(mask != expected))
    return f"it computes {wrong} of {mask.size} pixels wrong" if wrong else ""


def first_line(error):
    """Return the first line of an error's message."""
    return (str(error).splitlines() or [""])[0]
