"""The polygons of GeoJSON-like mappings: geometries, collections of geometries, and features."""

from collections.abc import Iterable, Mapping

from polymask.common.error_text import quote

POLYGONS = "Polygon", "MultiPolygon"
NOT_POLYGONS = "Point", "MultiPoint", "LineString", "MultiLineString"
TYPES = *POLYGONS, *NOT_POLYGONS, "GeometryCollection", "Feature", "FeatureCollection"
IN_COLLECTION = " in a GeometryCollection"  # after the type of a member, where it is counted
MOST_NESTED = 16  # collections in collections: limited, because a mapping may contain itself


def coordinates(mapping, skipped=None):
    """Return the coordinates of a mapping's polygons, each a list of rings.

    Parameters
    ----------
    mapping : mapping
        A Polygon, MultiPolygon, GeometryCollection or Feature.
    skipped : LeftOut, optional
        Counts points and lines, which are left out. If None, they are an error.

    Raises
    ------
    ValueError
        If the mapping is of another type, or lacks a member.
    TypeError
        If the coordinates of a MultiPolygon are not a list.
    """
    polygons = []
    for geometry in _geometries(mapping, skipped):
        nested = member(geometry, "coordinates")
        polygons.extend([nested] if geometry["type"] == "Polygon" else nested)
    return polygons


def member(mapping, name):
    """Return a member that GeoJSON requires."""
    if name not in mapping:
        raise ValueError(f"GeoJSON {mapping.get('type')} has no member {name!r}")
    return mapping[name]


def members(collection, name):
    """Return a list of members that GeoJSON requires."""
    values = member(collection, name)
    if isinstance(values, (Mapping, str)) or not isinstance(values, Iterable):
        type_name = collection["type"]
        raise ValueError(f"{name!r} in a GeoJSON {type_name} must be a list, got {quote(values)}")
    return list(values)


def _geometries(mapping, skipped):
    """List the Polygons and MultiPolygons of a mapping."""
    type_name = mapping.get("type")
    if type_name == "Feature":
        geometry = mapping.get("geometry")
        if geometry is None:
            return []
        inner = geometry.get("type") if isinstance(geometry, Mapping) else geometry
        if inner is geometry or inner == "Feature":
            raise ValueError(
                "the geometry of a GeoJSON Feature must be a Polygon or MultiPolygon, "
                f"got {quote(inner)}"
            )
        return _geometries(geometry, skipped)
    if type_name in POLYGONS:
        return [mapping]
    if type_name == "GeometryCollection":
        return _in_collection(mapping, skipped, MOST_NESTED)
    if type_name in NOT_POLYGONS and skipped is not None:
        skipped[type_name] += 1
        return []
    hint = "; label_mask accepts a FeatureCollection" if type_name == "FeatureCollection" else ""
    keys = quote(list(mapping))
    got = (
        quote(type_name) if "type" in mapping else f"a mapping without 'type' (its keys are {keys})"
    )
    raise ValueError(f"GeoJSON must be a Polygon, MultiPolygon or Feature, got {got}{hint}")


def _in_collection(collection, skipped, limit):
    """List the Polygons and MultiPolygons of a GeometryCollection, and of those in it."""
    geometries = []
    for geometry in members(collection, "geometries"):
        type_name = geometry.get("type") if isinstance(geometry, Mapping) else None
        if type_name in POLYGONS:
            geometries.append(geometry)
        elif type_name == "GeometryCollection" and limit:
            geometries.extend(_in_collection(geometry, skipped, limit - 1))
        elif type_name in NOT_POLYGONS and skipped is not None:
            skipped[type_name + IN_COLLECTION] += 1
        else:
            raise ValueError(
                "a GeometryCollection must have only Polygons and MultiPolygons, got "
                f"{quote(geometry if type_name is None else type_name)}: remove it"
            )
    return geometries
