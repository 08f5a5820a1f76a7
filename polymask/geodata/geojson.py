"""GeoJSON files: reading features, and writing them so that a file is whole."""

import json
from itertools import chain

from polymask.common import json_text, saving
from polymask.common.error_text import shown
from polymask.geodata import geometry, other_formats


def read(content, skipped=None):
    """Read the features of GeoJSON, and the coordinate reference system that it names.

    Parameters
    ----------
    content : bytes
        Of a file: UTF-8, with or without a byte order mark.
    skipped : collections.Counter, optional
        Counts geometries of other kinds, points say, whose features are empty then. If None, they
        are an error.

    Returns
    -------
    features : list of (parts, properties)
        Of each feature what `geometry.parts` gives, and a dict.
    crs : str or None
        The name in a member "crs", as GeoJSON had it in 2008 and GDAL writes it; None without one.

    Raises
    ------
    ValueError
        If it is not GeoJSON of polygons; the text names the line and column, or the feature.
    """
    found = json_text.parse(content)
    if isinstance(found, list) and found:
        other_formats.refuse_mapping(found[0])
    if not isinstance(found, dict):
        raise ValueError("JSON, but not GeoJSON: that is an object with a type")
    has_words = b"true" in content or b"false" in content
    features = []
    for number, feature in enumerate(geometry.features(found)):
        try:
            features.append((_parts(feature, skipped), _properties(feature)))
            if has_words:
                _refuse_words(feature)
        except (ValueError, TypeError) as error:
            raise ValueError(f"feature {number}: {error}") from None
    return features, _crs(found)


def _crs(collection):
    """Return the name of a coordinate reference system, None without one."""
    try:
        name = collection["crs"]["properties"]["name"]
    except (KeyError, TypeError):  # no such member, or one of another form
        return None
    return name if isinstance(name, str) else None


def _parts(feature, skipped):
    if not isinstance(feature, dict):
        raise ValueError(f"must be a GeoJSON object, got {shown(feature)}")
    try:
        return geometry.parts(feature)
    except geometry.NoPolygon as error:
        if skipped is None:
            raise
        skipped[error.kind] += 1
        return []


def _refuse_words(feature):
    """Refuse true and false among coordinates: Python counts them as 1 and 0.

    Of a feature whose parts were read, so it is nested as it should be.
    """
    found = feature.get("geometry") if feature["type"] == "Feature" else feature
    if not found or found["type"] in geometry.NO_POLYGONS:
        return
    is_one = found["type"] == "Polygon"
    rings = found["coordinates"] if is_one else chain.from_iterable(found["coordinates"])
    for position in chain.from_iterable(rings):
        if bool in map(type, position[:2]):
            raise ValueError(f"coordinates must be numbers, got {shown(position)}")


def _properties(feature):
    found = feature.get("properties")
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise ValueError(f"its properties must be an object, got {shown(found)}")
    return found


def write(file, mapping, progress=None):
    """Write a GeoJSON mapping, a line for each feature; the file is replaced when all is written.

    Parameters
    ----------
    file : str or Path
    mapping : dict
        As `labels_to_rings(..., form="geojson")` returns it.
    progress : callable, optional
        Called with the number of features written so far, after each.

    Raises
    ------
    saving.NotWritten
        If it cannot be written. What stood in the file before still does then.
    """
    with (
        saving.replacing(file) as unfinished,
        unfinished.open("w", encoding="utf-8", newline="\n") as out,
    ):
        if mapping["type"] != "FeatureCollection":
            out.write(json.dumps(mapping, allow_nan=False) + "\n")
            return
        about = {key: value for key, value in mapping.items() if key != "features"}
        out.write(f'{json.dumps(about)[:-1]}, "features": [')
        for number, feature in enumerate(mapping["features"], start=1):
            out.write("\n" if number == 1 else ",\n")
            out.write(json.dumps(feature, allow_nan=False))
            if progress:
                progress(number)
        out.write("\n]}\n")
