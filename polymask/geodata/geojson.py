"""GeoJSON files: reading features, and writing files atomically."""

import json
from itertools import chain

from polymask.common import json_text, saving
from polymask.common.error_text import quote
from polymask.geodata import geometry, other_formats


def read(content, skipped=None):
    """Read the features and the coordinate reference system of GeoJSON.

    Parameters
    ----------
    content : bytes
        The bytes of a file: UTF-8, with or without a byte order mark.
    skipped : collections.Counter, optional
        Counts geometries of other kinds, such as points, whose features become empty. If None, such
        geometries are an error.

    Returns
    -------
    features : list of (parts, properties)
        For each feature the result of `geometry.parts`, and a dict.
    crs : str or None
        The name in the member "crs", which was part of GeoJSON in 2008 and is written by GDAL, or
        None.

    Raises
    ------
    ValueError
        If the content is not GeoJSON of polygons. The message names the line and column, or the
        feature.
    """
    document = json_text.parse(content)
    if isinstance(document, list) and document:
        other_formats.refuse_mapping(document[0])
    if not isinstance(document, dict):
        raise ValueError("JSON, but not GeoJSON, which is an object with a type")
    has_booleans = b"true" in content or b"false" in content
    features = []
    for number, feature in enumerate(geometry.features(document)):
        try:
            features.append((_parts(feature, skipped), _properties(feature)))
            if has_booleans:
                _refuse_booleans(feature)
        except (ValueError, TypeError) as error:
            raise ValueError(f"feature {number}: {error}") from None
    return features, _crs(document)


def _crs(collection):
    """Return the name of a collection's coordinate reference system, or None without one."""
    try:
        name = collection["crs"]["properties"]["name"]
    except (KeyError, TypeError):  # no such member, or a member of another form
        return None
    return name if isinstance(name, str) else None


def _parts(feature, skipped):
    if not isinstance(feature, dict):
        raise ValueError(f"must be a GeoJSON object, got {quote(feature)}")
    try:
        return geometry.parts(feature)
    except geometry.NotPolygon as error:
        if skipped is None:
            raise
        skipped[error.kind] += 1
        return []


def _refuse_booleans(feature):
    """Refuse true and false among coordinates, which Python treats as 1 and 0.

    The feature's parts have already been read, so its nesting is valid.
    """
    mapping = feature.get("geometry") if feature["type"] == "Feature" else feature
    if not mapping or mapping["type"] in geometry.NOT_POLYGONS:
        return
    is_single = mapping["type"] == "Polygon"
    rings = mapping["coordinates"] if is_single else chain.from_iterable(mapping["coordinates"])
    for position in chain.from_iterable(rings):
        if bool in map(type, position[:2]):
            raise ValueError(f"coordinates must be numbers, got {quote(position)}")


def _properties(feature):
    properties = feature.get("properties")
    if properties is None:
        return {}
    if not isinstance(properties, dict):
        raise ValueError(f"its properties must be an object, got {quote(properties)}")
    return properties


def write(file, mapping, progress=None):
    """Write a GeoJSON mapping, one feature per line; replace the file once all is written.

    Parameters
    ----------
    file : str or Path
    mapping : dict
        A mapping like the result of `labels_to_rings(..., form="geojson")`.
    progress : callable, optional
        Called after each feature with the number of features written so far.

    Raises
    ------
    saving.NotWritten
        If the file cannot be written. An existing file is not changed then.
    """
    with (
        saving.replacing(file) as unfinished,
        unfinished.open("w", encoding="utf-8", newline="\n") as out,
    ):
        if mapping["type"] != "FeatureCollection":
            out.write(json.dumps(mapping, allow_nan=False) + "\n")
            return
        members = {key: value for key, value in mapping.items() if key != "features"}
        out.write(f'{json.dumps(members)[:-1]}, "features": [')
        for number, feature in enumerate(mapping["features"], start=1):
            out.write("\n" if number == 1 else ",\n")
            out.write(json.dumps(feature, allow_nan=False))
            if progress:
                progress(number)
        out.write("\n]}\n")
