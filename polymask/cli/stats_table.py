"""The table of `polymask stats`: columns of properties and statistics, as CSV."""

import csv
import io

import click
import numpy as np

from polymask.cli import polygons

MOST_CLASSES = 1000  # columns of a statistic


def widen(columns, layers, names):
    """Join the columns of all layers; shares of classes get a column for each class."""
    from polymask.masks.zonal_columns import column_name

    wide = {}
    for layer, each in zip(layers, columns, strict=True):
        for name in map(column_name, names):
            if name in ("frac", "unique_counts"):
                wide |= _by_class(layer.prefix + name, each["unique"], each[name])
            else:
                wide[layer.prefix + name] = each[name]
    return wide


def _by_class(name, unique, shares):
    """Return a column for each distinct value: its shares, 0 where a feature lacks it."""
    classes = np.unique(np.concatenate(unique)) if unique else np.empty(0)
    if len(classes) > MOST_CLASSES:
        raise ValueError(
            f"{name} would have {len(classes)} columns, more than {MOST_CLASSES}: the image does "
            "not consist of classes"
        )
    table = np.zeros((len(classes), len(unique)), shares[0].dtype if shares else float)
    for number, (values, parts) in enumerate(zip(unique, shares, strict=True)):
        table[np.searchsorted(classes, values), number] = parts
    labels = map(_short, classes.tolist())
    return {f"{name}_{label}": row for label, row in zip(labels, table, strict=True)}


def refuse_taken(names, columns):
    """Refuse a property with the name of a column of statistics."""
    for name in names:
        if name in columns:
            raise click.UsageError(
                f"the property {name!r} has the name of a statistic: choose others with --keep"
            )


def as_csv(properties, names, columns):
    """Return a line for each feature: its properties and its statistics, empty if missing."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow([*names, *columns])
    fields = [
        *(map(polygons.as_text, values) for values in properties),
        *(_as_texts(values) for values in columns.values()),
    ]
    for row in zip(*fields, strict=True):
        lines.writerow(["" if polygons.is_missing(value) else value for value in row])
    return text.getvalue()


def _as_texts(column):
    """Return the values of a column; arrays, such as those of unique, become JSON."""
    if isinstance(column, list):
        return map(polygons.as_text, column)
    return map(_short, column.tolist())


def _short(value):
    """Convert whole floats, such as 7.0 for a mean, to integers; a masked integer is None."""
    is_whole = isinstance(value, float) and abs(value) < 2**53 and value == int(value)
    return int(value) if is_whole else value
