"""Coordinate reference systems, compared by pyproj.

Axis order does not count: x comes before y everywhere, as in files of geometries, whatever order
the authority that defines the system prescribes.
"""

import warnings

from polymask.contract import Unavailable

INSTALL = "pip install pyproj"


def is_same(first, second):
    """Return whether two coordinate reference systems are the same on the ground.

    Axis order, heights and dialects of WKT are ignored: WKT from Esri's programs equals the EPSG
    code of the same system.

    Parameters
    ----------
    first, second : str or pyproj.CRS
        WKT, an authority's code, or any other input of `pyproj.CRS`.

    Raises
    ------
    ValueError
        If pyproj does not know one of them.
    Unavailable
        If they are written differently, and pyproj is not installed.
    """
    if isinstance(first, str) and isinstance(second, str) and first == second:
        return True
    first, second = _horizontal(first), _horizontal(second)
    if first.equals(second, ignore_axis_order=True):
        return True
    code = first.to_epsg()
    return code is not None and code == second.to_epsg()


def is_geographic(crs):
    """Return whether coordinates are longitudes and latitudes, or None if that is unknown."""
    try:
        return _horizontal(crs).is_geographic
    except (Unavailable, ValueError):
        return None


def describe(crs):
    """Return the name of a coordinate reference system, with its authority's code if it has one."""
    crs = _parse(crs)
    authority = crs.to_authority()
    return f"{crs.name} ({':'.join(authority)})" if authority else crs.name


def refuse_difference(first, second, advice="convert it with `{}`"):
    """Refuse two sources of data with different coordinate reference systems.

    Parameters
    ----------
    first, second : tuple of (str, str or pyproj.CRS)
        The name of the source in errors, and its system.
    advice : str
        The end of the message; {} becomes a command that converts the first source, a file.

    Raises
    ------
    ValueError
        If they differ.
    """
    if is_same(first[1], second[1]):
        return
    authority = _parse(second[1]).to_authority()
    target = ":".join(authority) if authority else "FILE.prj"
    raise ValueError(
        f"{first[0]} is in {describe(first[1])}, {second[0]} in {describe(second[1])}: "
        + advice.format(f"ogr2ogr -t_srs {target} out.gpkg {first[0]}")
    )


def from_grid(grid):
    """Return the coordinate reference system that an xarray object names, or None without one.

    It is read as rioxarray writes it, by the conventions for climate and forecast data (CF): from
    the variable named by `grid_mapping`, spatial_ref or crs, or else from the attribute crs.

    Parameters
    ----------
    grid : xarray.DataArray or xarray.Dataset

    Returns
    -------
    str, pyproj.CRS or None
    """
    for attributes in grid_mappings(grid):
        text = attributes.get("crs_wkt") or attributes.get("spatial_ref")
        if text:
            return text
        if "grid_mapping_name" in attributes:
            return _from_cf(attributes)
    attribute = grid.attrs.get("crs")
    return attribute if isinstance(attribute, str) and attribute else None


def grid_mappings(grid):
    """Return the attributes of the variables that may describe the map of an xarray object."""
    variables = getattr(grid, "variables", grid.coords)
    mapping = grid.encoding.get("grid_mapping", grid.attrs.get("grid_mapping"))
    names = mapping, "spatial_ref", "crs"
    return [variables[name].attrs for name in names if name in variables]


def _from_cf(attributes):
    crs_class, error_class = _pyproj()
    try:
        return crs_class.from_cf(attributes)
    except (error_class, KeyError, ValueError):  # pyproj has no projection for the mapping
        return None


def _pyproj():
    """Import pyproj's classes of reference systems and of errors."""
    try:
        from pyproj import CRS
        from pyproj.exceptions import CRSError
    except ModuleNotFoundError:
        reason = "coordinate reference systems need pyproj, which is not installed"
        raise Unavailable(reason, INSTALL) from None
    return CRS, CRSError


def _parse(crs):
    crs_class, error_class = _pyproj()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of "+init=epsg:32632"
            return crs_class.from_user_input(crs)
    except error_class as error:
        text = str(error).splitlines()[0]
        raise ValueError(f"not a coordinate reference system that pyproj knows: {text}") from None


def _horizontal(crs):
    """Return the horizontal part of a system, with two axes."""
    crs = _parse(crs)
    if crs.is_bound:
        crs = crs.source_crs
    if crs.is_compound:
        crs = crs.sub_crs_list[0]
    return crs.to_2d() if len(crs.axis_info) > 2 else crs
