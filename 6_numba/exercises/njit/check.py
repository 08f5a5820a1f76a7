"""Looks whether Numba's code makes the masks that were found to be right."""

from polymask.ladder import reference, workload
from polymask.workshop.sandbox import child, compiling
from polymask.workshop.sandbox.wrong import Wrong, same_mask

UNDER = compiling.UNDER
SHAPE = 31, 47
EDGES = 9


def check(answer, random):
    """Raise `Wrong` unless the masks are made by what Numba compiled."""
    label = f"a mask of {SHAPE[0]} x {SHAPE[1]} pixels"
    arguments, _ = drawn(random)
    _, facts = child.observe(answer.make_mask, *arguments)
    compiling.check_called(facts, label)
    calls = len(facts["compiled"])
    if calls > SHAPE[0]:
        raise Wrong(
            f"{label}: Python calls compiled functions {calls} times for it: the loop over the "
            "pixels is to be compiled, too"
        )
    compiling.check_idle(
        answer.make_mask,
        lambda: drawn(random),
        label,
        lambda got, right: same_mask(got, right, label),
    )
    compiling.check_exact()


def drawn(random):
    """Return the arguments of a call, and the right mask."""
    vertices = workload.polygon(EDGES, SHAPE, random.randrange(10**6))
    return (vertices, SHAPE), reference.mask(vertices, SHAPE)
