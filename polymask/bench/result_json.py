"""Results as JSON files: read and written here, and nowhere else."""

import dataclasses
import json
import re

from polymask.bench.result import SCHEMA, Result, Sweep
from polymask.common import checkout, records, saving
from polymask.common.error_text import named, quote


def save(found, file):
    """Write a result, a sweep or another record as JSON."""
    text = json.dumps({"schema": SCHEMA} | dataclasses.asdict(found), indent=1, allow_nan=False)
    # lists of numbers on one line: a polygon's vertex, a row's samples
    text = re.sub(r"\[[-+.\de,\s]+\]", lambda found: " ".join(found[0].split()), text)
    saving.write(file, text + "\n")


def load(found, file):
    """Make a result, a sweep or a run on many polygons of the object that a JSON file holds.

    Another schema, or what is no whole result, is a ValueError that names the file.
    """
    found = dict(found)
    schema = found.pop("schema")
    if not isinstance(schema, int):
        raise ValueError(
            f"{file} holds no result of a run, its schema is {named(str(schema))}: "
            "`polymask bench --json FILE` writes one"
        )
    if schema != SCHEMA:
        version = "an older" if schema < SCHEMA else "another"
        raise ValueError(
            f"{file} has schema {quote(schema)}, of {version} polymask, and this one reads "
            f"{SCHEMA}: measure again, or use the version that wrote it"
        )
    if "scenes" in found:  # only a checkout measures many polygons
        return whole(checkout.load("benchmarks.many.result").Many, found, file)
    return whole(Sweep if "results" in found else Result, found, file)


def whole(kind, value, file, path=""):
    """Make a value of a type of what a file holds; raise a ValueError that names the file."""
    try:
        return records.read(kind, value, path)
    except ValueError as error:
        raise ValueError(f"{file} is no whole result: {error}") from None
