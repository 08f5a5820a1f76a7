"""Coordinate reference systems: comparing them, and converting polygons between them.

pyproj compares and converts. x comes before y everywhere, as in files of geometries, whatever
order of axes the authority that defines the system prescribes.
"""

import warnings

import numpy as np

from polymask.contract import Unavailable

TOLERANCE = 0.1  # of a pixel: the largest distance of a converted edge from its exact curve
PLACES = np.array([0.25, 0.5, 0.75])  # along an edge, where it is compared with its image
MOST_HALVINGS = 16  # of an edge; one that needs more has a jump, as at the 180th meridian
INSTALL = "pip install pyproj"


def is_same(first, second):
    """Return whether two coordinate reference systems are the same on the ground.

    The order of axes and heights are ignored, and so is the dialect of the text: WKT from Esri's
    programs equals the EPSG code of the same system.

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


def describe(crs):
    """Return the name of a coordinate reference system, and its authority's code if it has one."""
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
        The end of the error; {} becomes a command that converts the first source, a file.

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


def of_grid(grid):
    """Return the coordinate reference system that an xarray object names, None without one.

    It follows the conventions for climate and forecast data (CF), as rioxarray writes them: the
    variable named by `grid_mapping`, or spatial_ref, or crs; else the attribute crs.

    Parameters
    ----------
    grid : xarray.DataArray or xarray.Dataset

    Returns
    -------
    str, pyproj.CRS or None
    """
    variables = getattr(grid, "variables", grid.coords)
    mapping = grid.encoding.get("grid_mapping", grid.attrs.get("grid_mapping"))
    for name in mapping, "spatial_ref", "crs":
        attributes = variables[name].attrs if name in variables else {}
        text = attributes.get("crs_wkt") or attributes.get("spatial_ref")
        if text:
            return text
        if "grid_mapping_name" in attributes:
            return _from_cf(attributes)
    attribute = grid.attrs.get("crs")
    return attribute if isinstance(attribute, str) and attribute else None


def convert(polygons, source, target, tolerance):
    """Return polygons in another coordinate reference system.

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

    def image(points):
        return np.stack(transformer.transform(points[..., 0], points[..., 1]), axis=-1)

    edges, places = _with_points(polygons, image, tolerance)
    starts, ends, turned = _edges(polygons)
    places = np.where(turned[edges], 1 - places, places)  # the same points in both directions
    order = np.lexsort((places, edges))
    edges, places = edges[order], places[order]
    along = np.where(turned[edges], 1 - places, places)[:, None]
    points = starts[edges] + along * (ends[edges] - starts[edges])
    points = np.where(places[:, None] == 0, polygons.vertices[edges], points)
    _refuse_nowhere(vertices := image(points), polygons, edges, target)
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
    """Return pyproj's classes of reference systems and of errors."""
    try:
        from pyproj import CRS
        from pyproj.exceptions import CRSError
    except ModuleNotFoundError:
        reason = "coordinate reference systems are compared and converted by pyproj"
        raise Unavailable(f"{reason}, which is not installed", INSTALL) from None
    return CRS, CRSError


def _parse(crs):
    crs_class, error_class = _pyproj()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of "+init=epsg:32632"
            return crs_class.from_user_input(crs)
    except error_class as error:
        text = str(error).splitlines()[0]
        raise ValueError(f"no coordinate reference system that pyproj knows: {text}") from None


def _horizontal(crs):
    """Return the horizontal part of a system, with two axes."""
    crs = _parse(crs)
    if crs.is_bound:
        crs = crs.source_crs
    if crs.is_compound:
        crs = crs.sub_crs_list[0]
    return crs.to_2d() if len(crs.axis_info) > 2 else crs


def _edges(polygons):
    """Return the smaller and the larger end of each vertex's edge, and whether it was turned."""
    starts, offsets = polygons.vertices, polygons.ring_offsets
    following = np.arange(1, len(starts) + 1)
    rings = np.flatnonzero(np.diff(offsets))
    following[offsets[rings + 1] - 1] = offsets[rings]
    ends = starts[following]
    turned = (ends[:, 0] < starts[:, 0]) | (
        (ends[:, 0] == starts[:, 0]) & (ends[:, 1] < starts[:, 1])
    )
    return (
        np.where(turned[:, None], ends, starts),
        np.where(turned[:, None], starts, ends),
        turned,
    )


def _with_points(polygons, image, tolerance):
    """Return the points that edges need: the edge, and the place along it from 0 to less than 1.

    Places on a turned edge are measured from its end, and its last point is at 1 instead of 0.
    """
    starts, ends, turned = _edges(polygons)
    every = np.arange(len(starts))
    edges, places = [every], [turned.astype(float)]
    pieces, first, length = every, np.zeros(len(starts)), 1.0
    for _ in range(MOST_HALVINGS):
        if not len(pieces):
            return np.concatenate(edges), np.concatenate(places)
        origin, extent = starts[pieces], (ends - starts)[pieces]
        along = first[:, None] + length * np.array([0, *PLACES, 1])
        images = image(origin[:, None] + along[..., None] * extent[:, None])
        with np.errstate(invalid="ignore"):  # points without an image are refused at the end
            chords = images[:, :1] + PLACES[:, None] * (images[:, -1:] - images[:, :1])
            off = np.hypot(*np.moveaxis(images[:, 1:-1] - chords, -1, 0)).max(axis=1) > tolerance
        pieces, first, length = pieces[off], first[off], length / 2
        edges.append(pieces)
        places.append(first + length)
        pieces, first = np.tile(pieces, 2), np.concatenate([first, first + length])
    raise ValueError(
        f"{_feature_of(polygons, pieces[0])} reaches where the coordinates of the other reference "
        "system jump, as at the 180th meridian: cut it there"
    )


def _refuse_nowhere(vertices, polygons, edges, target):
    bad = ~np.isfinite(vertices).all(axis=1)
    if bad.any():
        raise ValueError(
            f"{_feature_of(polygons, edges[bad.argmax()])} has points that have no coordinates in "
            f"{describe(target)}"
        )


def _feature_of(polygons, vertex):
    """Return the name of a vertex's feature for errors."""
    place = np.searchsorted(polygons.ring_offsets, vertex, side="right") - 1
    for offsets in polygons.polygon_offsets, polygons.feature_offsets:
        if offsets is not None:
            place = np.searchsorted(offsets, place, side="right") - 1
    return f"polygon {place}"
