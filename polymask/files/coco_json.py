"""COCO's JSON: a data set with images and categories, or a list of annotations, as detectors write.

A segmentation is a list of polygons, which are added, or run lengths. Integers are edges of pixels.
"""

from collections.abc import Mapping
from itertools import chain
from numbers import Real
from typing import Any, NamedTuple

from polymask import contract
from polymask.common.error_text import MIN_FLAT, list_names, quote
from polymask.forms import geometry, mappings, rle
from polymask.forms.left_out import LeftOut


class Image(NamedTuple):
    """An image of a file; its shape is (rows, cols), or None if unknown."""

    name: str
    key: Any
    shape: tuple[int, int] | None


class Choice(NamedTuple):
    """What to read of a file; by default, everything on its only image.

    A name that is also the id of another image or category is refused; ``"name:2"`` and ``"id:2"``
    distinguish them.

    Attributes
    ----------
    image : str or None
        The name of its file, or its id.
    categories : sequence of str
        Names or ids; all categories if empty.
    instances : sequence of int
        The ids of annotations; all if empty.
    """

    image: str | None = None
    categories: tuple[str, ...] = ()
    instances: tuple[int, ...] = ()


def is_coco(document):
    """Return whether parsed JSON is a data set, an annotation, or a list of annotations."""
    if isinstance(document, list):
        return any(_has_segmentation(record) for record in document)
    if not isinstance(document, Mapping) or document.get("type") in mappings.TYPES:
        return False
    return {"images", "annotations"} <= document.keys() or _has_segmentation(document)


def read(document, choice, skipped):
    """Return the chosen annotations as features, in their order, and their image.

    Parameters
    ----------
    document : dict or list
        A parsed file for which `is_coco` is true.
    choice : Choice
    skipped : LeftOut or None
        As for `polygon_files.read_table`.

    Returns
    -------
    features : list of (parts, properties)
        Among others, properties have image, category and id: the name of the image, the name of the
        category, and the number of the annotation, or None.
    image : Image or None

    Raises
    ------
    ValueError
        If the document has another structure, the choice is ambiguous or empty, or an annotation is
        invalid; the message names it.
    """
    left_out = LeftOut(takes_invalid=False) if skipped is None else skipped
    members = document if isinstance(document, dict) else {"annotations": document}
    if "annotations" not in members:
        members = {"annotations": [document]}
    records = list_of(members, "annotations")
    names = {_key(record, "id"): record.get("name") for record in list_of(members, "categories")}
    images = {_key(record, "id"): _image(record) for record in list_of(members, "images")}
    if not images:
        images = {_key(record, "image_id"): _image_of(record) for record in records}
    image = _choose_image(list(images.values()), choice.image)
    kept = []
    for number, record in enumerate(records):
        key, category = _key(record, "image_id"), _key(record, "category_id")
        if key not in images:
            raise ValueError(f"annotation {number}: no image has the id {quote(key)}")
        if key != image.key:
            continue
        properties = {name: value for name, value in record.items() if name != "segmentation"}
        name = names.get(category)
        properties |= {"image": image.name, "category": str(category if name is None else name)}
        properties.setdefault("id", None)
        kept.append((number, record, properties))
    listed = {(str(key if name is None else name), key) for key, name in names.items()}
    kept = _keep(kept, choice.categories, "category", _category, listed)
    kept = _keep(kept, choice.instances, "instance", lambda properties: (None, properties["id"]))
    features = []
    for number, record, properties in kept:
        features.append(([], properties))
        try:
            features[-1] = _parts(record, image.shape, skipped), properties
        except (TypeError, ValueError) as error:
            left_out.add_invalid(number, ValueError(error), "annotation")
    return features, image


def refuse_choice(choice):
    """Refuse a choice for a file of another format."""
    if any(choice):
        raise ValueError(
            "has no images, categories or instances to choose: these are in annotations of COCO "
            "and labelme"
        )


def _has_segmentation(record):
    return isinstance(record, Mapping) and "segmentation" in record


def list_of(document, name):
    """Return a member that is a list of objects, or an empty list if it is missing."""
    objects = document.get(name, [])
    wrong = [objects]
    if isinstance(objects, list):
        wrong = [entry for entry in objects if not isinstance(entry, dict)]
    if wrong:
        raise ValueError(f"{name!r} must be a list of objects, got {quote(wrong[0])}")
    return objects


