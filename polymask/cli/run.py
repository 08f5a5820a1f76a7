"""`polymask run`: one mask by one rung, so that a profiler sees just that."""

import time
from pathlib import Path

import click
import numpy as np

from polymask.cli.options import (
    RungKey,
    check_folder,
    read_option,
    split_assignment,
    workload_options,
)
from polymask.report import numbers


@click.command()
@click.argument("rung", metavar="KEY", type=RungKey())
@workload_options
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="OPTION=VALUE",
    help="An option of the rung, like threads=2; may be repeated.",
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False, writable=True),
    help="Write the mask to a .png or .npy file.",
)
def run(rung, workload, settings, save):
    """Make one mask by a rung; print its time and how many pixels it has.

    To profile a rung: python -m cProfile -o tuples.prof -m polymask run python.tuples
    """
    if save and Path(save).suffix.lower() not in WRITERS:
        raise click.UsageError(f"--save writes .png or .npy, got {save!r}")
    if save and Path(save).suffix.lower() == ".png" and 0 in workload.shape:
        raise click.UsageError("a mask without pixels cannot be saved as a picture")
    if save:
        check_folder(Path(save).parent)
    options = {}
    for setting in settings:
        name, value = split_assignment(setting, "OPTION=VALUE")
        options[name] = read_option(rung, name, value)
    make_mask = rung.load()
    start = time.perf_counter()
    mask = make_mask(workload.vertices, workload.shape, **options)
    seconds = time.perf_counter() - start
    rows, cols = mask.shape
    click.echo(
        f"{rung.key}: {numbers.seconds(seconds)}, "
        f"{np.count_nonzero(mask)} of {rows} x {cols} pixels inside"
    )
    if save:
        WRITERS[Path(save).suffix.lower()](save, mask)
        click.echo(f"wrote {save}")


def write_png(file, mask):
    """Write a mask as a picture, white inside."""
    from PIL import Image

    Image.fromarray(mask * np.uint8(255)).save(file)


WRITERS = {".png": write_png, ".npy": np.save}

COMMANDS = (run,)
