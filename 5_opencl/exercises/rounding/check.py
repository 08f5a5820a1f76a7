"""Hands in a buffer that is larger than the mask, full of rubbish around it, and looks around."""

from polymask.workshop.sandbox import device
from polymask.workshop.sandbox.wrong import same

from .images import check_image, multiple
from .items import check_items, check_waits

UNDER = device.UNDER
# (rows, cols) of the image and of a work-group: neither, one, or both are multiples
CASES = [
    ((8, 16), (4, 8)),
    ((7, 16), (4, 8)),
    ((8, 17), (4, 8)),
    ((1, 1), (4, 8)),
    ((3, 41), (8, 2)),
    ((65, 31), (1, 16)),
    ((13, 5), (1, 1)),
    ((0, 9), (4, 8)),
    ((6, 0), (4, 8)),
]


def check(answer, random):
    """Raise `Wrong` at the first pixel that is missing, and at the first byte beyond the image."""
    for n, group in ((1, 8), (7, 8), (8, 8), (9, 8), (0, 8), (random.randrange(10**6), 24)):
        same(answer.whole_groups(n, group), multiple(n, group), f"whole_groups({n}, {group})")
    unknown = (random.randrange(20, 90), random.randrange(20, 90)), (random.choice((2, 4)), 16)
    for shape, group in [*CASES, unknown]:
        check_image(answer, shape, group, random.randrange(10**6))
    check_items(answer, random)
    check_waits(answer)
