"""COCO's JSON: a data set with images and categories, or a list of annotations, as detectors write.

A segmentation is a list of polygons, which are added, or run lengths. Integers are edges of pixels.
"""

import functools
from collections.abc import Mapping
from itertools import chain
from numbers import Real

from polymask.common.error_text import quote
from polymask.files.annotations import Annotation, Image, leave_out, list_of, polygon, shape_of
from polymask.forms import rle


def read(document):
    """Return the images, annotations and categories of a parsed file.

    Parameters
    ----------
    document : dict or list
        A data set, an annotation, or a list of annotations.

    Returns
    -------
    images : list of Image
    annotations : list of Annotation
    categories : list of tuple
        As for `annotations.features`.

    Raises
    ------
    ValueError
        If the document has another structure.
    """
    is_set = isinstance(document, dict) and "annotations" in document
    members = document if is_set else {"annotations": document}
    if isinstance(document, dict) and not is_set:
        members = {"annotations": [document]}
    records = list_of(members, "annotations")
    named = [each for each in list_of(members, "categories") if each.get("name") is not None]
    names = {_key(record, "id"): record["name"] for record in named}
    images = {_key(record, "id"): _image(record) for record in list_of(members, "images")}
    if not images:
        images = {_key(record, "image_id"): _image_of(record) for record in records}
    annotations = []
    for number, record in enumerate(records):
        key, category = _key(record, "image_id"), _key(record, "category_id")
        if key not in images:
            raise ValueError(f"annotation {number}: no image has the id {quote(key)}")
        image = images[key]
        properties = {name: value for name, value in record.items() if name != "segmentation"}
        properties |= {"image": image.name, "category": str(names.get(category, category))}
        properties.setdefault("id", None)
        parts = functools.partial(_parts, record, image.shape)
        annotations.append(Annotation(image, parts, properties))
    categories = [(str(name), key) for key, name in names.items()]
    return list(images.values()), annotations, categories


def _key(record, name):
    """Return the id of a record, or None without one."""
    key = record.get(name)
    if not isinstance(key, (int, str, type(None))):
        raise ValueError(f"{name!r} in COCO's JSON must be an integer or text, got {quote(key)}")
    return key


def _image(record):
    name = str(record.get("file_name", record.get("id")))
    return Image(name, record.get("id"), shape_of(record.get("height"), record.get("width")))


def _image_of(annotation):
    """Return the image of an annotation in a file without images."""
    segmentation = annotation.get("segmentation")
    size = segmentation.get("size") if isinstance(segmentation, dict) else None
    key = annotation.get("image_id")
    return Image(str(key), key, None if size is None else shape_of(*size))


def _parts(annotation, shape, skipped):
    """Return the polygons of an annotation."""
    segmentation = annotation.get("segmentation")
    if not segmentation:
        kind = "bbox" if annotation.get("bbox") else "annotation without segmentation"
        return leave_out(kind, skipped)
    if isinstance(segmentation, Mapping):
        (mask,) = rle.check_masks(segmentation)
        if shape is not None and mask[1:] != shape:
            raise ValueError(f"has run lengths of the size {mask[1:]}, but its image {shape}")
        return rle.outlines([mask]).parts(0)
    if not isinstance(segmentation, list):
        raise ValueError(f"segmentation must be a list or an object, got {quote(segmentation)}")
    if isinstance(segmentation[0], Real):  # one polygon, without the list of parts
        segmentation = [segmentation]
    return [*chain.from_iterable(polygon(part, skipped) for part in segmentation)]
