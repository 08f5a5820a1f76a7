"""Records of others, from JSON or TOML, held against the types of dataclasses.

A file that was edited by hand may be incomplete; once it is read here, callers need no checks of
their own. An unknown key is refused, too: it is a typing error, or from a newer version, and either
should be reported.

This is all that our types need. A library that does it (msgspec, cattrs, pydantic) would be one
more, and mostly a compiled one, that everybody who wants a mask has to install.
"""

import dataclasses
import functools
import sys
import types
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from polymask.common.error_text import named, printable, shown

NAMED = 3  # of the keys that no field has
PLAIN = {str: "a text", bool: "true or false", int: "an integer", float: "a number"}


def read(kind, value, path):
    """Make a value of a type of what JSON holds; `path` leads there.

    If it is none, a ValueError says where it stands, what it has to be, and what it is. Texts go to
    terminals later, so nothing stays in them that a terminal obeys.
    """
    wanted = kind
    if isinstance(value, str):
        value = printable(value)
    if get_origin(kind) in (Union, types.UnionType):  # of a type and None
        if value is None:
            return None
        kind = get_args(kind)[0]
    if dataclasses.is_dataclass(kind) and isinstance(value, dict):
        return _record(kind, value, path)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is list and isinstance(value, list):
        return [read(inner[0], one, f"{path}[{n}]{_key(one)}") for n, one in enumerate(value)]
    if origin is tuple and isinstance(value, list) and inner[1:] == (Ellipsis,):
        return tuple(read(list[inner[0]], value, path))
    if origin is tuple and isinstance(value, list) and len(value) == len(inner):
        return tuple(read(inner[n], one, f"{path}[{n}]") for n, one in enumerate(value))
    if origin is dict and isinstance(value, dict):
        return {
            printable(name): read(inner[1], one, f"{path}.{named(name)}")
            for name, one in value.items()
        }
    if _is(kind, value):
        return value
    raise ValueError(f"{path or 'it'} has to be {words(wanted)}, got {shown(value)}")


def words(kind):
    """Say what a type wants: "a number above zero, or null"."""
    origin, inner = get_origin(kind), get_args(kind)
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
    return {list: "a list", dict: "an object"}.get(origin) or PLAIN.get(kind, "an object")


def _is(kind, value):
    """Whether a value that holds no others is of a type."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _is(inner[0], value) and inner[2](value)
    if origin is Literal:
        return value in inner
    if kind is float:  # JSON has no infinity; Python reads one all the same
        return type(value) in (int, float) and abs(value) <= sys.float_info.max  # and no NaN
    return kind is Any or type(value) is kind


def _key(value):
    """Name a row by its key, beside its place."""
    return f" ({named(str(value['key']))})" if isinstance(value, dict) and "key" in value else ""


def _listed(names):
    """Return the first of some names."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(map(named, names[:NAMED])) + more


def _record(kind, value, path):
    """Make a dataclass of an object."""
    types_of, needed = _fields(kind)
    if missing := sorted(needed - value.keys()):
        raise ValueError(f"{path or 'it'} has no {', '.join(missing)}")
    if unknown := sorted(value.keys() - types_of.keys()):
        raise ValueError(f"{path or 'it'} has {_listed(unknown)}, unknown to this version")
    inside = f"{path}." if path else ""
    made = {name: read(types_of[name], one, inside + name) for name, one in value.items()}
    try:
        return kind(**made)
    except ValueError as error:  # of its fields together
        raise ValueError(f"{path or 'it'}: {error}") from None


@functools.cache
def _fields(kind):
    """Return name to type of all fields, and the names of those without a default."""
    none = dataclasses.MISSING
    needed = {f.name for f in dataclasses.fields(kind) if f.default is f.default_factory is none}
    return get_type_hints(kind, include_extras=True), needed
