"""Reading one band of an image file, and its position on a map.

rasterio reads maps, also with their position in a world file. Pillow reads plain pictures.
"""

import io
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np

from polymask.common import stdin_io
from polymask.common.error_text import list_names
from polymask.files import gdal_metadata, image_files
from polymask.files.raster_windows import DAMAGED, BandWindows
from polymask.maps import georeference

TIFF = ".tif", ".tiff"
NO_POSITION = "PNM"  # without a world file, GDAL returns a transform of random numbers
PILLOWS = "BMP", "GIF", "JPEG", "JP2OpenJPEG", "PNG", "PNM", "WEBP"  # GDAL's names of formats
EXACT = 2**53  # from here on, rasterio's nodata, a float, may differ from the file's integer


class Raster(NamedTuple):
    """A band of an image, with its metadata.

    Attributes
    ----------
    values : ndarray, shape (rows, cols), or BandWindows
        The numbers of the file, neither scaled nor shifted; a masked array if the file has a mask
        or an alpha band.
    names : list of str or None
        The names of labels in an .npz file, starting with that of label 1.
    transform : georeference.Affine or None
        From pixels to the map.
    crs : str or None
        The coordinate reference system of the map, as WKT.
    nodata : number or None
        The number in `values` that marks a missing value.
    scale, offset : float
        A physical value is an element of `values` times `scale` plus `offset`.
    is_palette : bool
        Whether the numbers of a picture are indices of a palette.
    """

    values: np.ndarray
    names: list | None = None
    transform: georeference.Affine | None = None
    crs: str | None = None
    nodata: float | None = None
    scale: float = 1.0
    offset: float = 0.0
    is_palette: bool = False

    @property
    def is_missing(self):
        """A bool array that is True at missing values, or False if all pixels have a value."""
        values, missing = np.ma.getdata(self.values), np.ma.getmask(self.values)
        if self.nodata is None:
            return missing
        if self.nodata != self.nodata:
            return missing | np.isnan(values)
        is_whole = values.dtype.kind in "iu" and float(self.nodata).is_integer()
        return missing | (values == (int(self.nodata) if is_whole else self.nodata))


def north_up(raster):
    """Return a raster with its rows from the north and its columns from the west."""
    if raster.transform is None:
        return raster
    transform, turn = raster.transform.north_up(raster.values.shape)
    return raster._replace(transform=transform, values=raster.values[turn])


def read(file, band=1, *, page=None, only=False, placed=True, scaled=True, windows=False):
    """Read one band of an image: .npy, a picture, a map, or .npz that polymask wrote.

    A picture without a position is turned upright by the orientation in its EXIF data. Pixels of a
    picture with a palette are indices.

    Parameters
    ----------
    file : str or Path
        `stdin_io.STDIN` is standard input.
    band : int
        The number of the band, from 1.
    page : int, optional
        The number of the page, from 1, in a file that may have several.
    only : bool
        Whether to refuse a file with several bands, because labels have one.
    placed : bool
        Whether the transform is needed. If not, a map whose position cannot be read is accepted.
    scaled : bool
        Likewise for scale and offset. If not, they are 1 and 0.
    windows : bool
        Whether the values that rasterio reads may be windows, not yet in memory.

    Returns
    -------
    Raster

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the file does not contain such an image. The message names the file.
    Unavailable
        If a required library is not installed.
    """
    file = Path(file)
    with stdin_io.named(file):
        source, kind = image_files.open_source(file)
        if kind in (".npy", ".npz"):
            image_files.check_page(page, 1)
        if kind == ".npy":
            return Raster(_band(image_files.read_array(source), band, only))
        if kind == ".npz":
            values, names = image_files.read_npz(source)
            return Raster(_band(values, band, only), names)
        try:
            import rasterio  # noqa: F401
        except ModuleNotFoundError:
            return _read_with_pillow(source, band, page, only, placed, scaled)
        opened = file if windows else None
        raster = _read_with_rasterio(source, band, page, only, placed, opened)
        if raster is None:
            return _read_with_pillow(source, band, page, only, placed, scaled)
        return raster if scaled else raster._replace(scale=1.0, offset=0.0)


def _refuse_dtype(values):
    if values.dtype.kind not in "iufb" or values.dtype.itemsize > 8:
        raise ValueError(
            f"must be an image of real numbers of at most 64 bits, got dtype {values.dtype}: save "
            "it with `numpy.save(file, image.astype(float))`"
        )


def _band(values, band, only):
    """Return a band of an image with the bands on the last axis."""
    if only:
        return values
    _refuse_dtype(values)
    if values.ndim == 3 and values.shape[0] < values.shape[2]:
        raise ValueError(
            f"bands must come last, but its shape is {values.shape}: if they come first, save one "
            "with `numpy.save(file, image[0])`"
        )
    bands = values.shape[2] if values.ndim == 3 else 1
    if values.ndim not in (2, 3) or band > bands:
        raise ValueError(f"has no band {band}: its shape is {values.shape}")
    return values if values.ndim == 2 else values[..., band - 1]


