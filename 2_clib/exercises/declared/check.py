"""Call each function with numbers that a wrong declaration changes."""

import math
import re

from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed, advising, same

FAR = 2**25  # above 2**24, a float holds only some of the whole numbers
TYPES = "which of the types declared for {} cannot hold these numbers?"
ORDER = "C takes y first, in the order of the call; the names in a declaration have no effect"


def check(answer, random):
    """Raise `CheckFailed` at the first result that a wrong declaration has changed."""
    n = FAR + 1 + 2 * random.randrange(50)  # odd, so that the length is not a whole number
    compare(answer, "length", (1.5 * n, 2.0 * n), 2.5 * n, TYPES.format("hypot"))
    compare(answer, "angle", (1.0, 0.0), 0.0, ORDER)  # in each type
    compare(answer, "column", (5.0, 3.0), 2.0, "fmod takes x first, as in the header")
    for x, y in (-n, n + 2.0), (n, 5.0), (-1.0, -3.0):
        compare(answer, "angle", (x, y), math.atan2(y, x), TYPES.format("atan2"))
    for x, cols in (n + 0.5, n + 2.25), (n + 0.5, n - 1.75):
        compare(answer, "column", (x, cols), math.fmod(x, cols), TYPES.format("fmod"))
    text = (child.source / "vectors.pyx").read_text(encoding="utf-8")
    for name in ("hypot", "atan2", "fmod"):
        if not re.search(rf"\bdouble\s+{name}\s*\(", text):
            raise CheckFailed(f"the numbers are right by luck: declare `double {name}(...)`")


def compare(answer, name, arguments, right, advice):
    """Raise `CheckFailed` unless a function of the answer returns the right number."""
    call = f"{name}{arguments}"
    child.step(f"calling {call}")
    with advising(advice):
        same(getattr(answer, name)(*arguments), right, call)
