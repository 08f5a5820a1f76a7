"""Launches of the kernels that compute tiles: their sizes, and their arguments."""

import itertools
from typing import NamedTuple

import numpy as np

from polymask.cuda import device_polygons, nvrtc
from polymask.cuda.cupy_library import with_device
from polymask.cuda.device_arrays import strides_of

EDGES_DECIDE = 2  # the value of `border_value` in csrc/tiles.cl if it is None


class Tile(NamedTuple):
    """The size of a tile, and the number of items that compute it together."""

    rows: int
    words: int  # of 32 columns
    items: int

    @property
    def ends(self):
        """Where each part of its local memory ends, in words: see `Lines` in csrc/tiles.cl."""
        size, parities = self.rows * self.words, self.rows * -(-self.words // 32)
        return [*itertools.accumulate((size, size, size, parities, self.items, 1))]


MOST_WORDS = 256  # of a tile of a mask: 8 rows take 25 kB
OF_WINDOWS = Tile(rows=32, words=2, items=32)  # of many features, which are small
OF_FEW = Tile(rows=32, words=16, items=256)  # of features that may be large, and do not fill it
FEW = 1 << 10  # features
ENOUGH = 1 << 15  # groups that keep the largest device busy
MOST_SLICES = 1 << 10


def of_masks(shape, features):
    """Return the size of the tiles of masks: whole rows, as long as these are not too long."""
    rows, cols = shape
    words = min(-(-(cols + 15) // 32), MOST_WORDS)
    narrow_and_many = words <= 32 and rows * features > ENOUGH
    return Tile(16 if narrow_and_many else 8, words, 256)


def draw(name, polygons, shape, sampling, out, *, windowed):
    """Draw masks with the kernel `name` into `out`, on the device."""
    tile = of_masks(shape, polygons.count)
    strides = strides_of(out)
    # A row of bytes begins at a multiple of 16, so its first pixel may be a few bits further on.
    aligned = name == "draw_bits" or not any(n % 16 for n in (out.data.ptr, *strides))
    margin = 0 if aligned else 15
    tiles = -(-(shape[1] + margin) // (32 * tile.words)) * -(-shape[0] // tile.rows)
    windows = device_polygons.windows(polygons, shape, sampling) if windowed else None
    job = make_job(
        polygons, shape, sampling, tile, margin=margin, strides=strides, windowed=windowed
    )
    launch(name, polygons.count * tiles, tile, polygons, windows, out, job)


def paint(polygons, shape, sampling, ranks, image):
    """Set each pixel to the largest of the ranks, on the device, of its features, or to 0."""
    tile, slices = of_windows(polygons)
    job = make_job(polygons, shape, sampling, tile, slices=slices, strides=strides_of(image))
    windows = device_polygons.windows(polygons, shape, sampling)
    image[...] = 0  # after the last allocation, which can fail
    launch("paint_ranks", polygons.count * slices, tile, polygons, windows, ranks, image, job)


def count(polygons, shape, sampling):
    """Return the number of pixels of each feature."""
    tile, slices = of_windows(polygons)
    job = make_job(polygons, shape, sampling, tile, slices=slices)
    windows = device_polygons.windows(polygons, shape, sampling)
    parts = with_device().empty((polygons.count, slices), np.int64)
    launch("count_pixels", polygons.count * slices, tile, polygons, windows, parts, job)
    return parts.sum(axis=1)


def of_windows(polygons):
    """Return the tile of features' windows, and the number of groups that share each feature."""
    tile = OF_FEW if polygons.count <= FEW else OF_WINDOWS
    return tile, max(1, min(MOST_SLICES, ENOUGH // max(polygons.count, 1)))


def make_job(polygons, shape, sampling, tile, *, slices=1, margin=0, strides=(0, 0), windowed=True):
    """Return the struct `Job`, an array of one element, which CuPy passes by value."""
    border = EDGES_DECIDE if sampling.border_value is None else sampling.border_value
    values = (
        *sampling.offset, 0.5 if sampling.center else 0.0, border, sampling.watertight, *shape,
        tile.rows, tile.words, slices, polygons.boxes is not None, windowed, margin, *strides,
        *tile.ends[:-1],
    )  # fmt: skip
    return np.array(values, nvrtc.JOB)


def launch(name, groups, tile, polygons, windows, *arguments):
    """Launch a kernel; an array that is not needed is replaced by one that is not read."""
    points = polygons.points
    nvrtc.per_group(
        name, groups, tile.items, 4 * tile.ends[-1],
        points, points if polygons.boxes is None else polygons.boxes, polygons.polygons,
        polygons.features, points if windows is None else windows, *arguments,
    )  # fmt: skip
