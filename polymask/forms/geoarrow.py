"""Polygons from GeoArrow: Arrow arrays of geometries, through the Arrow PyCapsule interface.

pyarrow imports the arrays of any library (`__arrow_c_array__`, `__arrow_c_stream__`): arrays of
geoarrow-rust and DuckDB, results of `GeoSeries.to_arrow`, columns of a Parquet file. If coordinates
are interleaved, coordinates and offsets are views of the library's memory.
"""

import sys

import numpy as np

NAMES = "geoarrow.polygon", "geoarrow.multipolygon", "geoarrow.wkb", "ogc.wkb"
NAME = b"ARROW:extension:name"
ACCEPTED = "polygons in Arrow must be geoarrow.polygon, geoarrow.multipolygon or WKB"


def is_arrow(polygons):
    """Return whether polygons have the Arrow PyCapsule interface, but are not a pandas column."""
    if not (hasattr(polygons, "__arrow_c_array__") or hasattr(polygons, "__arrow_c_stream__")):
        return False
    pandas = sys.modules.get("pandas")
    return not (pandas and isinstance(polygons, (pandas.Series, pandas.DataFrame)))


def arrays(geometries):
    """Return the vertices and offsets of an array of geometries, or a list of WKB.

    Parameters
    ----------
    geometries : object
        An object for which `is_arrow` is true: an array, a stream of arrays, or a table with one
        column of geometries.

    Returns
    -------
    tuple of ndarray, or list of bytes or None
        Vertices and two or three arrays of offsets. A null geometry becomes an empty feature. The
        arrays are not checked further.

    Raises
    ------
    ImportError
        If pyarrow is not installed.
    ValueError
        If the object is something else, or has a null within a geometry.
    """
    try:
        import pyarrow
    except ImportError:
        raise ImportError("polygons in Arrow need pyarrow: pip install pyarrow") from None
    name, array = _import(geometries, pyarrow)
    if isinstance(array.type, pyarrow.BaseExtensionType):
        name, array = array.type.extension_name, array.storage
    if name is not None and name not in NAMES:
        raise ValueError(f"{ACCEPTED}, got {name}")
    types = pyarrow.types
    if types.is_binary(array.type) or types.is_large_binary(array.type):
        return array.to_pylist()
    offsets, inner = [], array.type
    while types.is_list(inner) or types.is_large_list(inner):
        offsets.append(inner)
        inner = inner.value_type
    if len(offsets) not in (2, 3) or not _are_points(inner, types):
        raise ValueError(f"{ACCEPTED}, got the type {array.type}")
    if array.null_count:
        array = array.take(pyarrow.array(np.arange(len(array))))  # gives nulls the length 0
    for level in range(len(offsets)):
        offsets[level] = array.offsets.to_numpy()
        array = array.values
        if array.null_count:
            raise ValueError("polygons in Arrow: a part of a geometry is null")
    return _points(array, types), *reversed(offsets)


def _import(geometries, pyarrow):
    """Return the name of the extension type, or None if it is unknown, and a pyarrow array."""
    if hasattr(geometries, "__arrow_c_array__"):
        schema, _ = geometries.__arrow_c_array__()
        field = pyarrow.field(_Schema(schema))
        if not pyarrow.types.is_struct(field.type):
            return _name_of(field), pyarrow.array(geometries)
        table = pyarrow.Table.from_batches([pyarrow.record_batch(geometries)])
    else:
        try:
            table = pyarrow.table(geometries)
        except (TypeError, ValueError, pyarrow.ArrowInvalid):  # a stream of arrays, not of records
            return None, pyarrow.chunked_array(geometries).combine_chunks()
    columns = [number for number, field in enumerate(table.schema) if _name_of(field) is not None]
    if len(columns) != 1:
        names = [table.schema.field(number).name for number in columns]
        raise ValueError(
            f"polygons in Arrow: a table must have one column of geometries, got {names} of "
            f"{table.column_names}"
        )
    return _name_of(table.schema.field(columns[0])), table.column(columns[0]).combine_chunks()


class _Schema:
    """A schema's capsule in a form that pyarrow accepts."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __arrow_c_schema__(self):
        return self.capsule


def _name_of(field):
    """Return the name of a field's extension type if it is a geometry type, or None."""
    name = getattr(field.type, "extension_name", None)
    if name is None and field.metadata:
        name = field.metadata.get(NAME, b"").decode()
    return name if name and name.startswith(("geoarrow.", "ogc.")) else None


def _are_points(inner, types):
    """Return whether a type is one of points, with x and y interleaved or separate."""
    if types.is_fixed_size_list(inner):
        return inner.list_size >= 2 and types.is_floating(inner.value_type)
    if not types.is_struct(inner):
        return False
    names = [inner.field(number).name for number in range(inner.num_fields)]
    return names[:2] == ["x", "y"] and all(types.is_floating(inner.field(n).type) for n in "xy")


def _points(array, types):
    """Convert points to an (N, 2) array of x and y."""
    if types.is_struct(array.type):
        return np.column_stack([_numbers(array.field(name)) for name in "xy"])
    size, numbers = array.type.list_size, array.flatten()
    if numbers.null_count:  # z and m may be null
        is_null = numbers.is_null().to_numpy(zero_copy_only=False).reshape(-1, size)
        _refuse_null(is_null[:, :2].any())
    return numbers.to_numpy(zero_copy_only=not numbers.null_count).reshape(-1, size)[:, :2]


def _numbers(array):
    """Convert coordinates to a NumPy array."""
    _refuse_null(array.null_count)
    return array.to_numpy()


def _refuse_null(has_null):
    if has_null:
        raise ValueError("polygons in Arrow: a coordinate is null")
