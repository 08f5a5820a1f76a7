"""QuPath's GeoJSON: its properties, and the names of its classes. Coordinates are as in COCO."""

TYPES = "annotation", "detection", "cell", "tile", "tma_core", "root"


def is_export(properties):
    """Return whether the properties of a feature are QuPath's."""
    kind = properties.get("objectType", properties.get("object_type"))
    return isinstance(kind, str) and kind.lower() in TYPES


def with_class(properties):
    """Return the properties with the name of the class instead of its description."""
    described = properties.get("classification")
    if not isinstance(described, dict):
        return properties
    names = described.get("names")
    joined = ": ".join(map(str, names)) if isinstance(names, list) else None  # as QuPath shows them
    return properties | {"classification": described.get("name", joined)}
