"""GeoJSON files: reading features, and writing files atomically."""

import json
from itertools import chain

from polymask.common import json_text, saving
from polymask.common.error_text import list_names, quote
from polymask.forms import geometry, mappings
from polymask.forms.left_out import LeftOut


def read(content, skipped=None, by_lines=False):
    """Read the features and the coordinate reference system of GeoJSON.

    The content is an object, a list of features, or an object per line (GeoJSONSeq).

    Parameters
    ----------
    content : bytes
        The bytes of a file: UTF-8, with or without a byte order mark.
    skipped : LeftOut, optional
        Counts points and lines, which are left out, and invalid polygons, if it takes them. If
        None, they are an error.
    by_lines : bool
        Whether each line is a JSON text.

    Returns
    -------
    features : list of (parts, properties)
        For each feature the result of `geometry.parts`, and a dict. It begins with the feature's
        own id, unless a feature has a property of that name.
    crs : str or None
        The name in the member "crs", which was part of GeoJSON in 2008 and is written by GDAL, or
        None.

    Raises
    ------
    ValueError
        If the content is not GeoJSON of polygons. The message names the line and column, or the
        feature.
    """
    left_out = LeftOut(takes_invalid=False) if skipped is None else skipped
    document = json_text.parse_lines(content) if by_lines else json_text.parse(content)
    documents = document if isinstance(document, list) else [document]
    if not all(isinstance(entry, dict) for entry in documents[:1]):
        raise ValueError("JSON, but not GeoJSON, which is an object with a type")
    has_booleans = b"true" in content or b"false" in content
    features, ids = [], []
    for number, feature in enumerate(chain.from_iterable(map(_features, documents))):
        if not isinstance(feature, dict):
            raise ValueError(f"feature {number}: must be a GeoJSON object, got {quote(feature)}")
        try:
            properties = _properties(feature)
            counter = None if skipped is None else skipped.of(number)
            parts = geometry.parts(feature, skipped=counter)
            if has_booleans:
                _refuse_booleans(feature)
        except (ValueError, TypeError) as error:
            if feature.get("type") not in mappings.TYPES:  # the file is of another format
                advice = "export the files of other programs as GeoJSON or COCO"
                raise ValueError(f"feature {number}: {error}; {advice}") from None
            left_out.add_invalid(number, ValueError(error), "feature")
            parts = []
        features.append((parts, properties))
        ids.append(feature.get("id") if feature.get("type") == "Feature" else None)
    systems = {name: None for name in map(_crs, documents) if name}
    if len(systems) > 1:
        raise ValueError(
            "its objects have different coordinate reference systems: write a file for each of "
            f"{list_names(systems)}"
        )
    return _with_ids(features, ids), next(iter(systems), None)


def _features(document):
    """List the features of one object; anything else is refused as a feature."""
    return geometry.features(document) if isinstance(document, dict) else [document]


def _with_ids(features, ids):
    """Add the ids of features to their properties, unless these have ids of their own."""
    has_ids = any(identifier is not None for identifier in ids)
    if not has_ids or any("id" in properties for _, properties in features):
        return features
    return [
        (parts, {"id": identifier, **properties})
        for (parts, properties), identifier in zip(features, ids, strict=True)
    ]


def _crs(collection):
    """Return the name of a collection's coordinate reference system, or None without one."""
    try:
        name = collection["crs"]["properties"]["name"]
    except (KeyError, TypeError):  # no such member, or a member of another form
        return None
    return name if isinstance(name, str) else None


def _refuse_booleans(feature):
    """Refuse true and false among coordinates, which Python treats as 1 and 0.

    The feature's parts have already been read, so its nesting is valid.
    """
    rings = chain.from_iterable(mappings.coordinates(feature, LeftOut()))
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
