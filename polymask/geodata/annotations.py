"""Annotation files: objects drawn on images, and the choice of an image, categories, instances."""

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from polymask import contract
from polymask.common.error_text import quote
from polymask.geodata import geometry

MOST_NAMES = 10  # in a message


class Image(NamedTuple):
    """An image of an annotation file; its shape is (rows, cols), or None if unknown."""

    name: str
    key: Any
    shape: tuple[int, int] | None


class Annotation(NamedTuple):
    """An object on an image.

    Attributes
    ----------
    image : Image
    parts : callable
        Returns the object's polygons like `geometry.parts`, for the Counter of `leave_out`.
    properties : dict
        Among others image, category and id: the name of the image, the name of the category, and
        the number of the instance, or None.
    height : int
        Objects of larger height are drawn later, on top.
    """

    image: Image
    parts: Callable[[Counter[str] | None], list[geometry.Rings]]
    properties: dict[str, Any]
    height: int = 0


class Choice(NamedTuple):
    """What to read of an annotation file; by default, everything on its only image.

    Attributes
    ----------
    image : str or None
        The name of a file, or an id.
    categories : sequence of str
        Names or ids; all categories if empty.
    instances : sequence of int
        The ids of annotations, or the numbers of groups; all instances if empty.
    """

    image: str | None = None
    categories: tuple[str, ...] = ()
    instances: tuple[int, ...] = ()


def features(images, annotations, choice, skipped):
    """Return the chosen annotations as features, and the shape of their image.

    Annotations of equal height keep their order.

    Parameters
    ----------
    images : list of Image
    annotations : iterable of Annotation
    choice : Choice
    skipped : collections.Counter or None
        As for `files.read_table`.

    Returns
    -------
    features : list of (parts, properties)
    shape : tuple of int, or None

    Raises
    ------
    ValueError
        If the choice is ambiguous or empty, or an annotation is invalid; the message names it.
    """
    image = _choose_image(images, choice.image)
    numbered = [(n, a) for n, a in enumerate(annotations) if image is None or a.image == image]
    kept = _keep(numbered, choice.categories, "category", _names)
    kept = _keep(kept, choice.instances, "instance", lambda properties: {properties["id"]})
    records = []
    for number, annotation in sorted(kept, key=lambda pair: pair[1].height):
        try:
            records.append((annotation.parts(skipped), annotation.properties))
        except (TypeError, ValueError) as error:
            raise ValueError(f"annotation {number}: {error}") from None
    return records, None if image is None else image.shape


def _choose_image(images, name):
    """Return the image with a name or id, or the only one; None if there are no images."""
    if name is None:
        if len(images) > 1:
            names = _list([image.name for image in images])
            raise ValueError(f"has {len(images)} images; choose one with --image or image: {names}")
        return images[0] if images else None
    same = [image for image in images if name in (image.name, str(image.key))]
    if len(same) != 1:
        names = _list([image.name for image in images])
        raise ValueError(f"has {len(same)} images called {quote(name)}; its images are {names}")
    return same[0]


def _keep(annotations, wanted, noun, values):
    """Keep the annotations with one of the wanted values; refuse a value that none has."""
    if not wanted:
        return annotations
    present = {value for _, annotation in annotations for value in values(annotation.properties)}
    for value in wanted:
        if value not in present:
            known = _list(sorted(present - {None}))
            raise ValueError(f"the image has no {noun} {quote(value)}; it has {known}")
    return [
        (number, annotation)
        for number, annotation in annotations
        if not values(annotation.properties).isdisjoint(wanted)
    ]


def _names(properties):
    """Return the name of a category and its id as text."""
    return {properties["category"], str(properties.get("category_id", properties["category"]))}


def _list(names):
    """List the first names for a message."""
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return (", ".join(map(quote, names[:MOST_NAMES])) or "none") + more


def list_of(document, name):
    """Return a member that is a list of objects, or an empty list if it is missing."""
    objects = document.get(name, [])
    wrong = [objects]
    if isinstance(objects, list):
        wrong = [entry for entry in objects if not isinstance(entry, dict)]
    if wrong:
        raise ValueError(f"{name!r} must be a list of objects, got {quote(wrong[0])}")
    return objects


def shape_of(height, width):
    """Return the shape of an image from the members of a file, or None if they are missing or 0."""
    if not height or not width:
        return None
    return contract.check_shape((height, width), name="the height and width of an image")


def box(points):
    """Return the parts of a rectangle, given by two opposite corners."""
    (left, top), (right, bottom) = contract.as_points(points, "corners").tolist()
    return geometry.parts([(left, top), (right, top), (right, bottom), (left, bottom)])


def leave_out(kind, skipped):
    """Count an object that is not a polygon, such as a line; without a Counter, refuse it."""
    if skipped is None:
        raise ValueError(f"not a polygon, but {quote(kind)}")
    skipped[str(kind)] += 1
    return []
