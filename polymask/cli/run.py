"""`polymask run`: one mask by one rung, so that a profiler sees just that."""

import time

import click
import numpy as np

from polymask import ctrl_c
from polymask.cli.images import writer
from polymask.cli.options import FILE, read_settings, rung_options
from polymask.cli.terminal import wrote
from polymask.report import figures


@click.command()
@rung_options
@click.option("--save", type=FILE, help="Write the mask to a .npy, .png, .tif or .npz file.")
def run(rung, workload, settings, save):
    """Make one mask by a rung; print the time of this first call, and how many pixels it has.

    To profile a rung: python -m cProfile -o tuples.prof -m polymask run python.tuples
    """
    write = writer("--save", save, workload.shape, workload.files) if save else None
    options = read_settings(rung, settings)
    make_mask = rung.load()
    with ctrl_c.ends_the_process(rung):
        start = time.perf_counter()
        mask = make_mask(workload.vertices, workload.shape, **options)
        seconds = time.perf_counter() - start
    rows, cols = mask.shape
    click.echo(
        f"{rung.key}: first call {figures.seconds(seconds)}, "
        f"{np.count_nonzero(mask)} of {rows} x {cols} pixels inside"
    )
    if write:
        write(mask)
        wrote(save)
