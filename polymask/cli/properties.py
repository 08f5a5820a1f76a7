"""Properties of features, as labels and as texts."""

import json
import math

import click
import numpy as np

from polymask.cli.polygons import print_left_out
from polymask.common import figures
from polymask.common.error_text import list_names, named
from polymask.forms import ragged

MOST_NAMES = 20  # on one line


def column(table, name):
    """Return the values of a property."""
    if name not in table.properties:
        known = list_names(sorted(table.properties))
        raise click.UsageError(f"no feature has the property {name!r}; they have {known}")
    return table.properties[name]


def label_features(table, name):
    """Return the polygons of a table, a label for each feature, and the names of the labels.

    Values of a property that are all integers above 0 become the labels, without names. Other
    values are numbered, and become the names. Features without the property become empty.
    """
    values = column(table, name)
    polygons, missing = table.polygons, [is_missing(value) for value in values]
    if any(missing):
        features = figures.count(sum(missing), "feature")
        print_left_out(f"{features} without the property {name!r}", not all(missing))
        polygons = ragged.from_parts(
            [[] if lacks else polygons.parts(index) for index, lacks in enumerate(missing)]
        )
    numbers, names = _number([value for value in values if not is_missing(value)])
    labels = np.ones(len(values), np.int64)
    labels[~np.array(missing, bool)] = numbers
    return polygons, labels, names


def _number(values):
    """Return a label for each value, and the names of the labels, or None for integer values."""
    if all(_is_label(value) for value in values):
        return np.array([int(value) for value in values], np.int64), None
    texts = [str(as_text(value)) for value in values]
    names = sorted(set(texts), key=_order)
    numbers = {name: label for label, name in enumerate(names, start=1)}
    return np.array([numbers[text] for text in texts], np.int64), names


def _order(name):
    """Return a key to sort names by: numbers, also those in text, come first, by value."""
    try:
        number = float(name)
    except ValueError:
        number = math.nan
    is_number = not math.isnan(number)
    return not is_number, number if is_number else 0, name


def _is_label(value):
    """Return whether a value is an integer above 0, possibly stored as a float."""
    if type(value) is float:
        return value.is_integer() and 0 < value < 2**53
    return type(value) is int and 0 < value < 2**63


def as_text(value):
    """Convert lists and objects to JSON; return other values unchanged."""
    if isinstance(value, (dict, list, np.ndarray)):
        return json.dumps(value, ensure_ascii=False, default=_plain)
    return value


def _plain(value):
    """Convert values from other file formats for JSON."""
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else str(value)


def is_missing(value):
    """Return whether a value is None or NaN."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def list_labels(names):
    """List the first labels with their names, for file formats without names."""
    first = [f"{label} {named(name)}" for label, name in enumerate(names[:MOST_NAMES], start=1)]
    others = [f"and {len(names) - MOST_NAMES} more"] if len(names) > MOST_NAMES else []
    return ", ".join([*first, *others])
