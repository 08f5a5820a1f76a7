"""labelme's JSON: the shapes of one image, each with its points in pixels, as in COCO's JSON."""

from polymask.files import coco_json

IN_PROPERTIES = "description", "flags"


def is_labelme(document):
    """Return whether parsed JSON is labelme's; CVAT's has shapes, too, but names no image."""
    return isinstance(document, dict) and {"shapes", "imagePath"} <= document.keys()


def read(document, choice, skipped):
    """Return the chosen polygons and rectangles as features, and their image.

    The category is the label, the id is that of the group. Other shapes, such as circles, are
    refused, or counted in `skipped`. Parameters, results and errors are those of `coco_json.read`.
    """
    image = {
        "file_name": document["imagePath"],
        "height": document.get("imageHeight"),
        "width": document.get("imageWidth"),
    }
    annotations = [
        {name: shape[name] for name in IN_PROPERTIES if shape.get(name)}
        | {"category_id": str(shape.get("label")), "id": shape.get("group_id")}
        | {"shape_type": shape.get("shape_type", "polygon"), "segmentation": _rings(shape)}
        for shape in coco_json.list_of(document, "shapes")
    ]
    data_set = {"images": [image], "annotations": annotations}
    features, image = coco_json.read(data_set, choice, skipped)
    for _, properties in features:
        del properties["category_id"], properties["shape_type"]
    return features, image


def _rings(shape):
    """Return the only ring of a shape in a list, or None if it is not a polygon."""
    match shape.get("shape_type", "polygon"), shape.get("points"):
        case "rectangle", [[left, top], [right, bottom]]:  # otherwise, it has four corners
            return [[[left, top], [right, top], [right, bottom], [left, bottom]]]
        case "polygon" | "rectangle" | "oriented_rectangle", points:
            return [points]
    return None
