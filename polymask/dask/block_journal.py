"""The list of finished blocks in the folder of an image, with which writing continues after a kill.

The first line identifies the image. Each other line has the row, the column and the number of
nonzero pixels of a finished block. A line is appended by one system call, after the files of its
block are on the disk.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import shutil
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from polymask.files.raster_windows import JOURNAL as NAME

try:
    import fcntl
except ImportError:  # Windows, where two processes that write the same image are not noticed
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

# The entries of an array's folder, which may be removed: metadata, chunks, unfinished files.
OF_ARRAY = re.compile(r"\.zarray|\.zattrs|zarr\.json|c|[\d.]+|.*\.partial|" + re.escape(NAME))


class BlockJournal:
    """The finished blocks of an image.

    Attributes
    ----------
    folder : Path
    nonzeros : dict
        The number of nonzero pixels of each finished block (row, column).
    lock : threading.Lock
        Threads take it to append blocks.
    """

    def __init__(self, folder: Path, file: BinaryIO) -> None:
        self.folder = folder
        self.nonzeros: dict[tuple[int, int], int] = {}
        self._file = file
        self.lock = threading.Lock()

    def chunk_file(self, block: tuple[int, int]) -> Path:
        """Return the file of a block's chunk."""
        return self.folder / str(block[0]) / str(block[1])

    def append(self, block: tuple[int, int], nonzeros: int) -> None:
        """Add a finished block; the caller holds the lock."""
        line = b"%d %d %d\n" % (*block, nonzeros)
        if self._file.write(line) != len(line):
            self._file.close()  # no line may follow a part of a line
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.folder))
        self.nonzeros[block] = nonzeros

    def close(self) -> None:
        """Close the file; threads of a call that failed can add no more blocks."""
        with self.lock:
            self._file.close()

    def claim(self) -> None:
        """Keep other processes from writing the image."""
        try:
            if fcntl is not None:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = f"another process is writing {self.folder}: wait until it ends"
            raise FileExistsError(message) from None

    def start(self, identity: str, overwrite: bool) -> None:
        """Begin a new journal, or read that of the same image."""
        content = (self.folder / NAME).read_bytes()
        first, *lines = content.split(b"\n")
        is_new = os.listdir(self.folder) == [NAME] and not lines
        if first == identity.encode() and lines:
            unfinished = lines.pop()  # a line that a power failure cut
            try:
                self._read(lines)
            except ValueError:
                if not overwrite:
                    raise _refusal(self.folder, f"its file {NAME} is damaged") from None
                self.nonzeros.clear()
            else:
                self._file.truncate(len(content) - len(unfinished))
                return
        elif not overwrite and not is_new:
            raise _refusal(
                self.folder,
                "it has another image, whose polygons, shape, blocks, options or version of "
                "polymask differ",
            )
        _require_removable(self.folder)
        self._file.truncate(0)  # before the files that it lists are removed
        _remove_others(self.folder)
        self._file.write(identity.encode() + b"\n")
        os.fsync(self._file.fileno())

    def _read(self, lines: list[bytes]) -> None:
        for line in lines:
            row, col, nonzeros = map(int, line.split())
            if not nonzeros or self.chunk_file((row, col)).exists():
                self.nonzeros[row, col] = nonzeros


@contextlib.contextmanager
def open_journal(folder: Path, identity: str, overwrite: bool) -> Iterator[BlockJournal]:
    """Open the journal of a folder, which need not exist, for this process alone.

    Parameters
    ----------
    folder : Path
    identity : str
        A line that differs for different images.
    overwrite : bool
        Whether to remove an array of another image from the folder first.

    Raises
    ------
    FileExistsError
        If the folder has other content, or another process writes to it.
    """
    with contextlib.suppress(FileNotFoundError):
        names = set(os.listdir(folder))
        if names and NAME not in names:
            if not _is_array(folder):
                raise FileExistsError(f"{folder} is not a Zarr array: choose another folder")
            if not overwrite:
                raise _refusal(folder, "it has a Zarr array that was not written by blocks")
    folder.mkdir(parents=True, exist_ok=True)
    with (
        open(folder / NAME, "ab", buffering=0) as file,
        contextlib.closing(BlockJournal(folder, file)) as journal,
    ):
        journal.claim()
        journal.start(identity, overwrite)
        yield journal


def _refusal(folder, reason):
    advice = "Choose another folder, or replace its content with overwrite (--overwrite)"
    return FileExistsError(f"{folder}: {reason}. {advice}")


def _is_array(folder):
    """Whether a folder is an array of Zarr, and not a group, which may have many arrays."""
    if (folder / ".zarray").is_file():
        return True
    try:
        return json.loads((folder / "zarr.json").read_bytes())["node_type"] == "array"
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _require_removable(folder):
    for name in os.listdir(folder):
        if not OF_ARRAY.fullmatch(name):
            raise FileExistsError(f"{folder / name} is not a part of an array: move it elsewhere")


def _remove_others(folder):
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry)
        elif entry.name != NAME:
            os.unlink(entry)
