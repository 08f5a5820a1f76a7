"""`polymask run`: one mask by one rung, to be run under a profiler."""

import time

import click
import numpy as np

from ladder.cli import edits, interrupts
from ladder.cli.rung_options import read_settings
from ladder.cli.workload_options import rung_options
from ladder.registry import reference
from ladder.workshop.sandbox.check_failed import CheckFailed, same_kind, same_mask
from polymask.cli.images import writer
from polymask.cli.places import FILE
from polymask.cli.terminal import wrote
from polymask.common import figures

MOST_VERTICES = 10_000  # checking a mask with more would take far longer than making it


@click.command()
@rung_options
@click.option("--save", type=FILE, help="Write the mask to a .npy, .png, .tif or .npz file.")
def run(rung, workload, settings, save):
    """Make one mask with a rung; print the time of this first call.

    A wrong mask is an error, whose message names the edited files of the rungs. With more than
    10,000 vertices, the mask is not checked.

    To profile a rung, run python -m cProfile -o tuples.prof -m polymask run python.tuples
    """
    write = writer("--save", save, workload.shape, workload.files) if save else None
    options = read_settings(rung, settings)
    make_mask = rung.load()
    with interrupts.ends_the_process(rung):
        start = time.perf_counter()
        mask = make_mask(workload.vertices, workload.shape, **options)
        seconds = time.perf_counter() - start
    expected = None
    if len(workload.vertices) <= MOST_VERTICES:
        expected = reference.mask(workload.vertices, workload.shape)
        check_mask(same_kind, mask, expected, rung)
    rows, cols = mask.shape
    click.echo(
        f"{rung.key}: first call {figures.seconds(seconds)}, "
        f"{np.count_nonzero(mask)} of {rows} x {cols} pixels inside"
    )
    if write:
        write(mask)
        wrote(save)
    if expected is not None:
        check_mask(same_mask, mask, expected, rung)


def check_mask(check, mask, expected, rung):
    """Check the mask of a rung; raise an error with the difference and its cause."""
    try:
        check(mask, expected, rung.key)
    except CheckFailed as error:
        message = str(error)
        if error.got is not None:
            y, x = map(int, np.argwhere(mask != expected)[0])
            message += (
                f"; the first is row {y}, column {x}: {mask[y, x]}, expected {expected[y, x]}"
            )
        cause = edits.explained() or "no file was edited, so please report it"
        raise click.ClickException(f"{message}; {cause}") from None