def _read_with_rasterio(source, band, page, only, placed, opened):
    """Read a band with rasterio; return None for a picture without metadata, which Pillow reads.

    `opened` is the name of a file whose band is only opened, or None.
    """
    import rasterio

    if isinstance(source, io.BytesIO) and not source.getvalue():
        return None  # rasterio would take it for a file to write, and require a driver
    with warnings.catch_warnings():  # an image without a transform is accepted
        warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
        try:
            with rasterio.open(source) as image:
                is_animation = image.driver == "GIF" and image.count > 1
                is_plain = image.driver == NO_POSITION or not _has_metadata(image)
                if image.driver in PILLOWS and (is_animation or is_plain):
                    return None
                pages = [source]
                if image.count and image.subdatasets and image.driver not in PILLOWS:
                    pages = image.subdatasets
                index = image_files.check_page(page, len(pages))
                turn = 1
                if image.driver == "GTiff" and not _is_placed(image):
                    turn = image_files.tiff_orientation(source, index + 1)
                if len(pages) == 1:
                    return _open_band(image, band, only, placed, source, opened, turn)
                if isinstance(source, io.BytesIO):
                    opened = None  # the name of a page is valid only here
                with rasterio.open(pages[index]) as chosen:
                    return _open_band(chosen, band, only, placed, pages[index], opened, turn)
        except rasterio.errors.RasterioIOError as error:
            if not _is_tiff(source):
                return None
            reason = str(error).removeprefix(f"{source}: ")
            raise ValueError(f"cannot be read: {reason}") from None


def _is_tiff(source):
    if isinstance(source, Path):
        return source.suffix.lower() in TIFF
    return source.getvalue()[:4] in (b"II*\0", b"MM\0*")


def _has_metadata(image):
    """Return whether an image has metadata: its position, or the meaning of its numbers."""
    has_nodata = any(nodata is not None for nodata in image.nodatavals)
    return _is_placed(image) or has_nodata or {*image.scales, *image.offsets} != {1.0, 0.0}


def _is_placed(image):
    return not image.transform.is_identity or image.crs or image.gcps[0] or image.rpcs


def _open_band(image, band, only, placed, source, opened, turn):
    from rasterio.enums import ColorInterp, MaskFlags

    if not image.count and image.subdatasets:
        raise ValueError(
            f"contains {len(image.subdatasets)} images: {list_names(image.subdatasets, 3)}; write "
            "one to its own file, for example with gdal_translate"
        )
    if only and image.count > 1:
        raise ValueError(f"has {image.count} bands, but labels need a single one")
    if band > image.count:
        raise ValueError(f"has no band {band}, only {image.count}")
    transform = None
    if placed and not image.transform.is_identity:
        transform = georeference.affine(image.transform)
    elif placed and (image.gcps[0] or image.rpcs):
        raise ValueError(
            "has control points instead of a transform to the map: convert it with gdalwarp, or "
            "use --pixels"
        )
    elif placed:
        gdal_metadata.refuse_world_file(source)  # GDAL did not understand it
    place = band - 1
    nodata = image.nodatavals[place]
    is_integer = np.dtype(image.dtypes[place]).kind in "iu"
    if is_integer and nodata is not None and abs(nodata) >= EXACT:
        nodata = None
    flags = image.mask_flag_enums[place]  # nodata may be one that rasterio gives as None
    has_mask = MaskFlags.per_dataset in flags or (nodata is None and MaskFlags.nodata in flags)
    if opened is not None and turn == 1:
        values = BandWindows(opened, source, image, band, has_mask)
        _refuse_dtype(values)
    else:
        values = image_files.upright(_read_masked(image, band, has_mask), turn)
    crs = image.crs.to_wkt() if image.crs else None
    scaling = image.scales[place], image.offsets[place]
    is_palette = image.driver in PILLOWS and image.colorinterp[place] == ColorInterp.palette
    return Raster(values, None, transform, crs, nodata, *scaling, is_palette)


def _read_masked(image, band, has_mask):
    """Read the values of a band, masked if the file has a mask, an alpha band or such a nodata."""
    import rasterio

    try:
        values = image.read(band)
        _refuse_dtype(values)
        return np.ma.masked_array(values, image.read_masks(band) == 0) if has_mask else values
    except rasterio.errors.RasterioIOError:  # its text only refers to another error
        raise ValueError(DAMAGED) from None


def _read_with_pillow(source, band, page, only, placed, scaled):
    """Read a band of a picture, and turn it upright; refuse metadata that only GDAL applies."""
    picture = image_files.read_picture(source, page)
    gdal_metadata.refuse(source, picture, placed, scaled)
    bands = picture.getbands()
    if only and len(bands) != 1:
        raise ValueError(f"a colour picture ({picture.mode}): labels need grey or a palette")
    values = np.asarray(picture)
    band_values = _band(values, band, only)
    if bands[-1] == "A" and band < len(bands):
        band_values = np.ma.masked_array(band_values, values[..., -1] == 0)
    transparency = picture.info.get("transparency")
    nodata = transparency if len(bands) == 1 and isinstance(transparency, int) else None
    values = image_files.upright(band_values, image_files.picture_orientation(picture))
    return Raster(values, nodata=nodata, is_palette=bands[0] == "P")
