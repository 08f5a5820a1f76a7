"""Lazy images written to Zarr by blocks, so that writing continues after a kill.

The array has Zarr's format 2, in which a chunk is a file with a known name. The library renames a
chunk's file into place when it is complete. Here the file is then forced to the disk, before the
journal lists its block: a listed block survives a kill, and a power failure.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dask
import dask.array as da
import numpy as np
from dask.array.core import normalize_chunks

import polymask
from polymask.contract import Unavailable
from polymask.dask.block_journal import BlockJournal, open_journal
from polymask.dask.blocks import worker_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def write_zarr(
    image: da.Array,
    folder: str | os.PathLike[str],
    *,
    attributes: Mapping[str, Any] | None = None,
    overwrite: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> Any:
    """Write a lazy image to a folder as a Zarr array, with a chunk for each block.

    If the process is killed, the same call in a new process continues: finished blocks are neither
    computed nor written again. Blocks of zeros have no file. Threads of this process compute the
    blocks; the memory is that of a few blocks per thread.

    Parameters
    ----------
    image : dask.array.Array, shape (rows, cols), or xarray.DataArray
        Such as those of the functions in `polymask.dask`. All blocks have the same shape, except
        the last in each direction. Another process makes the same image if it has the same name.
        Only the data of a DataArray are written, without its coordinates and attributes.
    folder : str or path
        It is created, unless it exists.
    attributes : mapping, optional
        Attributes of the array, as in JSON.
    overwrite : bool
        Whether to replace an array of another image. That of the same image is continued.
    progress : callable, optional
        Called with the numbers of finished blocks and of all blocks, at the start and after each
        block, by one thread at a time.

    Returns
    -------
    zarr.Array
        Open for reading and writing.

    Raises
    ------
    FileExistsError
        If the folder has another image or other content, or another process writes to it.
    ValueError
        If the image has no pixels or masked ones, or its blocks differ in shape.
    Unavailable
        If Zarr is not installed.

    Examples
    --------
    >>> import tempfile, polymask.dask
    >>> triangle = [(1, 1), (6, 1), (3, 4)]
    >>> image = polymask.dask.polygon_mask(triangle, (5, 8), chunks=4, dtype="uint8")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     array = polymask.dask.write_zarr(image, folder)
    ...     print(array[1])
    [0 1 0 0 0 0 1 0]
    """
    return write_blocks(da.asarray(image), folder, attributes, overwrite, progress)[0]


def write_blocks(image, folder, attributes=None, overwrite=False, progress=None):
    """Return the array that `write_zarr` returns, and the number of its nonzero pixels."""
    if image.ndim != 2 or image.chunks != normalize_chunks(image.chunksize, image.shape):
        raise ValueError(
            f"the blocks of the image differ in shape: {image.chunks}. Call its rechunk() with one "
            "size first"
        )
    if 0 in image.shape:
        raise ValueError(f"image has no pixels: its shape is {image.shape}")
    zarr = _import_zarr()
    folder, attributes = Path(folder), dict(attributes or {})
    with open_journal(folder, _identity(image, attributes), overwrite) as journal:
        for unfinished in folder.rglob("*.partial"):  # files of a killed process
            unfinished.unlink()
        array = _open_array(zarr, image, folder)
        if array.attrs.asdict() != attributes:
            array.attrs.put(attributes)
        target = Target(array, journal, image.npartitions, progress)
        target.report()
        written = image.map_blocks(
            target.write,
            dtype=bool,
            name=f"polymask-write_zarr-{image.name}",
            meta=np.empty((0, 0), bool),
            chunks=tuple((1,) * count for count in image.numblocks),
        )
        keys = [
            (written.name, *block)
            for block in np.ndindex(image.numblocks)
            if block not in journal.nonzeros
        ]
        if keys:
            with worker_threads() as pool:
                dask.threaded.get(da.optimize(written.dask, keys), keys, pool=pool)
    return array, sum(journal.nonzeros.values())


@dataclass
class Target:
    """An array of Zarr, and the blocks that it has.

    Attributes
    ----------
    array : zarr.Array
    journal : BlockJournal
    total : int
        The number of blocks.
    progress : callable or None
    """

    array: Any
    journal: BlockJournal
    total: int
    progress: Callable[[int, int], object] | None

    def write(self, values: np.ndarray[Any, Any], block_id: tuple[int, int]) -> Any:
        """Write a block, and list it."""
        if np.ma.is_masked(values):
            raise ValueError(
                "image has masked pixels, which Zarr cannot store: fill them first with "
                "dask.array.ma.filled(image, value)"
            )
        nonzeros = _count_nonzeros(values)
        if nonzeros:
            region = tuple(
                slice(number * size, number * size + length)
                for number, size, length in zip(
                    block_id, self.array.chunks, values.shape, strict=True
                )
            )
            self.array[region] = values
            _force_to_disk(self.journal.chunk_file(block_id))
        with self.journal.lock:
            self.journal.append(block_id, nonzeros)
            self.report()
        return np.ones((1, 1), bool)

    def report(self) -> None:
        """Report the number of finished blocks."""
        if self.progress is not None:
            self.progress(len(self.journal.nonzeros), self.total)


def _identity(image, attributes):
    """Return a line that differs for different images."""
    text = json.dumps([polymask.__version__, image.name, attributes], sort_keys=True)
    return f"polymask {hashlib.sha256(text.encode()).hexdigest()}"


def _import_zarr():
    try:
        import zarr
    except ModuleNotFoundError:
        raise Unavailable("writing Zarr needs the library zarr", "pip install zarr") from None
    return zarr


def _open_array(zarr, image, folder):
    """Open the array of an image; create it if it does not exist."""
    if zarr.__version__.startswith("2."):
        options = {"store": zarr.DirectoryStore(str(folder), dimension_separator="/")}
    else:  # a store, because text may be a URL
        options = {"store": zarr.storage.LocalStore(folder), "zarr_format": 2}
    array = zarr.open_array(
        mode="a",
        shape=image.shape,
        chunks=image.chunksize,
        dtype=image.dtype,
        fill_value=0,
        dimension_separator="/",
        **options,
    )
    _force_to_disk(folder / ".zarray")
    return array


def _count_nonzeros(values):
    if values.strides == (0, 0):  # a block of one value
        return values.size * bool(values[0, 0])
    return int(np.count_nonzero(values))


def _force_to_disk(file):
    with file.open("r+b") as opened:
        os.fsync(opened.fileno())
