"""Reading arrays, label images with names, and pictures from files."""

import contextlib
import errno
import importlib
import io
import logging
import os
import struct
import threading
import tokenize
import warnings
import zipfile
import zlib
from pathlib import Path

import numpy as np

from polymask.common.stdin_io import STDIN, content

# Errors that NumPy and Pillow raise if the bytes of a file contradict its header.
BROKEN = (
    *(EOFError, IndexError, KeyError, OverflowError, SyntaxError, TypeError, ValueError),
    *(struct.error, tokenize.TokenError, zipfile.BadZipFile, zlib.error, RuntimeError),
)
for _module, _error in ("lzma", "LZMAError"), ("compression.zstd", "ZstdError"):
    with contextlib.suppress(ImportError):  # optional in Python; the second is new in 3.14
        BROKEN += (getattr(importlib.import_module(_module), _error),)
# A picture that exceeds both limits, in total and per byte of its file, is refused. The best
# compression, that of an empty mask by deflate, has 8,256 pixels per byte.
MANY_PIXELS, PIXELS_A_BYTE = 1 << 28, 10_000
LOG, NULL_HANDLER = logging.getLogger("PIL"), logging.NullHandler()
_STDERR_LOCK = threading.Lock()  # otherwise a thread would restore stderr while others discard it
SUBFILE, MASK, REDUCED = 254, 4, 1  # the TIFF tag for the kind of a page, and two of its bits
BIG_TIFF = 43  # the third byte of a BigTIFF
ORIENTATION = 274  # the tag of EXIF and TIFF
PREVIEWS = "MPO", "PSD"  # formats whose other pages are previews or layers of the first
OUTSIDE = errno.EINVAL  # the system's error if a broken file contains a negative offset


def open_source(file):
    """Return the source for readers, a path or the bytes of a pipe, and the suffix of its format.

    Without a suffix, as for standard input, the content determines the format.
    """
    if file != STDIN and file.is_file() and file.suffix:
        return file, file.suffix.lower()
    file_bytes = content(file)
    kinds = {np.lib.format.MAGIC_PREFIX: ".npy", b"PK": ".npz", b"II*\0": ".tif", b"MM\0*": ".tif"}
    kind = next((kind for begin, kind in kinds.items() if file_bytes.startswith(begin)), "")
    return io.BytesIO(file_bytes), kind


def read_array(file):
    """Read an array of numbers from an .npy file: a path, or a seekable binary file.

    Raises
    ------
    ValueError
        If the file is not such a file.
    """
    try:
        with _ignore_warnings(), np.errstate(all="ignore"):  # for a size beyond 64 bits
            array = np.load(file, allow_pickle=False)
    except MemoryError as error:  # usually because of a wrong size in the header
        raise ValueError(f"cannot be read: {error}") from None
    except BROKEN:
        array = None
    if not _is_of_numbers(array):  # an .npz file under another name is not an array
        raise ValueError(
            "not an .npy file of numbers, or only a part of one: write it with numpy.save, or copy "
            "it again from its source"
        )
    return array


def _is_of_numbers(array):
    return isinstance(array, np.ndarray) and array.dtype.kind in "iufbc"


def read_npz(file):
    """Read an image and the names of its labels, if any, as `polymask mask` writes them."""
    if isinstance(file, Path):
        with file.open("rb") as stream:  # NumPy leaves a broken file open
            return read_npz(stream)
    try:
        is_zip = zipfile.is_zipfile(file)
    except zipfile.BadZipFile:  # such as an archive of several disks, in older Pythons
        raise ValueError("a broken .npz file") from None
    if not is_zip:
        raise ValueError("not an .npz file")
    file.seek(0)  # NumPy begins at the current position
    try:
        with _ignore_warnings(), np.load(file, allow_pickle=False) as archive:
            arrays = sorted(archive)
            image = archive["labels"] if "labels" in arrays else None
            names = archive["names"] if "names" in arrays else None
    except BROKEN as error:
        if type(error) is RuntimeError:  # from zipfile: a password, or a missing library
            raise ValueError(f"an .npz file that cannot be unpacked here: {error}") from None
        if "allow_pickle" in str(error):  # NumPy's advice would run code from the file
            raise ValueError(
                "an .npz file with objects: save labels as integers, and names as an array of str"
            ) from None
        raise ValueError("a broken .npz file") from None
    except OSError as error:
        if error.errno not in (None, OUTSIDE):  # from the system, not from zipfile
            raise
        raise ValueError("a broken .npz file") from None
    if image is None:
        raise ValueError(f"has no array `labels`, only {arrays}: save the image alone as .npy")
    if not _is_of_numbers(image):
        raise ValueError("its array `labels` does not contain numbers")
    if names is None:
        return image, None
    if not (isinstance(names, np.ndarray) and names.ndim == 1 and names.dtype.kind == "U"):
        raise ValueError("its array `names` is not a 1D array of str")
    return image, names.tolist()


