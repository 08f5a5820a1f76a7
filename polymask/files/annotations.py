"""Annotation files: objects drawn on images, and the choice of an image, categories, instances."""

import math
from collections.abc import Callable
from itertools import chain
from typing import Any, NamedTuple

from polymask import contract
from polymask.common.error_text import MIN_FLAT, list_names, quote
from polymask.forms import geometry
from polymask.forms.left_out import LeftOut


class Image(NamedTuple):
    """An image of an annotation file; its shape is (rows, cols), or None if unknown."""

    name: str
    key: Any
    shape: tuple[int, int] | None

    @property
    def is_named(self):
        """Whether the name is more than the id as text."""
        return self.name != str(self.key)


class Annotation(NamedTuple):
    """An object on an image.

    Attributes
    ----------
    image : Image
    parts : callable
        Returns the object's polygons like `geometry.parts`, for the LeftOut of `leave_out`.
    properties : dict
        Among others image, category and id: the name of the image, the name of the category, and
        the number of the instance, or None.
    """

    image: Image
    parts: Callable[[LeftOut | None], list[geometry.Rings]]
    properties: dict[str, Any]


class NoImage(LookupError):
    """A file of annotations does not contain the chosen image; its arguments are its images."""


class Choice(NamedTuple):
    """What to read of an annotation file; by default, everything on its only image.

    A name that is also the id of another image or category is refused; ``"name:2"`` and ``"id:2"``
    distinguish them.

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


def features(choice, skipped, images, annotations, categories=()):
    """Return the chosen annotations as features, in their order, and their image.

    Parameters
    ----------
    choice : Choice
    skipped : LeftOut or None
        As for `polygon_files.read_table`.
    images : list of Image
    annotations : iterable of Annotation
    categories : list of tuple
        The name and the id of each category that the file lists; the image may lack some.

    Returns
    -------
    features : list of (parts, properties)
    image : Image or None

    Raises
    ------
    NoImage
        If no image is the chosen one.
    ValueError
        If the choice is ambiguous or empty, or an annotation is invalid; the message names it.
    """
    left_out = LeftOut(takes_invalid=False) if skipped is None else skipped
    image = _choose_image(images, choice.image)
    kept = [(n, a) for n, a in enumerate(annotations) if image is None or a.image == image]
    kept = _keep(kept, choice.categories, "category", _category, {*categories})
    kept = _keep(kept, choice.instances, "instance", lambda properties: (None, properties["id"]))
    records = []
    for number, annotation in kept:
        records.append(([], annotation.properties))
        try:
            records[-1] = annotation.parts(skipped), annotation.properties
        except (TypeError, ValueError) as error:
            left_out.add_invalid(number, ValueError(error), "annotation")
    return records, image


def _choose_image(images, wanted):
    """Return the image with a name or id, or the only one; None if there are no images."""
    if wanted is not None:
        chosen = _named(wanted, {image[:2] for image in images}, "image")
        all_images, images = images, [image for image in images if image[:2] in chosen]
        if not images:
            raise NoImage(*all_images)
    if len(images) > 1:
        called = "" if wanted is None else f" called {quote(wanted)}"
        names = list_names(image.name if wanted is None else f"id:{image.key}" for image in images)
        raise ValueError(
            f"has {len(images)} images{called}; choose one with --image or image: {names}"
        )
    return images[0] if images else None


def _keep(annotations, wanted, noun, pair_of, others=frozenset()):
    """Keep the annotations with one of the wanted names or ids; refuse one that none has."""
    if not wanted:
        return annotations
    present = {pair_of(annotation.properties) for _, annotation in annotations}
    chosen = set()
    for value in wanted:
        same = _named(value, present | others, noun) & present
        if not same:
            known = list_names(sorted({*chain(*present)} - {None}, key=order))
            raise ValueError(f"the image has no {noun} {quote(value)}; it has {known}")
        chosen |= same
    return [pair for pair in annotations if pair_of(pair[1].properties) in chosen]


def _category(properties):
    return properties["category"], properties.get("category_id")


def _named(wanted, pairs, noun):
    """Return the pairs of a name and an id that the user means by one of them."""
    by_name = {(name, key) for name, key in pairs if wanted in (name, f"name:{name}")}
    ids = {pair for pair in pairs if pair[1] is not None}
    by_id = {(name, key) for name, key in ids if wanted in (key, str(key), f"id:{key}")}
    if by_name and by_id and by_name != by_id:
        raise ValueError(
            f"{quote(wanted)} is the name of one {noun} and the id of another: choose "
            f"name:{wanted} or id:{wanted}"
        )
    return by_name | by_id


def order(name):
    """Return a key to sort names by: numbers, also those in text, come first, by value."""
    try:
        number = float(name)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    is_number = not math.isnan(number)
    return not is_number, number if is_number else 0, str(name)


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


def polygon(points, skipped):
    """Return the parts of a ring; fewer than three vertices are left out."""
    if isinstance(points, list):
        size = sum(len(point) if isinstance(point, list) else 1 for point in points)
        if size < MIN_FLAT and size % 2 == 0:
            return leave_out("polygon of fewer than 3 vertices", skipped)
    return geometry.parts(points)


def box(points):
    """Return the parts of a rectangle, given by two opposite corners."""
    (left, top), (right, bottom) = contract.as_points(points, "corners").tolist()
    return geometry.parts([(left, top), (right, top), (right, bottom), (left, bottom)])


def leave_out(kind, skipped):
    """Count an object that is not a polygon, such as a line; without a LeftOut, refuse it."""
    if skipped is None:
        raise ValueError(f"not a polygon, but {quote(kind)}")
    skipped[str(kind)] += 1
    return []
