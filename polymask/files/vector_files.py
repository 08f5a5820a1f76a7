"""Reading files of geometries and columns: layers that GDAL reads, and GeoParquet.

Columns are read through Arrow, which keeps the integers of a column with nulls; NumPy and pandas
convert them to floats. Values are Python objects: int, float, bool, str, bytes, date, list, dict.
Dates with a time become ISO 8601 text with their time zone, as in GeoJSON.
"""

import warnings
from functools import partial

import numpy as np

from polymask.common import error_text
from polymask.contract import Unavailable
from polymask.forms.ragged import ragged

SUFFIXES = ".fgb", ".gpkg", ".shp", ".parquet", ".geoparquet"
MOST = 200  # characters of another library's message


def read(file, skipped=None):
    """Read a file with the library for its format; shapely converts its geometries.

    Parameters
    ----------
    file : Path
        With one of `SUFFIXES`.
    skipped : LeftOut, optional
        As for `polygon_files.read_table`.

    Returns
    -------
    polygons : Ragged
    properties : dict of list
    crs : str or None
        All three as in `polygon_files.Table`.

    Raises
    ------
    OSError, ValueError
        If the file cannot be read, or contains anything but polygons.
    Unavailable
        If a library is not installed.
    """
    with file.open("rb"):  # Python's own error if the file does not exist
        pass
    try:
        import pyarrow  # noqa: F401, the other libraries return its columns
        import shapely  # noqa: F401, reads the geometries

        read_file = _read_parquet if "parquet" in file.suffix.lower() else _read_layer
        return read_file(file, skipped)
    except ModuleNotFoundError as error:
        reason = f"needs {error.name}, which is not installed"
        raise Unavailable(reason, "pip install geopandas pyogrio pyarrow") from None


def _read_layer(file, skipped):
    import pyogrio.errors
    import pyogrio.raw

    options = {}
    if file.suffix.lower() == ".shp":
        _refuse_truncated(file)
        options["ADJUST_TYPE"] = "YES"  # otherwise integers of 19 digits become floats
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Non closed ring", RuntimeWarning)  # refused below
            warnings.filterwarnings("ignore", ".*, successfully parsed", RuntimeWarning)
            warnings.filterwarnings("ignore", "Measured", UserWarning)  # M is not used here
            layer = partial(pyogrio.raw.read_arrow, file, _layer(file), datetime_as_string=True)
            metadata, table = layer(**options)
            is_flatgeobuf = file.suffix.lower() == ".fgb"
            count = pyogrio.read_info(file)["features"] if is_flatgeobuf else 0
        try:
            columns = [_values(column) for column in table.columns]
        except UnicodeDecodeError:
            if file.suffix.lower() != ".shp":
                raise
            # A Shapefile without .cpg: GDAL assumes an encoding, but not through Arrow.
            options["encoding"] = assumed = metadata["encoding"]
            columns = [_values(column) for column in layer(**options)[1].columns]
            warnings.warn(
                f"{file}: text is not UTF-8 and was read as {assumed}; write its encoding, such as "
                f"cp1252 or gbk, to {file.with_suffix('.cpg').name}",
                UnicodeWarning,
                stacklevel=2,
            )
    except (
        pyogrio.errors.DataSourceError,
        pyogrio.errors.DataLayerError,
        pyogrio.errors.FeatureError,
        OSError,  # from pyarrow, for a truncated FlatGeobuf
        IndexError,  # from pyogrio, likewise
        SystemError,  # from Python, for text or bytes with a length below 0
    ) as error:
        if getattr(error, "errno", None):  # from the system
            raise
        raise ValueError(f"cannot be read: {_shorten(str(error).partition(';')[0])}") from None
    names = metadata["fields"].tolist()
    if len(columns) == len(names):  # the geometries come last
        raise ValueError("has no geometries")
    if table.num_rows < count:
        raise ValueError(f"is truncated: it has {table.num_rows} of {count} features")
    polygons = ragged(columns[-1], left_out=skipped)
    return polygons, dict(zip(names, columns[:-1], strict=True)), metadata["crs"]


def _shorten(error):
    """Return the start of another library's message, which may quote a file's content."""
    line = error_text.in_a_line(str(error).partition("\n")[0])
    return line if len(line) <= MOST else f"{line[:MOST]}..."


def _values(column):
    """Convert an Arrow column to a list of Python values, with None for null."""
    from pyarrow import types

    values = column.to_pylist()
    if types.is_timestamp(column.type):
        return [None if value is None else value.isoformat() for value in values]
    if types.is_decimal(column.type) and column.type.scale <= 0:
        return [None if value is None else int(value) for value in values]
    return values


def _layer(file):
    """Return the layer of a file that has geometries, or None if no layer has any."""
    import pyogrio

    names = [name for name, geometry in pyogrio.list_layers(file) if geometry is not None]
    if len(names) > 1:
        raise ValueError(
            f"has {len(names)} layers with geometries, but only one can be read: "
            f"{error_text.list_names(names)}; write one to its own file, for example with ogr2ogr"
        )
    return names[0] if names else None


def _refuse_truncated(shapefile):
    """Refuse a Shapefile shorter than its header says, because GDAL ignores the missing part."""
    with shapefile.open("rb") as stream:
        header = stream.read(28)
    length = 2 * int.from_bytes(header[24:28], "big")  # in words of 16 bits
    if (size := shapefile.stat().st_size) < length:
        raise ValueError(f"is truncated: it has {size} of {length} bytes")


def _read_parquet(file, skipped):
    import geopandas
    import pandas
    import pyarrow
    import pyproj
    import shapely

    def dtype_of(type_):
        """Keep Arrow's type of a column, except for pandas' own extension types."""
        return None if isinstance(type_, pyarrow.BaseExtensionType) else pandas.ArrowDtype(type_)

    broken = (
        *(pyarrow.ArrowException, shapely.errors.ShapelyError, pyproj.exceptions.ProjError),
        *(ValueError, KeyError, OSError, OverflowError),  # the last for a date beyond Python's
    )
    try:
        frame = geopandas.read_parquet(file, to_pandas_kwargs={"types_mapper": dtype_of})
        properties = {
            str(name): _values(pyarrow.array(column))
            if isinstance(column.dtype, pandas.ArrowDtype)
            else column.astype(object).where(column.notna(), None).tolist()  # geometries, periods
            for name, column in frame.drop(columns=frame.active_geometry_name).items()
        }
    except broken as error:
        if getattr(error, "errno", None):  # from the system, not from the Parquet library
            raise
        raise ValueError(f"not GeoParquet: {_shorten(error)}") from None
    polygons = ragged(np.asarray(frame.geometry), left_out=skipped)
    return polygons, properties, None if frame.crs is None else frame.crs.to_wkt()