def read_picture(file, page=None):
    """Read a page of a picture with Pillow."""
    with _open_picture(file) as image:
        pages = _pages(image)
    index = check_page(page, len(pages))
    with _open_picture(file) as image:
        mode = image.mode
        if len(pages) > 1:
            image.seek(pages[index])
        with _discard_stderr() if image.format == "TIFF" else contextlib.nullcontext():
            image.load()
    if image.format == "GIF" and image.mode != mode:  # later pages, even of the same palette
        raise ValueError(f"page {page} has colours in Pillow, not indices: save it as a PNG")
    return image


def check_page(page, count):
    """Return the index of a page; refuse several without a choice."""
    if page is None and count > 1:
        raise ValueError(f"has {count} pages: choose one with --page")
    if page is not None and page > count:
        raise ValueError(f"has no page {page}, only {count}")
    return (page or 1) - 1


def _pages(image):
    """Return the indices of the pages, without the masks and the overviews of a TIFF."""
    pages = range(1 if image.format in PREVIEWS else getattr(image, "n_frames", 1))
    if image.format != "TIFF" or len(pages) == 1:
        return pages
    kinds = []
    for page in pages:
        image.seek(page)
        kinds.append(image.tag_v2.get(SUBFILE, 0))
    return [page for page in pages if not kinds[page] & (MASK | REDUCED)] or [0]


def picture_orientation(picture):
    """Return the number in EXIF by which a loaded picture is turned; Pillow turns a TIFF itself."""
    if picture.format == "TIFF":
        return 1
    with contextlib.suppress(*BROKEN), _ignore_warnings():
        return picture.getexif().get(ORIENTATION, 1)
    return 1


def tiff_orientation(file, page):
    """Return the same number of a page of a TIFF, also of one that Pillow cannot read."""
    from PIL.TiffImagePlugin import ImageFileDirectory_v2

    with contextlib.suppress(*BROKEN), _ignore_warnings(), _stream(file) as stream:
        header = stream.read(8)
        tags = ImageFileDirectory_v2(header + (stream.read(8) if header[2] == BIG_TIFF else b""))
        for _ in range(page):
            stream.seek(tags.next)
            tags.load(stream)
        return tags.get(ORIENTATION, 1)
    return 1


def upright(values, orientation):
    """Return an image as its viewer shows it, from the number of its orientation in EXIF."""
    if orientation in (5, 6, 7, 8):
        values = values.swapaxes(0, 1)
    rows, cols = (-1 if orientation in turned else 1 for turned in ((3, 4, 7, 8), (2, 3, 6, 7)))
    return values[::rows, ::cols]


def has_mask_page(file):
    """Return whether a page of a TIFF is a mask of the first page."""
    with _open_picture(file) as image:
        for page in range(1, getattr(image, "n_frames", 1) if image.format == "TIFF" else 1):
            image.seek(page)
            if image.tag_v2.get(SUBFILE, 0) & MASK:
                return True
    return False


@contextlib.contextmanager
def _open_picture(file):
    """Open a picture with Pillow; errors in its content become ValueErrors, also in the body."""
    from PIL import Image, UnidentifiedImageError

    LOG.addHandler(NULL_HANDLER)  # without a handler, Python would print the errors Pillow logs
    Image.MAX_IMAGE_PIXELS = None  # the user chose the file
    try:
        with _ignore_warnings(), _stream(file) as stream, Image.open(stream) as image:
            _refuse_too_large(image, file)
            yield image
    except UnidentifiedImageError:
        raise ValueError("neither .npy nor .npz, nor a picture that Pillow reads") from None
    except BROKEN as error:
        raise ValueError(f"a broken picture: {error}") from None
    except OSError as error:
        if error.errno not in (None, OUTSIDE):  # from the system, not from Pillow
            raise
        raise ValueError(f"a broken picture: {error}") from None


def _stream(file):
    """Open a file; from its name, Pillow would map a turned TIFF to memory in its wrong shape."""
    if isinstance(file, Path):
        return file.open("rb")
    file.seek(0)
    return contextlib.nullcontext(file)


@contextlib.contextmanager
def _ignore_warnings():
    """Suppress warnings: Pillow's about files that it then refuses, NumPy's about odd headers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def _discard_stderr():
    """Discard libtiff's output about a broken file, which the error repeats.

    Standard error belongs to the whole process, so other threads lose their output meanwhile.
    However, only commands read pictures, and they do so before they start threads.
    """
    with _STDERR_LOCK, contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # standard error is closed
            stderr = os.dup(2)
            stack.callback(os.close, stderr)
            null = os.open(os.devnull, os.O_WRONLY)
            stack.callback(os.close, null)
            os.dup2(null, 2)
            stack.callback(os.dup2, stderr, 2)
        yield


def _refuse_too_large(image, file):
    """Refuse a picture whose header claims far more pixels than its file can hold."""
    size = len(file.getbuffer()) if isinstance(file, io.BytesIO) else file.stat().st_size
    width, height = image.size
    # Only a TIFF declares that it is not compressed: it then holds at most 8 pixels per byte.
    ratio = 8 if image.info.get("compression") == "raw" else PIXELS_A_BYTE
    if width * height > max(MANY_PIXELS, ratio * size):
        raise ValueError(f"{width} x {height} pixels in a file of {size} bytes")
