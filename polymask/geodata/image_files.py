"""Reading arrays, label images with names, and pictures from files."""

import contextlib
import errno
import importlib
import io
import logging
import os
import struct
import sys
import threading
import tokenize
import warnings
import zipfile
import zlib
from pathlib import Path

import numpy as np

from polymask.common.stdin_io import STDIN, content

# What NumPy and Pillow raise where the bytes of a file are not what its beginning says.
BROKEN = (
    *(EOFError, IndexError, KeyError, OverflowError, SyntaxError, TypeError, ValueError),
    *(struct.error, tokenize.TokenError, zipfile.BadZipFile, zlib.error, RuntimeError),
)
for _module, _error in ("lzma", "LZMAError"), ("compression.zstd", "ZstdError"):
    with contextlib.suppress(ImportError):  # Python may be built without; the second is of 3.14
        BROKEN += (getattr(importlib.import_module(_module), _error),)
# A picture of more pixels than the first, and than so many for each byte of its file, is none: what
# compresses best, a mask without a pixel set, has 8,256 by deflate.
MANY_PIXELS, PIXELS_A_BYTE = 1 << 28, 10_000
LOG, NOWHERE = logging.getLogger("PIL"), logging.NullHandler()
_HUSHING = threading.Lock()  # who ends first would else end it for the others
SUBFILE, MASK = 254, 4  # the tag of a TIFF that says what a page is, and its bit for a mask
OUTSIDE = errno.EINVAL  # of the system, where a broken file names a place that no file has


def opened(file):
    """Return what readers take, the path or all of a pipe, and the suffix of its kind.

    The content says which it is where there is no suffix, as of standard input.
    """
    if file != STDIN and file.is_file() and file.suffix:
        return file, file.suffix.lower()
    found = content(file)
    kinds = {np.lib.format.MAGIC_PREFIX: ".npy", b"PK": ".npz", b"II*\0": ".tif", b"MM\0*": ".tif"}
    kind = next((kind for begin, kind in kinds.items() if found.startswith(begin)), "")
    return io.BytesIO(found), kind


def read_array(file):
    """Read an array of numbers from an .npy file: a path, or a binary file that can seek.

    Raises
    ------
    ValueError
        If it is no such file.
    """
    try:
        with _unwarned(), np.errstate(all="ignore"):  # of a size beyond 64 bits
            found = np.load(file, allow_pickle=False)
    except MemoryError as error:  # of a size that no more than its header has, mostly
        raise ValueError(f"not to be read: {error}") from None
    except BROKEN:
        found = None
    if not _is_of_numbers(found):  # an .npz by another name is no array
        if found is None and _is_cut_short(file):
            raise ValueError("holds less than its header says: save it, or copy it, again")
        raise ValueError("not an .npy file of numbers: write one by numpy.save")
    return found


def _is_of_numbers(found):
    return isinstance(found, np.ndarray) and found.dtype.kind in "iufbc"


def _is_cut_short(file):
    """Whether an .npy file that cannot be read has the header of an array of numbers."""
    if isinstance(file, Path):
        with file.open("rb") as opened_file:
            return _is_cut_short(opened_file)
    try:
        file.seek(0)
        version = np.lib.format.read_magic(file)
        read = np.lib.format.read_array_header_1_0
        if version != (1, 0):  # 3.0 is for names of fields: no numbers
            read = np.lib.format.read_array_header_2_0
        with _unwarned():
            shape, _, dtype = read(file)
    except BROKEN:
        return False
    return dtype.kind in "iufbc" and all(0 <= length <= sys.maxsize for length in shape)


