"""Records from JSON or TOML, validated by the types of dataclasses.

A file that was edited by hand may be incomplete. It is checked here, so callers need no checks of
their own. An unknown key is refused too: it is a typing error, or from a newer version.

Libraries for validation (msgspec, cattrs, pydantic) can do more than these types need. Each would
be one more package, usually a compiled one, for every user of masks to install.
"""

import dataclasses
import functools
import sys
import types
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from polymask.common.error_text import list_names, named, printable, quote

MOST_NAMES = 3  # of unknown keys
PLAIN = {str: "a text", bool: "true or false", int: "an integer", float: "a number"}


def read(expected, value, path):
    """Convert a JSON value at `path` to a type.

    If that is impossible, a ValueError names the path, the expected type and the value. Control
    characters in texts are escaped, as texts are printed to terminals later.
    """
    declared = expected
    if isinstance(value, str):
        value = printable(value)
    if get_origin(expected) in (Union, types.UnionType):  # a type or None
        if value is None:
            return None
        expected = get_args(expected)[0]
    if dataclasses.is_dataclass(expected) and isinstance(value, dict):
        return _record(expected, value, path)
    origin, inner = get_origin(expected), get_args(expected)
    if origin is list and isinstance(value, list):
        return [read(inner[0], row, f"{path}[{n}]{_key(row)}") for n, row in enumerate(value)]
    if origin is tuple and isinstance(value, list) and inner[1:] == (Ellipsis,):
        return tuple(read(list[inner[0]], value, path))
    if origin is tuple and isinstance(value, list) and len(value) == len(inner):
        return tuple(read(inner[n], element, f"{path}[{n}]") for n, element in enumerate(value))
    if origin is dict and isinstance(value, dict):
        return {
            printable(name): read(inner[1], element, f"{path}.{named(name)}")
            for name, element in value.items()
        }
    if _is(expected, value):
        return value
    raise ValueError(f"{path or 'it'} must be {words(declared)}, got {quote(value)}")


def words(expected):
    """Describe the values of a type, such as "a number above zero, or null"."""
    origin, inner = get_origin(expected), get_args(expected)
    if origin in (Union, types.UnionType):
        return f"{words(inner[0])}, or null"
    if origin is Annotated:
        return f"{words(inner[0])} {inner[1]}"
    if origin is Literal:
        return f"one of {', '.join(inner)}"
    if origin is tuple and inner[1:] == (Ellipsis,):
        return "a list"
    if origin is tuple:
        return f"a list of {len(inner)}, each {words(inner[0])}"
    return {list: "a list", dict: "an object"}.get(origin) or PLAIN.get(expected, "an object")


def _is(expected, value):
    """Return whether a value without elements is of a type."""
    origin, inner = get_origin(expected), get_args(expected)
    if origin is Annotated:
        return _is(inner[0], value) and inner[2](value)
    if origin is Literal:
        return value in inner
    if expected is float:  # Python's JSON reader accepts infinity and NaN; both are refused
        return type(value) in (int, float) and abs(value) <= sys.float_info.max
    return expected is Any or type(value) is expected


def _key(value):
    """Return a row's key in parentheses, or an empty string."""
    return f" ({named(str(value['key']))})" if isinstance(value, dict) and "key" in value else ""


def _record(record_class, value, path):
    """Convert a JSON object to a dataclass."""
    types_of, needed = _fields(record_class)
    if missing := sorted(needed - value.keys()):
        raise ValueError(f"{path or 'it'} has no {', '.join(missing)}")
    if unknown := sorted(value.keys() - types_of.keys()):
        fact = f"{path or 'it'} has {list_names(unknown, MOST_NAMES)}"
        raise ValueError(f"{fact}, unknown to this version")
    inside = f"{path}." if path else ""
    fields = {name: read(types_of[name], entry, inside + name) for name, entry in value.items()}
    try:
        return record_class(**fields)
    except ValueError as error:  # from a check of several fields
        raise ValueError(f"{path or 'it'}: {error}") from None


@functools.cache
def _fields(record_class):
    """Return the types of all fields by name, and the names of those without a default."""
    none = dataclasses.MISSING
    fields = dataclasses.fields(record_class)
    needed = {f.name for f in fields if f.default is f.default_factory is none}
    return get_type_hints(record_class, include_extras=True), needed
