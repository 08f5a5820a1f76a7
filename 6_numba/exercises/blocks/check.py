"""Count blocks, and test which pixels the threads of one block write."""

import numpy as np

from ladder.workshop.sandbox import child, compiling, known_calls
from ladder.workshop.sandbox.check_failed import CheckFailed
from ladder.workshop.student import pictures

UNDER = compiling.KERNELS
FRESH = 2048  # bytes: memory of this size is overwritten each time, smaller pieces may be reused


def check(answer, random):
    """Raise `CheckFailed` unless the number of blocks is right, and each writes its own pixels."""
    rng = np.random.default_rng(random.randrange(10**6))
    along_x, along_y = answer.BLOCK
    for rows, cols in ((4, 8), (8, 16), (5, 8), (4, 9), (3, 50), (1024, 768), (1, 1)):
        right = -(-cols // along_x), -(-rows // along_y)
        got = answer.blocks((rows, cols))
        if not isinstance(got, tuple | list) or tuple(got) != right:
            raise CheckFailed(
                f"blocks(({rows}, {cols})): expected {right}, got {got}: {right[0]} x {along_x} "
                f"threads along x cover {cols} columns, and {right[1]} x {along_y} along y cover "
                f"{rows} rows"
            )
    for shape in ((1, 1), (4, 8), (5, 9), (3, 17), (13, 2)):
        label = f"an image of {shape[0]} x {shape[1]}"
        grid, _ = known_calls.check_cuda(answer.brighter, *random_case(rng, shape), label)
        if grid[:2] != list(answer.blocks(shape)):
            raise CheckFailed(f"{label}: {grid[:2]} blocks were launched, unlike `blocks` returns")
    one_block(answer, rng, along_x, along_y)
    picture = pictures.tiles((5, 9), (along_y, along_x))
    return f"seen: the pixels of each block, for an image of 5 x 9; `.` has none:\n{picture}"


def random_case(rng, shape, by=30, brightest=100):
    """Return the arguments of a call, and the right result."""
    image = rng.integers(0, brightest, shape).astype(np.uint8)
    return (image, by), image + np.uint8(by)


def one_block(answer, rng, along_x, along_y):
    """Raise `CheckFailed` unless a block that runs alone writes exactly its own pixels."""
    shape = 3 * along_y + FRESH // (2 * along_x), 2 * along_x
    arguments, right = random_case(rng, shape, 170, 60)  # values not yet in memory
    with child.switched("simulated", block=(1, 2, 0)):
        written = answer.brighter(*arguments) == right
    own = np.zeros(shape, bool)
    own[2 * along_y : 3 * along_y, along_x:] = True
    if not np.array_equal(written, own):
        raise CheckFailed(
            f"block (1, 2) was run alone: {np.count_nonzero(written)} pixels were written instead "
            f"of its {own.sum()}, from column {along_x} and row {2 * along_y} on"
        )
