"""Images in memory for statistics: their values, and which of these are missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polymask import contract
from polymask.common import error_text
from polymask.maps import georeference

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Image(NamedTuple):
    """An image in memory.

    Attributes
    ----------
    values : ndarray, shape (rows, cols)
        For compiled code.
    missing : ndarray of uint8, or None
        Which values are missing.
    nodata : number or None
        The value of pixels that are missing values.
    """

    values: NDArray[Any]
    missing: NDArray[np.uint8] | None
    nodata: Any

    def turned(self, turn: tuple[slice, slice]) -> Image:
        """Return the image with its rows or columns reversed."""
        missing = None if self.missing is None else georeference.turned(self.missing, turn)
        return Image(georeference.turned(self.values, turn), missing, self.nodata)


def read_bands(image, nodata):
    """Return the shape of an image or a mapping of images, and their Images by their names."""
    bands, shapes = {}, {}
    for name, each in (image if isinstance(image, Mapping) else {None: image}).items():
        values, missing, image_dtype = read_image(each)
        bands[name] = Image(values, missing, as_value(nodata, image_dtype))
        shapes[values.shape] = name
    if len(shapes) != 1:
        raise ValueError(f"images must have the same shape, got {list(shapes)}")
    return next(iter(shapes)), bands


def read_image(image):
    """Return an image's values for compiled code, the mask of missing values, and its dtype.

    float16 is widened, but `nodata` is compared in the image's own dtype.
    """
    missing = None
    if isinstance(image, np.ma.MaskedArray):
        if image.mask is not np.ma.nomask:
            missing = np.ascontiguousarray(image.mask).view(np.uint8)
        image = image.data
    contract.refuse_masked(image, "image")
    try:
        values = np.asarray(image)
    except ValueError as error:
        reason = error_text.why_no_array(image, error)
        raise ValueError(f"image must have the shape (rows, cols), {reason}") from None
    if values.dtype.kind not in "iufb" or values.itemsize > 8:
        raise TypeError(f"image must be real numbers of at most 64 bits, got dtype {values.dtype}")
    if values.ndim != 2:
        raise ValueError(f"image must have the shape (rows, cols), got {values.shape}")
    contract.check_shape(values.shape)
    if values.dtype == bool:
        values = contract.as_zeros_and_ones(values).view(np.uint8)
    image_dtype = values.dtype
    if image_dtype.kind == "f" and image_dtype.itemsize == 2:
        values = values.astype(np.float32)
    return contract.as_contiguous(values, values.dtype.newbyteorder("=")), missing, image_dtype


def as_value(nodata, dtype):
    """Convert `nodata` to a number of a dtype, or to None if no pixel can equal it."""
    if nodata is None:
        return None
    number = contract.check_number(nodata, "nodata")
    if dtype.kind == "f":
        try:
            with np.errstate(all="ignore"):
                return dtype.type(number)
        except OverflowError:  # an integer beyond all floats
            return None
    limits = np.iinfo(dtype)
    fits = limits.min <= number <= limits.max and number == int(number)
    return int(number) if fits else None