def _key(record, name):
    """Return the id of a record, or None without one."""
    key = record.get(name)
    if not isinstance(key, (int, str, type(None))):
        raise ValueError(f"{name!r} in COCO's JSON must be an integer or text, got {quote(key)}")
    return key


def _image(record):
    name = str(record.get("file_name", record.get("id")))
    return Image(name, record.get("id"), _shape(record.get("height"), record.get("width")))


def _image_of(annotation):
    """Return the image of an annotation in a file without images."""
    segmentation = annotation.get("segmentation")
    size = segmentation.get("size") if isinstance(segmentation, dict) else None
    key = annotation.get("image_id")
    return Image(str(key), key, None if size is None else _shape(*size))


def _shape(height, width):
    """Return the shape of an image, or None if the sizes are missing or 0."""
    if not height or not width:
        return None
    return contract.check_shape((height, width), name="the height and width of an image")


def _choose_image(images, wanted):
    """Return the image with a name or id, or the only one; None if there are no images."""
    chosen = images
    if wanted is not None:
        keys = _named(wanted, {image[:2] for image in images}, "image")
        chosen = [image for image in images if image[:2] in keys]
        if not chosen:
            names = list_names(image.name for image in images)
            raise ValueError(f"no image is called {quote(wanted)}; there are {names}")
    if len(chosen) > 1:
        names = list_names(image.name if wanted is None else image.key for image in chosen)
        raise ValueError(f"has {len(chosen)} images; choose one with --image or image: {names}")
    return chosen[0] if chosen else None


def _named(wanted, pairs, noun):
    """Return the pairs of a name and an id that the user means by one of them."""
    by_name = {(name, key) for name, key in pairs if wanted in (name, f"name:{name}")}
    ids = {pair for pair in pairs if pair[1] is not None}
    by_id = {(name, key) for name, key in ids if str(wanted) in (str(key), f"id:{key}")}
    if by_name and by_id and by_name != by_id:
        raise ValueError(
            f"{quote(wanted)} is the name of one {noun} and the id of another: choose "
            f"name:{wanted} or id:{wanted}"
        )
    return by_name | by_id


def _keep(annotations, wanted, noun, pair_of, others=frozenset()):
    """Keep the annotations with one of the wanted names or ids; refuse one that none has."""
    if not wanted:
        return annotations
    present = {pair_of(properties) for _, _, properties in annotations}
    chosen = set()
    for value in wanted:
        same = _named(value, present | others, noun) & present
        if not same:
            known = list_names(sorted({*chain(*present)} - {None}, key=str))
            raise ValueError(f"the image has no {noun} {quote(value)}; it has {known}")
        chosen |= same
    return [each for each in annotations if pair_of(each[2]) in chosen]


def _category(properties):
    return properties["category"], properties.get("category_id")


def _parts(annotation, shape, skipped):
    """Return the polygons of an annotation."""
    segmentation = annotation.get("segmentation")
    if not segmentation:
        default = "bbox" if annotation.get("bbox") else "annotation without segmentation"
        return _leave_out(annotation.get("shape_type", default), skipped)
    if isinstance(segmentation, Mapping):
        (mask,) = rle.check_masks(segmentation)
        if shape is not None and mask[1:] != shape:
            raise ValueError(f"has run lengths of the size {mask[1:]}, but its image {shape}")
        return rle.outlines([mask]).parts(0)
    if not isinstance(segmentation, list):
        raise ValueError(f"segmentation must be a list or an object, got {quote(segmentation)}")
    if isinstance(segmentation[0], Real):  # one polygon, without the list of parts
        segmentation = [segmentation]
    return [*chain.from_iterable(_polygon(part, skipped) for part in segmentation)]


def _polygon(points, skipped):
    """Return the parts of a ring; fewer than three vertices are left out."""
    if isinstance(points, list):
        size = sum(len(point) if isinstance(point, list) else 1 for point in points)
        if size < MIN_FLAT and size % 2 == 0:
            return _leave_out("polygon of fewer than 3 vertices", skipped)
    return geometry.parts(points)


def _leave_out(shape_type, skipped):
    """Count an object that is not a polygon, such as a box; without a LeftOut, refuse it."""
    if skipped is None:
        raise ValueError(f"not a polygon, but {quote(shape_type)}")
    skipped[str(shape_type)] += 1
    return []
