"""Sets attributes from Python, and holds what happens against what was to be, and was predicted."""

from polymask.workshop.sandbox import classes

from .fields import check_closed, check_common, check_counted, check_named, check_open
from .predictions import check_predictions

CLASSES = ("Closed", "Counted", "Named", "Open")


def check(answer, random):
    """Raise `Wrong` at the first class that behaves otherwise, then at the first prediction."""
    for name in CLASSES:
        classes.check_extension_type(answer, name, closed=False)
    n = random.randrange(10, 10**6)
    for name in CLASSES:
        check_common(name, getattr(answer, name), n)
    check_closed(answer.Closed(n))
    check_counted(answer.Counted(n), n)
    check_named(answer.Named(n))
    check_open(answer.Open, n, random)
    check_predictions(answer)
