"""labelme's JSON: the shapes of one image. Polygons and rectangles are read."""

import functools

from polymask.files.annotations import (
    Annotation,
    Image,
    box,
    leave_out,
    list_of,
    polygon,
    shape_of,
)

POLYGONS = "polygon", "oriented_rectangle"
IN_PROPERTIES = "description", "flags"


def read(document):
    """Return the image and annotations of a parsed file; its copy of the image is ignored.

    The category is the label, the id is that of the group.

    Parameters
    ----------
    document : dict

    Returns
    -------
    images : list of Image
    annotations : list of Annotation

    Raises
    ------
    ValueError
        If the document has another structure.
    """
    size = shape_of(document.get("imageHeight"), document.get("imageWidth"))
    image = Image(str(document.get("imagePath")), None, size)
    annotations = []
    for shape in list_of(document, "shapes"):
        properties = {name: shape[name] for name in IN_PROPERTIES if shape.get(name)}
        properties |= {"image": image.name, "category": str(shape.get("label"))}
        properties["id"] = shape.get("group_id")
        annotations.append(Annotation(image, functools.partial(_parts, shape), properties))
    return [image], annotations


def _parts(shape, skipped):
    kind, points = shape.get("shape_type", "polygon"), shape.get("points")
    if kind in POLYGONS:
        return polygon(points, skipped)
    if kind == "rectangle":
        return box(points)
    return leave_out(kind, skipped)
