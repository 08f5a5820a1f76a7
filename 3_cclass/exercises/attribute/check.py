"""Run lines that set and read attributes, and compare their effects with task and predictions."""

from ladder.workshop.sandbox import classes
from ladder.workshop.sandbox.check_failed import CheckFailed

UNCHANGED = "must stay unchanged: only C sees its n, and Python cannot add attributes"
NAME = "its name cannot be set to a text or None: declare it for Python, too"
LINES = (  # a class, a line about x, an object of it, whether the line works, and what to do if not
    ("Closed", "x.n", False, UNCHANGED),
    ("Closed", "x.name = 'a'", False, UNCHANGED),
    ("Counted", "x.n", True, "Python does not see n: fields are hidden unless declared otherwise"),
    ("Counted", "x.n = 7", False, "Python can set n, but should only read it"),
    ("Named", "x.name = None; x.name = 'ä'; assert x.name == 'ä'", True, NAME),
    ("Named", "x.name = 4", False, "its name can be 4: declare its type, a text"),
    ("Named", "x.nam = 'a'", False,
     "`nam`, a misspelled name, is accepted: a declared field needs no __dict__"),
    ("Open", "x.own = [7]; assert vars(x) == {'own': [7]}", True,
     "`own` cannot be set, or is not in its `vars`: declare a __dict__ in the class"),
)  # fmt: skip


def check(answer, random):
    """Raise `CheckFailed` at the first class that behaves differently, or at a wrong prediction."""
    for name in ("Closed", "Counted", "Named", "Open"):
        classes.check_extension_type(answer, name, closed=False)
    for name, line, works, advice in LINES:
        if (exception_of(line, {"x": getattr(answer, name)(3)}) is None) != works:
            raise CheckFailed(f"{name}: {advice}")
    names = vars(answer) | {"Derived": type("Derived", (answer.Closed,), {})}
    for line, prediction in answer.PREDICTED.items():
        if isinstance(prediction, str):
            raise CheckFailed(f"PREDICTED, `{line}`: write {prediction}, not {prediction!r}")
        if prediction is ...:
            raise CheckFailed(f"PREDICTED has no prediction for `{line}`: None or an exception")
        if prediction != exception_of(line, names):
            name = getattr(prediction, "__name__", prediction)
            fact = f"PREDICTED: the result of `{line}` is not {name}"
            raise CheckFailed(fact, advice="try it, then think about why")


def exception_of(line, names):
    """Run a line; return the class of the exception that it raises, or None."""
    try:
        exec(line, dict(names))
    except Exception as error:
        return type(error)
    return None
