"""Drawing features to a GeoTIFF by blocks, for images larger than memory."""

import math
import time
from typing import NamedTuple

import click
import numpy as np

from polymask.cli.places import check_out
from polymask.cli.progress_bar import progress
from polymask.common import figures
from polymask.contract import Unavailable
from polymask.maps.fitting import bounds_from

TILE = 512  # rows and columns of the tiles of a GeoTIFF, which blocks consist of
MOST_BLOCKS = 200_000  # Dask needs 3 KB of memory for each


class Drawn(NamedTuple):
    """An image that was written: its dtype, the number of nonzero pixels, and the time as text."""

    dtype: np.dtype
    nonzeros: int
    time: str


class TiffBlocks:
    """A GeoTIFF that is written by blocks."""

    stores_names = False
    stores_floats = True

    def __init__(self, file, chunk, inputs, bounds):
        check_out(file, inputs)
        if chunk % TILE:
            raise click.UsageError(f"--chunk must be a multiple of {TILE}, got {chunk}")
        self.path, self.chunk, self.bounds = file, chunk, bounds

    def draw(self, function, features, shape, names=None, **options):
        """Draw and write features; see `WholeImage.draw`."""
        if 0 in shape:
            raise click.UsageError("a mask without pixels cannot be written by blocks")
        blocks = math.prod(-(-size // self.chunk) for size in shape)
        if blocks > MOST_BLOCKS:
            raise click.UsageError(
                f"--chunk {self.chunk} makes {blocks} blocks, but at most {MOST_BLOCKS} are "
                "possible: choose a larger --chunk"
            )
        try:
            from polymask import dask
            from polymask.dask.tiff_blocks import write_tiff
        except ImportError as error:
            raise Unavailable(str(error)) from None
        transform = bounds_from(self.bounds, shape) if self.bounds else None
        start = time.perf_counter()
        image = getattr(dask, function)(features, shape, chunks=self.chunk, **options)
        with progress() as bar:
            bar.begin("writing", blocks)
            bar.working(figures.count(blocks, "block"), long=True)
            nonzeros = write_tiff(image, self.path, TILE, transform, lambda: bar.advance(1))
        return Drawn(image.dtype, nonzeros, figures.seconds(time.perf_counter() - start))
