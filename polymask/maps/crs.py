"""Coordinate reference systems: comparing them, and converting polygons between them.

pyproj does both. x comes before y everywhere, as in files of geometries, whatever axis order the
authority that defines the system prescribes.
"""

import warnings

import numpy as np

from polymask.contract import Unavailable

TOLERANCE = 0.1  # the largest distance, in pixels, of a converted edge from its exact curve
PLACES = np.array([0.25, 0.5, 0.75])  # along an edge, where it is compared with its image
MOST_HALVINGS = 16  # of an edge; an edge that needs more has a jump, as at the 180th meridian
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


def refuse_difference(first, second, advice="--reproject converts it, as does `{}`"):
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


def convert(polygons, source, target, tolerance):
    """Convert polygons to another coordinate reference system.

    A straight edge in one system is a curve in the other, so points are added to edges where the
    chord would lie too far from the curve. Polygons that share an edge still share it afterwards.

    Parameters
    ----------
    polygons : polymask.ragged.Ragged
    source, target : str or pyproj.CRS
    tolerance : float
        Largest distance, in units of the target, of an edge from the image of the source's edge.

    Returns
    -------
    polymask.ragged.Ragged

    Raises
    ------
    ValueError
        If a polygon reaches a place where the target has no coordinates, or where they jump.
    Unavailable
        If pyproj is not installed.
    """
    source, target = _parse(source), _parse(target)  # raises Unavailable without pyproj
    from pyproj import Transformer

    transformer = Transformer.from_crs(source, target, always_xy=True)

    def project(points):
        return np.stack(transformer.transform(points[..., 0], points[..., 1]), axis=-1)

    edges, places = _with_points(polygons, project, tolerance)
    starts, ends, is_reversed = _edges(polygons)
    places = np.where(is_reversed[edges], 1 - places, places)  # the same points either way
    order = np.lexsort((places, edges))
    edges, places = edges[order], places[order]
    along = np.where(is_reversed[edges], 1 - places, places)[:, None]
    points = starts[edges] + along * (ends[edges] - starts[edges])
    points = np.where(places[:, None] == 0, polygons.vertices[edges], points)
    _refuse_not_finite(vertices := project(points), polygons, edges, target)
    counts = np.bincount(edges, minlength=len(polygons.vertices))
    offsets = np.concatenate([[0], np.cumsum(counts)])[polygons.ring_offsets]
    return polygons._replace(vertices=np.ascontiguousarray(vertices), ring_offsets=offsets)


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


def _edges(polygons):
    """Return the smaller and larger end of each vertex's edge, and whether the edge is reversed."""
    starts, offsets = polygons.vertices, polygons.ring_offsets
    following = np.arange(1, len(starts) + 1)
    rings = np.flatnonzero(np.diff(offsets))
    following[offsets[rings + 1] - 1] = offsets[rings]
    ends = starts[following]
    is_reversed = (ends[:, 0] < starts[:, 0]) | (
        (ends[:, 0] == starts[:, 0]) & (ends[:, 1] < starts[:, 1])
    )
    return (
        np.where(is_reversed[:, None], ends, starts),
        np.where(is_reversed[:, None], starts, ends),
        is_reversed,
    )


def _with_points(polygons, project, tolerance):
    """Return the points that edges need, as edges and places along them, from 0 to less than 1.

    Places on a reversed edge are measured from its end, so that its vertex is at 1 instead of 0.
    """
    starts, ends, is_reversed = _edges(polygons)
    numbers = np.arange(len(starts))
    edges, places = [numbers], [is_reversed.astype(float)]
    pieces, first, length = numbers, np.zeros(len(starts)), 1.0
    for _ in range(MOST_HALVINGS):
        if not len(pieces):
            return np.concatenate(edges), np.concatenate(places)
        origin, extent = starts[pieces], (ends - starts)[pieces]
        along = first[:, None] + length * np.array([0, *PLACES, 1])
        images = project(origin[:, None] + along[..., None] * extent[:, None])
        with np.errstate(invalid="ignore"):  # points without an image are refused at the end
            chords = images[:, :1] + PLACES[:, None] * (images[:, -1:] - images[:, :1])
            distances = np.hypot(*np.moveaxis(images[:, 1:-1] - chords, -1, 0)).max(axis=1)
            is_far = distances > tolerance
        pieces, first, length = pieces[is_far], first[is_far], length / 2
        edges.append(pieces)
        places.append(first + length)
        pieces, first = np.tile(pieces, 2), np.concatenate([first, first + length])
    raise ValueError(
        f"{_name_feature(polygons, pieces[0])} crosses a jump in the coordinates of the other "
        "reference system, such as the 180th meridian: cut it there"
    )


def _refuse_not_finite(vertices, polygons, edges, target):
    is_bad = ~np.isfinite(vertices).all(axis=1)
    if is_bad.any():
        raise ValueError(
            f"{_name_feature(polygons, edges[is_bad.argmax()])} has points without coordinates in "
            f"{describe(target)}"
        )


def _name_feature(polygons, vertex):
    """Return the name of a vertex's feature for errors."""
    place = np.searchsorted(polygons.ring_offsets, vertex, side="right") - 1
    for offsets in polygons.polygon_offsets, polygons.feature_offsets:
        if offsets is not None:
            place = np.searchsorted(offsets, place, side="right") - 1
    return f"polygon {place}"
