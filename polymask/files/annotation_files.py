"""Recognising and reading files of annotations: COCO and labelme."""

import re

from polymask.common import json_text
from polymask.files import annotations, coco_json, labelme_json
from polymask.forms import other_formats

ANNOTATED = re.compile(rb'"(annotations|segmentation|shapes)"')


def read(file_bytes, choice, skipped):
    """Return the features of a file and their image, or None for files of other formats.

    Parameters
    ----------
    file_bytes : bytes
    choice : annotations.Choice
    skipped : LeftOut or None
        As for `polygon_files.read_table`.

    Raises
    ------
    NoImage, ValueError
        As from `annotations.features`.
    """
    contents = _contents(file_bytes)
    return None if contents is None else annotations.features(choice, skipped, *contents)


def refuse_choice(choice):
    """Refuse a choice for a file of another format."""
    if any(choice):
        raise ValueError(
            "has no images, categories or instances to choose: these are in annotations of COCO "
            "and labelme"
        )


def _contents(file_bytes):
    """Return what `annotations.features` takes from a file, or None for files of other formats."""
    if not json_text.BEGINS.match(file_bytes) or not ANNOTATED.search(file_bytes):
        return None
    document, *more = json_text.parse_sequence(file_bytes)
    if more:
        return None
    first = document[0] if isinstance(document, list) and document else document
    kind = other_formats.recognise(first)
    if kind == other_formats.COCO:
        return coco_json.read(document)
    is_labelme = kind == other_formats.LABELME and first is document and "shapes" in document
    return labelme_json.read(document) if is_labelme else None
