"""Reading arrays and label images with names from files, and how a picture is turned."""

import contextlib
import errno
import importlib
import io
import struct
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
BIG_TIFF = 43  # the third byte of a BigTIFF
ANIMATIONS = "GIF", "PNG", "WEBP"
ORIENTATION = 274  # the tag of EXIF and TIFF
OUTSIDE = errno.EINVAL  # the system's error if a broken file contains a negative offset


def open_source(file):
    """Return the source for readers, a path or the bytes of a pipe, and the suffix of its format.

    Without a suffix, as for standard input, the content determines the format.
    """
    if file != STDIN and file.is_file() and file.suffix:
        return file, file.suffix.lower()
    file_bytes = content(file)
    magic = {np.lib.format.MAGIC_PREFIX: ".npy", b"PK": ".npz", b"II*\0": ".tif", b"MM\0*": ".tif"}
    suffix = next((name for start, name in magic.items() if file_bytes.startswith(start)), "")
    return io.BytesIO(file_bytes), suffix


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


def orientation(file, is_tiff):
    """Return the number in EXIF by which a picture is turned; GDAL does not turn it.

    An animation is refused, of which GDAL reads the first image.
    """
    from PIL import Image

    turn, images = 1, 1
    with contextlib.suppress(OSError, *BROKEN), _ignore_warnings(), _stream(file) as stream:
        if is_tiff:  # also one that Pillow cannot read
            return _tiff_tags(stream).get(ORIENTATION, 1)
        Image.MAX_IMAGE_PIXELS = None  # only the header is read
        with Image.open(stream) as picture:
            turn = picture.getexif().get(ORIENTATION, 1)
            images = picture.n_frames if picture.format in ANIMATIONS else 1
    if images > 1:
        raise ValueError(f"contains {images} images: write one to its own file")
    return turn


def _tiff_tags(stream):
    from PIL.TiffImagePlugin import ImageFileDirectory_v2

    header = stream.read(8)
    tags = ImageFileDirectory_v2(header + (stream.read(8) if header[2] == BIG_TIFF else b""))
    stream.seek(tags.next)
    tags.load(stream)
    return tags


def upright(values, orientation):
    """Return an image as its viewer shows it, from the number of its orientation in EXIF."""
    if orientation in (5, 6, 7, 8):
        values = values.swapaxes(0, 1)
    rows, cols = (-1 if orientation in turned else 1 for turned in ((3, 4, 7, 8), (2, 3, 6, 7)))
    return values[::rows, ::cols]


def refuse_world_file(source):
    """Refuse a picture with a world file beside it that GDAL did not read.

    The file has the name of the picture with the suffix .wld, or the picture's suffix and a w
    (.pngw), or the first and last letter of its suffix and a w (.pgw).
    """
    if not isinstance(source, Path):
        return
    suffix = source.suffix[1:]
    endings = ["wld", f"{suffix}w", f"{suffix[:1]}{suffix[-1:]}w"]
    names = {f"{source.stem}.{ending}".casefold() for ending in endings}
    for file in source.parent.iterdir():
        if file.name.casefold() in names:
            raise ValueError(
                f"has a world file, {file.name}, which rasterio does not read: convert it to "
                "GeoTIFF, or use --bounds or --pixels"
            )


def _stream(file):
    """Open a file, or rewind bytes in memory."""
    if isinstance(file, Path):
        return file.open("rb")
    file.seek(0)
    return contextlib.nullcontext(file)


@contextlib.contextmanager
def _ignore_warnings():
    """Suppress warnings: Pillow's about odd tags, NumPy's about odd headers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
