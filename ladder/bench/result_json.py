"""Results as JSON files: reading and writing."""

import dataclasses
import json
import re

from ladder.bench.result import SCHEMA, Result, Sweep
from ladder.common import checkout, records
from polymask.common import saving
from polymask.common.error_text import named, quote


def save(result, file):
    """Write a result, a sweep or another record as JSON."""
    text = json.dumps({"schema": SCHEMA} | dataclasses.asdict(result), indent=1, allow_nan=False)
    # put lists of numbers on one line: a polygon's vertex, a row's samples
    text = re.sub(r"\[[-+.\de,\s]+\]", lambda match: " ".join(match[0].split()), text)
    saving.write(file, text + "\n")


def load(record, file):
    """Convert the object in a JSON file to a result, a sweep, or a run on many polygons.

    Another schema or an incomplete result raises a ValueError that names the file.
    """
    record = dict(record)
    schema = record.pop("schema")
    if not isinstance(schema, int):
        fact = f"{file} does not hold a result: its schema is {named(str(schema))}"
        raise ValueError(f"{fact}. `polymask bench --json FILE` writes one")
    if schema != SCHEMA:
        version = "an older" if schema < SCHEMA else "another"
        fact = f"{file} has schema {quote(schema)} of {version} polymask; this one reads {SCHEMA}"
        raise ValueError(f"{fact}. Measure again, or use the version that wrote it")
    if "scenes" in record:  # a run on many polygons, whose type exists in a checkout only
        return whole(checkout.load("benchmarks.harness.record").Run, record, file)
    return whole(Sweep if "results" in record else Result, record, file)


def whole(record_class, value, file, path=""):
    """Convert a value of a file to a type; raise a ValueError that names the file."""
    try:
        return records.read(record_class, value, path)
    except ValueError as error:
        raise ValueError(f"{file} is not a complete result: {error}") from None