def read_npz(file):
    """Read an image, and the names of its labels if it has any, as `polymask mask` writes them."""
    if isinstance(file, Path):
        with file.open("rb") as opened_file:  # which NumPy leaves open where it is broken
            return read_npz(opened_file)
    try:
        is_zip = zipfile.is_zipfile(file)
    except zipfile.BadZipFile:  # of several disks, say; not in later Pythons
        raise ValueError("a broken .npz file") from None
    if not is_zip:
        raise ValueError("not an .npz file")
    file.seek(0)  # NumPy begins where it is
    try:
        with _unwarned(), np.load(file, allow_pickle=False) as found:
            arrays = sorted(found)
            image = found["labels"] if "labels" in arrays else None
            names = found["names"] if "names" in arrays else None
    except BROKEN as error:
        if type(error) is RuntimeError:  # of zipfile: a password, or a library that is missing
            raise ValueError(f"an .npz file that cannot be unpacked here: {error}") from None
        if "allow_pickle" in str(error):  # NumPy's advice, which runs what a file says
            raise ValueError(
                "an .npz file with objects: save labels as integers, and names as an array of str"
            ) from None
        raise ValueError("a broken .npz file") from None
    except OSError as error:
        if error.errno not in (None, OUTSIDE):  # of the system, not of what unpacks
            raise
        raise ValueError("a broken .npz file") from None
    if image is None:
        raise ValueError(f"has no array `labels`, but {arrays}: save the image alone as .npy")
    if not _is_of_numbers(image):
        raise ValueError("its array `labels` is not of numbers")
    if names is None:
        return image, None
    if not (isinstance(names, np.ndarray) and names.ndim == 1 and names.dtype.kind == "U"):
        raise ValueError("its array `names` is not a list of texts")
    return image, names.tolist()


def picture(file):
    """Return a picture as Pillow reads it, all of it."""
    with _open_picture(file) as found:
        with _hushed() if found.format == "TIFF" else contextlib.nullcontext():
            found.load()
        return found


def has_mask_page(file):
    """Return whether a page of a TIFF is a mask of the first."""
    with _open_picture(file) as found:
        for page in range(1, getattr(found, "n_frames", 1) if found.format == "TIFF" else 1):
            found.seek(page)
            if found.tag_v2.get(SUBFILE, 0) & MASK:
                return True
    return False


@contextlib.contextmanager
def _open_picture(file):
    """Open a picture by Pillow; what is wrong with it is a ValueError, in its body too."""
    from PIL import Image, UnidentifiedImageError

    LOG.addHandler(NOWHERE)  # where nobody asked for Pillow's log, Python would print its errors
    Image.MAX_IMAGE_PIXELS = None  # the file is the user's own
    try:
        with _unwarned(), Image.open(file) as found:
            _refuse_too_large(found, file)
            yield found
    except UnidentifiedImageError:
        raise ValueError("no .npy, no .npz, and no picture that Pillow reads") from None
    except BROKEN as error:
        raise ValueError(f"a broken picture: {error}") from None
    except OSError as error:
        if error.errno not in (None, OUTSIDE):  # of the system, not of Pillow
            raise
        raise ValueError(f"a broken picture: {error}") from None


@contextlib.contextmanager
def _unwarned():
    """Let libraries not warn: Pillow does of what it then refuses, NumPy of odd headers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def _hushed():
    """Let what libtiff prints of a broken file go nowhere: the error says it, once.

    Standard error is the whole process's, so other threads are not heard meanwhile, either. But
    only commands read pictures, before they start any.
    """
    with _HUSHING, contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # it is closed already
            kept = os.dup(2)
            stack.callback(os.close, kept)
            nowhere = os.open(os.devnull, os.O_WRONLY)
            stack.callback(os.close, nowhere)
            os.dup2(nowhere, 2)
            stack.callback(os.dup2, kept, 2)
        yield


def _refuse_too_large(found, file):
    """Refuse a picture whose header says much more than its file holds, before memory is full."""
    size = len(file.getbuffer()) if isinstance(file, io.BytesIO) else file.stat().st_size
    width, height = found.size
    # The tag of a TIFF alone says that it is not packed: 8 pixels a byte are the most then.
    ratio = 8 if found.info.get("compression") == "raw" else PIXELS_A_BYTE
    if width * height > max(MANY_PIXELS, ratio * size):
        raise ValueError(f"{width} x {height} pixels in a file of {size} bytes")
