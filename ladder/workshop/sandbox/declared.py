"""The parameters in a student's declarations for Cython, compared with those of the C header.

Cython believes a declaration. A type that is too small changes no result here, where C knows the
header, or no array is long enough.
"""

import re

from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed

COMMENT = re.compile(r"/\*.*?\*/|(//|#)[^\n]*", re.S)
NARROW = re.compile(r"(const )?((un)?signed|char|short|int|float|u?int(8|16|32)_t)\b[^*]*")


def parameters(text):
    """Return the parameters of each function in C, C++ or Cython, by the function's name."""
    found = re.findall(r"(\w+)\s*\(([^()]*)\)", COMMENT.sub("", text))
    return {name: [" ".join(each.split()) for each in inner.split(",")] for name, inner in found}


def check_sizes(name, header):
    """Raise `CheckFailed` if a ptrdiff_t of the header has 32 bits or fewer in a student's file."""
    declared = parameters((child.source / name).read_text(encoding="utf-8"))
    for function, types in parameters(header.read_text(encoding="utf-8")).items():
        for own, expected in zip(declared.get(function, ()), types, strict=False):
            if "ptrdiff_t" in expected and NARROW.fullmatch(own):
                fact = f"{name} declares `{own}` for {function}, but the header `{expected}`"
                advice = "the masks are right by luck, as Cython does not read the header"
                raise CheckFailed(fact, advice=advice)
