"""CVAT's XML, "CVAT for images 1.1": polygons, boxes and masks, drawn in the order of z_order."""

import functools
import re
from xml.etree import ElementTree

import numpy as np

from polymask.common.error_text import quote
from polymask.files.annotations import Annotation, Image, box, leave_out, shape_of
from polymask.forms import geometry, rle

BEGINS = re.compile(rb"(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)?<annotations[\s>]", re.S)
CORNERS = "xtl", "ytl", "xbr", "ybr"
PLACE = "left", "top", "width", "height"


def read(content):
    """Return the images and annotations of a file.

    The category is the label, the id is that of the group. The attributes become properties.

    Parameters
    ----------
    content : bytes
        A file that `BEGINS` matches.

    Returns
    -------
    images : list of Image
    annotations : list of Annotation

    Raises
    ------
    ValueError
        If the file is not XML of images.
    """
    if b"<!" in content.replace(b"<!--", b"").replace(b"<![CDATA[", b""):
        raise ValueError("XML with declarations of its own, which CVAT does not write")
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        raise ValueError(f"not XML: {error}") from None
    if root.find("track") is not None:
        raise ValueError("this is CVAT for video: export the task as CVAT for images 1.1")
    images, annotations = [], []
    for element in root.iter("image"):
        height, width = (_integer(element, name) for name in ("height", "width"))
        name, key = element.get("name", element.get("id")), element.get("id")
        image = Image(str(name), key, shape_of(height, width))
        images.append(image)
        for shape in element:
            properties = {each.get("name"): each.text for each in shape.iter("attribute")}
            properties |= {"image": image.name, "category": shape.get("label")}
            properties["id"] = _integer(shape, "group_id")
            parts, order = functools.partial(_parts, shape), _integer(shape, "z_order") or 0
            annotations.append(Annotation(image, parts, properties, order))
    return images, annotations


def _parts(shape, skipped):
    if shape.tag == "polygon":
        return geometry.parts(_points(shape.get("points", "")))
    if shape.tag == "box" and not _rotation(shape):
        return box(_points("{},{};{},{}".format(*map(shape.get, CORNERS))))
    if shape.tag == "mask":
        return _outlines(shape)
    return leave_out("rotated box" if shape.tag == "box" else shape.tag, skipped)


def _points(text):
    """Convert "x,y;x,y" to pairs of numbers."""
    try:
        return [tuple(map(float, pair.split(","))) for pair in text.split(";")]
    except ValueError:
        raise ValueError(f'points must be like "x,y;x,y", got {quote(text)}') from None


def _rotation(shape):
    """Return the angle of a box."""
    text = shape.get("rotation", "0")
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"rotation must be a number, got {quote(text)}") from None


def _outlines(shape):
    """Return the outlines of run lengths along the rows of a box.

    They are those down the columns of the transposed box, so x and y change places.
    """
    left, top, width, height = (_integer(shape, name) for name in PLACE)
    if None in (left, top, width, height):
        raise ValueError(f"a mask must have {', '.join(PLACE)}")
    try:
        counts = [int(count) for count in shape.get("rle", "").split(",")]
    except ValueError:
        raise ValueError(f"rle must be integers, got {quote(shape.get('rle'))}") from None
    masks = rle.check_masks({"size": (width, height), "counts": counts})
    traced = rle.outlines(masks)
    vertices = np.ascontiguousarray(traced.vertices[:, ::-1]) + (left, top)
    return traced._replace(vertices=vertices).parts(0)


def _integer(element, name):
    """Return an attribute that is an integer, or None if it is missing."""
    text = element.get(name)
    try:
        number = None if text is None else int(text)
    except ValueError:
        raise ValueError(f"{name} must be an integer, got {quote(text)}") from None
    if number is not None and abs(number) >= 2**53:
        raise ValueError(f"{name} must be below 2**53, got {quote(number)}")
    return number
