"""Drawing features by blocks, for images larger than memory."""

import math
import sys
import time
from typing import NamedTuple

import click
import numpy as np

from polymask.cli.places import check_folder, check_out
from polymask.cli.progress_bar import progress
from polymask.common import figures
from polymask.contract import Unavailable
from polymask.maps.fitting import bounds_from

try:
    import resource
except ImportError:  # Windows
    resource = None

TILE = 512  # rows and columns of the tiles of a GeoTIFF, which blocks consist of
MOST_BLOCKS = 200_000  # Dask needs 3 KB of memory for each
REDRAW_S = 0.2  # between two updates of a progress bar


class Drawn(NamedTuple):
    """An image that was written: its dtype, the number of nonzero pixels, and the cost as text."""

    dtype: np.dtype
    nonzeros: int
    cost: str


class Blocks:
    """An image that is written by blocks; each subclass writes one kind of file."""

    stores_floats = True

    def draw(self, function, features, shape, names=None, **options):
        """Draw features and write them; return what was `Drawn`.

        `function` is "label_mask" or "coverage", and the options are those of that function.
        """
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
        except ImportError as error:
            raise Unavailable(str(error)) from None
        start = time.perf_counter()
        drawn = features
        image = getattr(dask, function)(drawn, shape, chunks=self.chunk, **options)
        with progress() as bar:
            bar.begin("writing", image.npartitions)
            nonzeros = self.write(image, names, reporter(bar))
        return Drawn(image.dtype, nonzeros, cost_since(start))


class ZarrBlocks(Blocks):
    """A Zarr array that is written by blocks; after a kill, the same command continues."""

    stores_names = True

    def __init__(self, folder, chunk, overwrite, bounds):
        check_folder(folder if folder.is_dir() else folder.parent, folder)
        self.path, self.chunk, self.overwrite = folder, chunk, overwrite
        self.attributes = {} if bounds is None else {"bounds": list(bounds)}

    def write(self, image, names, progress):
        """Write a lazy image; return the number of nonzero pixels."""
        from polymask.dask.zarr_blocks import write_blocks

        attributes = self.attributes | ({} if names is None else {"names": names})
        try:
            return write_blocks(image, self.path, attributes, self.overwrite, progress)[1]
        except KeyboardInterrupt:
            click.echo("the same command continues with the unfinished blocks", err=True)
            raise
        except OSError as error:
            if error.errno:  # zarr's errors of the system lack the name
                error.filename = error.filename or str(self.path)
            raise


class TiffBlocks(Blocks):
    """A GeoTIFF that is written by blocks."""

    stores_names = False

    def __init__(self, file, chunk, inputs, bounds):
        check_out(file, inputs)
        if chunk % TILE:
            raise click.UsageError(f"--chunk for a .tif must be a multiple of {TILE}, got {chunk}")
        self.path, self.chunk, self.bounds = file, chunk, bounds

    def write(self, image, names, progress):
        """Write a lazy image; return the number of nonzero pixels."""
        from polymask.dask.tiff_blocks import write_tiff

        transform = bounds_from(self.bounds, image.shape) if self.bounds else None
        return write_tiff(image, self.path, TILE, transform, progress)


def reporter(bar):
    """Return a callback that shows the number of finished blocks, from any thread."""
    shown, last = 0, -REDRAW_S

    def report(done, total):
        nonlocal shown, last
        bar.advance(done - shown)
        shown = done
        if time.monotonic() - last >= REDRAW_S:
            bar.working(f"{done} of {total} blocks")
            last = time.monotonic()

    return report


def cost_since(start):
    """Return the time since `start`, and the peak memory of this process, as text."""
    seconds = figures.seconds(time.perf_counter() - start)
    if resource is None:
        return seconds
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    size = figures.size(peak if sys.platform == "darwin" else 1024 * peak)
    return f"{seconds}, at most {size} of memory"
