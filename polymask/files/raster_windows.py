"""Reading one band of a raster file in windows, so that it need not fit in memory."""

import copy
import io
import warnings

import numpy as np

from polymask.common import stdin_io

CACHE_MIB = 64  # of GDAL: windows consist of whole blocks, so that few are needed twice
DAMAGED = (
    "the pixels cannot be read, so the file may be damaged: export it again, or copy it again from "
    "its source"
)


class BandWindows:
    """A band of a file that rasterio reads; it is opened at the first window.

    Attributes
    ----------
    shape, block : tuple of int
        (rows, cols) of the image, and of the blocks in the file.
    dtype : dtype
        That of the values; float16 is widened to float32, as compiled code does not know it.
    """

    def __init__(self, file, source, image, band, has_mask):
        self.shape, self.block = image.shape, image.block_shapes[band - 1]
        dtype = np.dtype(image.dtypes[band - 1])
        self.dtype = np.dtype(np.float32) if dtype == np.float16 else dtype
        self._file, self._source, self._band, self._has_mask = file, source, band, has_mask
        self._turn, self._image = (slice(None), slice(None)), None

    def __getitem__(self, turn):
        """Return a copy whose rows and columns are in the order of two slices of all of them."""
        turned = copy.copy(self)
        turned._turn = turn
        return turned

    def read(self, window):
        """Return the values of a window, and the mask of the missing ones as uint8, or None.

        `window` has the first row, the one after the last, and likewise columns.
        """
        import rasterio

        ends = zip((window[:2], window[2:]), self._turn, self.shape, strict=True)
        place = {
            "window": tuple(
                span if order == slice(None) else (size - span[1], size - span[0])
                for span, order, size in ends
            )
        }
        with stdin_io.named(self._file), rasterio.Env(GDAL_CACHEMAX=CACHE_MIB):
            try:
                image = self._open()
                values = image.read(self._band, **place)[self._turn]
                values = np.ascontiguousarray(values, self.dtype)
                if not self._has_mask:
                    return values, None
                missing = image.read_masks(self._band, **place)[self._turn] == 0
                return values, np.ascontiguousarray(missing).view(np.uint8)
            except rasterio.errors.RasterioIOError:  # its text only refers to another error
                raise ValueError(DAMAGED) from None

    def _open(self):
        import rasterio

        if self._image is None:
            if isinstance(self._source, io.BytesIO):
                self._source.seek(0)
            with warnings.catch_warnings():  # an image without a transform is accepted
                warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
                self._image = rasterio.open(self._source)
        return self._image

    def close(self):
        """Close the file."""
        if self._image is not None:
            self._image.close()
            self._image = None
