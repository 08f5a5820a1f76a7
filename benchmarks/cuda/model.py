"""Lower limits of times on an H100, computed from bytes, instructions and launches.

    python -m benchmarks.cuda.model

prints a table for the scenes of the bars. Instructions are those of csrc/tiles.cl in PTX for sm_90,
counted in its loops in November 2026. Latency and the wait for memory are left out. A prototype
with a group per row, which evaluated every edge on every row, took 268 µs for 10,000 vertices at
8192² on an H100 (2026-11-26): 109 instructions per edge and row, where PTX has 107.
"""

import numpy as np

from benchmarks.cuda.report import table
from benchmarks.cuda.scenes import TASKS
from polymask.common import figures
from polymask.cuda import nvrtc, tiles

MEMSET_S = {1024: 5.8e-6, 8192: 25.8e-6, 32768: 334e-6}  # measured on an H100, 2026-11-26
BANDWIDTH = 3.2e12  # bytes per second, of the largest memset
ISSUED = 132 * 4 * 1.98e9  # instructions of warps per second: units, schedulers, Hz
LAUNCH_S = 2e-6  # of a small kernel after another one; an assumption
WARP, SECTOR, MOST_PLAIN = 32, 32, 256
# Instructions of a warp in draw_masks: for 32 words of a tile, for a store of 16 bytes per item,
# for the parities of a word per row, and for an edge per item on a row.
WORDS, STORE, PARITIES, EDGE = 60, 50, 72, 107
# In paint_ranks: for 32 words, 32 edges on a row, 32 pixels, and about 250 to find the window.
LABEL_WORDS, LABEL_EDGES, PIXELS, WINDOW = 73, 89, 34, 250


def mask_instructions(vertices, shape):
    """Return the instructions of warps of draw_masks for one polygon, (N, 2)."""
    tile, (rows, cols) = tiles.of_masks(shape, 1), shape
    width = WARP * tile.words
    wide, bands = -(-(cols + 15) // width), -(-rows // tile.rows)
    words = tile.rows * tile.words
    per_tile = words / WARP * WORDS + tile.words / WARP * PARITIES
    stores = rows * cols / 16 / WARP * STORE
    edges = sum(edges_on_rows(vertices, bands, tile, width * column) for column in range(wide))
    return bands * wide * per_tile + stores + edges / WARP * EDGE


def edges_on_rows(vertices, bands, tile, col):
    """Return the edges on a row that the items of a column of tiles evaluate."""
    count = len(vertices) + 2
    if count <= MOST_PLAIN:  # every edge on every row, in whole warps
        return bands * WARP * np.ceil((count - 1) * tile.rows / WARP)
    starts = np.arange(0, len(vertices), nvrtc.CHUNK)
    ends = np.stack([vertices, np.roll(vertices, -1, axis=0)])
    low = np.minimum.reduceat(ends.min(axis=0)[:, 1], starts)
    right, high = np.maximum.reduceat(ends.max(axis=0), starts).T
    first = np.clip(np.ceil((low - (tile.rows - 1)) / tile.rows), 0, bands)
    stop = np.clip(np.floor(high / tile.rows) + 1, first, bands)
    reached = (stop - first)[right >= col - 16].sum()  # pairs of a chunk and a band
    return reached * nvrtc.CHUNK * tile.rows


def label_limits(polygons):
    """Return bytes and instructions of paint_ranks for polygons smaller than a tile."""
    starts = polygons.ring_offsets[:-1]
    vertices = polygons.vertices
    edges = np.diff(polygons.ring_offsets) + 1
    extent = np.maximum.reduceat(vertices, starts) - np.minimum.reduceat(vertices, starts)
    cols, rows = np.ceil(extent).T
    words = np.ceil(rows * tiles.OF_WINDOWS.words / WARP) * LABEL_WORDS
    drawn = np.ceil(edges * rows / WARP) * LABEL_EDGES
    painted = rows * tiles.OF_WINDOWS.words * PIXELS
    sectors = rows * (cols * 4 / SECTOR + 1)
    nbytes = vertices.nbytes + 2 * SECTOR * sectors.sum()  # read, and written
    return nbytes, float((words + drawn + painted + PARITIES + WINDOW).sum())


def expected(task, scene):
    """Return the limits of a scene in seconds: of memory, of instructions, and of launches."""
    polygons, (rows, cols) = scene.polygons(), scene.shape
    if task.key == "mask":
        vertices = polygons.vertices
        small = 1 + (len(vertices) + 2 > MOST_PLAIN)  # kernels before draw_masks
        return MEMSET_S[rows], mask_instructions(vertices, scene.shape) / ISSUED, small * LAUNCH_S
    nbytes, instructions = label_limits(polygons)
    memory = (nbytes + 4 * rows * cols) / BANDWIDTH
    return memory, instructions / ISSUED, 3 * LAUNCH_S


def lines():
    """Return a row of texts for each scene: the limits, their sum, and its ratio to memset."""
    for task in TASKS[:2]:
        for scene in task.scenes:
            memory, instructions, launches = expected(task, scene)
            least = max(memory, instructions) + launches
            memset = 4 * np.prod(scene.shape) / BANDWIDTH if task.key == "labels" else memory
            texts = [figures.seconds(value) for value in (memory, instructions, launches, least)]
            yield f"{scene.title}, {scene.shape[0]}²", *texts, figures.digits(least / memset)


if __name__ == "__main__":
    headings = ("", "memory", "instructions", "small launches", "at least", "× memset")
    print(table(headings, lines()), end="")
