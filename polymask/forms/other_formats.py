"""Unsupported formats, recognised by their first bytes or keys, and refused with advice."""

import re
from collections.abc import Mapping
from itertools import chain

CONVERT = "convert it to GeoJSON, for example with ogr2ogr"
EXPORT = "export it as COCO"
UNPACK = "unpack it, and pass the file of polygons in it"
BEGINNINGS = [
    (rb"\x1f\x8b", "compressed with gzip", "unpack it"),
    (rb"BZh", "compressed with bzip2", "unpack it"),
    (rb"\xfd7zXZ\x00", "compressed with xz", "unpack it"),
    (rb"\x28\xb5\x2f\xfd", "compressed with Zstandard", "unpack it"),
    (rb"PK\x03\x04", "a zip archive, as .npz and .kmz are", UNPACK),
    (rb"(?s:.{257})ustar", "a tar archive", UNPACK),
    (rb"7z\xbc\xaf\x27\x1c", "a 7z archive", UNPACK),
    (rb"ARROW1|FEA1|\xff\xff\xff\xff", "Arrow or Feather", "write it as GeoParquet"),
    (rb"PAR1", "Parquet", "rename it with the suffix .parquet"),
    (rb"fgb\x03fgb", "FlatGeobuf", "rename it with the suffix .fgb"),
    (rb"SQLite format 3\x00", "SQLite, as GeoPackage is", "rename it with the suffix .gpkg"),
    (rb"\x00\x00\x27\x0a", "part of a Shapefile", "pass the file with the suffix .shp"),
    (
        rb"\x89PNG|\xff\xd8\xff|GIF8|II[*+]\x00|MM\x00[*+]",
        "a picture",
        "convert it to polygons with `polymask outline`",
    ),
    (
        rb"\d+(,\d+){5,}\s*?(\n|$)",
        "text with a polygon per line, as Cellpose's outlines",
        'each polygon is np.reshape(line.split(","), (-1, 2)).astype(float)',
    ),
    (rb"\d+( +[01](\.\d+)?){6,}\s*?(\n|$)", "text of YOLO, in fractions of the image", EXPORT),
    (rb"Iout", "an ROI of ImageJ", "its polygon is roifile.roiread(file).coordinates()"),
    (rb"\x89HDF|CDF[\x01\x02\x05]", "HDF5 or netCDF", "write its vertices as text or .npy"),
    (rb"[\x00\x01][\x00-\x06]\x00\x00[\x00-\x06]", "WKB", "write it as GeoPackage or GeoJSON"),
    (rb"\xff\xfe|\xfe\xff", "text in UTF-16", "save it as UTF-8"),
    (rb"(?i:\s*(MULTI)?POLYGON\s*Z?M?\s*\()", "WKT", "write it as GeoPackage or GeoJSON"),
    (rb"(?i:\s*<(!doctype )?html)", "a web page", "download the file itself"),
    (
        rb"(?s:\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)?<annotations[\s>])",
        "CVAT's XML",
        "export it as COCO from CVAT",
    ),
    (rb"\s*<[?!a-zA-Z]", "XML, as KML and GML are", CONVERT),
]
GEOJSON = ("FeatureCollection", "Feature", "Polygon", "MultiPolygon", "Point", "MultiPoint")
GEOJSON += ("LineString", "MultiLineString", "GeometryCollection")
RLE = "COCO's RLE, which is already a mask", "convert it with polymask.coco_to_rings"
COCO = (
    "COCO's JSON",
    'the polygon of an annotation is [[np.reshape(r, (-1, 2))] for r in its "segmentation"]',
)
LABELME = "labelme's JSON", 'each of its "shapes" has a polygon as "points"'
VIA = "VIA's JSON", "the polygon of a region is np.transpose([all_points_x, all_points_y])"
ESRI = "Esri's JSON", 'a polygon is its list of "rings", and ogr2ogr converts files to GeoJSON'
TOPOJSON = "TopoJSON", CONVERT
ANNOTATORS = {  # keys of an object, or of the first of its annotations
    "Label Studio's JSON": [{"id", "data", "annotations"}, {"image", "label"}],
    "Darwin's JSON": [{"item", "annotations"}, {"dataset", "image", "annotations"}],
    "COCO's panoptic JSON": [{"segments_info"}],
    "Supervisely's JSON": [{"size", "objects"}],
    "CVAT's JSON": [{"shapes", "tracks"}],
    "Datumaro's JSON": [{"categories", "items"}],
    "YOLO's JSON": [{"name", "class", "box"}],
}


def refuse_bytes(content, subject="this"):
    """Refuse the bytes of a file of another format, recognised by its first bytes.

    `subject` names the file in the message.
    """
    content = content.removeprefix(b"\xef\xbb\xbf")  # a byte order mark
    for pattern, kind, advice in BEGINNINGS:
        if re.match(pattern, content):
            raise ValueError(f"{subject} is {kind}: {advice}")


def refuse_mapping(mapping):
    """Refuse a JSON object in another program's format, recognised by its keys."""
    match = recognise(mapping)
    if match is not None:
        raise ValueError(f"this is {match[0]}: {match[1]}")


def recognise(mapping):
    """Return the format of a JSON object and advice for it, or None if the format is unknown."""
    if not isinstance(mapping, Mapping) or mapping.get("type") in GEOJSON:
        return None
    records = [mapping, *_objects(mapping, "annotations")]
    if any("segmentation" in record for record in records):
        return COCO
    if any(_is_labelme(shape) for shape in _objects(mapping, "shapes")):
        return LABELME
    if "counts" in mapping and "size" in mapping:
        return RLE
    keys = {*chain.from_iterable(records[:2])}
    for program, choices in ANNOTATORS.items():
        if any(choice <= keys for choice in choices):
            return program, EXPORT
    if "annotations" in mapping:
        return COCO
    if "shapes" in mapping or ("points" in mapping and "shape_type" in mapping):
        return LABELME
    if {"regions", "shape_attributes", "all_points_x"} & mapping.keys():
        return VIA
    if "_via_img_metadata" in mapping or any(map(_has_regions, mapping.values())):
        return VIA
    if "rings" in mapping or "geometryType" in mapping or "rings" in _members(mapping, "geometry"):
        return ESRI
    return TOPOJSON if mapping.get("type") == "Topology" else None


def _is_labelme(shape):
    """Return whether a shape with points is labelme's; CVAT names its kind `type`."""
    return "points" in shape and ("shape_type" in shape or "type" not in shape)


def _objects(mapping, name):
    """Return the objects in a member that is a list, or none for any other member."""
    member = mapping.get(name)
    members = member if isinstance(member, list) else ()
    return [each for each in members if isinstance(each, Mapping)]


def _has_regions(member):
    return isinstance(member, Mapping) and "regions" in member


def _members(mapping, name):
    """Return the keys of a member that is an object, or none for any other member."""
    member = mapping.get(name)
    return member.keys() if isinstance(member, Mapping) else ()
