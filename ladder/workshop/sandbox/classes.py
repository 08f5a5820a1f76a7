"""Checks of a student's classes: extension types, their fields, and the need for `__cinit__`."""

import re

from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed

HEAP, IMMUTABLE = 1 << 9, 1 << 8  # in a type's __flags__: created at run time; fixed attributes
STRUCT = re.compile(r"^struct __pyx_obj_8workshop_\w+_([A-Z]\w*) \{\n(.*?)^\};", re.M | re.S)


def check_stored(c_code):
    """Raise `CheckFailed` if C would read a field of an extension type that is never assigned."""
    is_written = "NotImplementedError" not in c_code
    for name, fields in STRUCT.findall(c_code) if is_written else ():
        for field in re.findall(r"\b(?!__pyx_)(\w+);$", fields, re.M):
            if not re.search(rf"self->{field} = |&\(?\w+self->{field}\b[^.]", c_code):
                fact = f"{name} has a field {field}, but nothing is stored in it"
                raise CheckFailed(fact, advice=f"`{field}` is a local variable, `self.{field}` not")


def check_extension_type(answer, name, closed=True):
    """Raise `CheckFailed` unless a class is an extension type, without a __dict__ if `closed`."""
    cls = getattr(answer, name, None)
    if not isinstance(cls, type):
        raise CheckFailed(f"the class {name} is missing")
    if cls.__flags__ & HEAP and not cls.__flags__ & IMMUTABLE:
        raise CheckFailed(f"{name} is a Python class: make it a cdef class")
    if closed and cls.__dictoffset__:
        raise CheckFailed(f"a {name} has a __dict__: make it a cdef class with declared fields")
    if cls.__basicsize__ <= object.__basicsize__:
        raise CheckFailed(f"a {name} stores nothing: its C struct has no fields")


def check_always_made(answer, name):
    """Raise `CheckFailed` if an object can be created without its data."""
    child.step(f"calling {name}.__new__({name}), which skips __init__")
    try:
        cls = getattr(answer, name)
        cls.__new__(cls)
    except Exception:  # any exception counts
        return
    fact = f"{name}.__new__({name}) creates an object without the data that C will use"
    advice = "`__init__` may be skipped, or called twice; `__cinit__` runs exactly once"
    raise CheckFailed(fact, advice=advice)
