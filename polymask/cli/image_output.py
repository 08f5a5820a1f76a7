"""The options for the file of an image, and drawing features to it."""

import functools
import time

import click
import numpy as np

import polymask
from polymask.cli.block_output import Drawn, TiffBlocks
from polymask.cli.images import writer
from polymask.cli.places import FILE
from polymask.cli.progress_bar import progress
from polymask.common import figures
from polymask.files.raster_files import TIFF


def output_options(command):
    """Add the options for the file of an image to a command, as one `output`."""

    @click.option(
        "-o", "--out", type=FILE, required=True, help="Write to a .npy, .png, .tif or .npz file."
    )
    @click.option(
        "--chunk",
        type=click.IntRange(1),
        help="Write a .tif by blocks of this size, for images larger than memory.",
    )
    @functools.wraps(command)
    def with_output(out, chunk, **others):
        inputs, bounds = others["source"].files, others["source"].bounds
        if chunk is None:
            output = WholeImage(out, others["shape"], inputs, bounds)
        elif out.suffix.lower() in TIFF:
            output = TiffBlocks(out, chunk, inputs, bounds)
        else:
            raise click.UsageError("--chunk needs a .tif file")
        return command(output=output, **others)

    return with_output


class WholeImage:
    """A file for an image that is drawn in memory."""

    def __init__(self, file, shape, inputs, bounds):
        self.path = file
        self.stores_names = file.suffix.lower() == ".npz"
        self.stores_floats = file.suffix.lower() in (".npy", ".png")
        self._write = writer("--out", file, shape, inputs, bounds)

    def draw(self, function, features, shape, names=None, **options):
        """Draw features and write them; return what was `Drawn`.

        `function` is "label_mask" or "coverage", and the options are those of that function.
        """
        start = time.perf_counter()
        with progress() as bar:
            bar.begin("drawing", features.features)
            bar.working(figures.count(features.features, "feature"))
            if function == "label_mask":
                options["progress"] = lambda done: bar.advance(1)
            image = getattr(polymask, function)(features, shape, **options)
        seconds = figures.seconds(time.perf_counter() - start)
        self._write(image, names)
        return Drawn(image.dtype, int(np.count_nonzero(image)), seconds)
