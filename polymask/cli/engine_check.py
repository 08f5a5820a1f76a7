"""`polymask doctor` without the course: whether the engine draws the right mask."""

import click
import numpy as np

import polymask

SHAPE = 64, 100
STAR = np.array([(3.5, 2.5), (96.5, 9.5), (30.5, 61.5), (50.5, 0.5), (80.5, 60.5)])


@click.command()
def doctor():
    """Check each pixel of a small mask. The exit status is 1 if one is wrong."""
    good, text = engine()
    verdict = "works" if good else "is broken, please report this"
    click.echo(f"polymask {polymask.__version__} {verdict}: {text}")
    return 0 if good else 1


def engine():
    """Return whether a small mask agrees with the rule, and a line about it and the engine."""
    from polymask.masks import _engine

    wrong = polymask.polygon_mask(STAR, SHAPE)
    y, x = np.indices(SHAPE)
    for (x1, y1), (x2, y2) in zip(STAR, np.roll(STAR, -1, axis=0), strict=True):
        wrong ^= ((y1 < y) != (y2 < y)) & (x <= (y - y1) * (x2 - x1) / (y2 - y1) + x1)
    right, sets = np.count_nonzero(~wrong), ", ".join(_engine.instruction_sets())
    text = f"{right} of {wrong.size} pixels are right with {_engine.choice(STAR, *SHAPE)}"
    return right == wrong.size, f"{text}; POLYMASK_ISA can be {sets}"
