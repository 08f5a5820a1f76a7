"""The options that choose a polygon and an image."""

import functools
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from ladder.cli.rung_options import rung_argument
from ladder.registry import workload
from polymask import contract
from polymask.cli.options import SHAPE
from polymask.cli.places import GIVEN_OR_STDIN
from polymask.files import polygon_files
from polymask.forms import geometry
from polymask.maps import fitting


@dataclass(frozen=True)
class Workload:
    """A polygon on an image, and its origin."""

    vertices: np.ndarray
    shape: tuple[int, int]
    seed: int | None
    polygon: str | None

    @property
    def files(self):
        """The input files, which must not be overwritten."""
        return [Path(self.polygon)] if self.polygon else []


VERTICES = click.IntRange(3, geometry.MOST_VERTICES)


def workload_options(command):
    """Add the options that choose a polygon and an image to a command, as one `workload`."""

    @click.option("--size", type=click.IntRange(0), help="Set rows and columns of a square image.")
    @click.option("--shape", type=SHAPE, help="Set the rows and columns, like 600x800.")
    @click.option("--vertices", type=VERTICES, help="Set the number of random vertices.")
    @click.option("--seed", type=int, help="Set the seed of the random polygon.")
    @click.option(
        "--polygon",
        type=GIVEN_OR_STDIN,
        help="Read the polygon from GeoJSON, two columns of text or CSV, or an .npy file; - is "
        "standard input.",
    )
    @click.option("--fit", is_flag=True, help="Scale the polygon to fit the image, north up.")
    @functools.wraps(command)
    def with_workload(size, shape, vertices, seed, polygon, fit, **others):
        chosen = choose_workload(size, shape, vertices, seed, polygon, fit)
        return command(workload=chosen, **others)

    return with_workload


def rung_options(command):
    """Add a rung, a workload, and `settings` for `read_settings` to a command."""
    with_settings = click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="OPTION=VALUE",
        help="Set an option of the rung, like threads=2; may be repeated.",
    )
    return rung_argument(workload_options(with_settings(command)))


def choose_workload(size, shape, n, seed, polygon, fit):
    """Return the workload that the options choose; refuse contradictory options."""
    if size is not None and shape is not None:
        raise click.UsageError("--size and --shape exclude each other")
    if polygon and (n is not None or seed is not None):
        raise click.UsageError("--polygon has its own vertices: leave out --vertices and --seed")
    shape = shape or (workload.SHAPE if size is None else contract.check_shape((size, size)))
    if polygon:
        vertices, seed = polygon_files.read_polygon(polygon), None
    else:
        seed = workload.SEED if seed is None else seed
        vertices = workload.polygon(workload.VERTICES if n is None else n, shape, seed)
    if fit:
        vertices = fitting.fit(vertices, shape)
    return Workload(vertices, shape, seed, polygon and str(polygon))
